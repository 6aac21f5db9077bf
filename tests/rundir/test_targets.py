# SPDX-License-Identifier: BSD-3-Clause
"""Results go into new, empty or osgap's own directories; any other is left as it was."""

import argparse
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import foreign_texts
import measured
import pytest
from synthetic import write_run

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.cli.options import grouped_name
from osgap.rundir.archive import lock
from osgap.rundir.output import MARK, claim, claim_part

LOCKED = project_root() / "results" / "locked"


def snapshot(directory: Path) -> dict[str, object]:
    """Every entry below a directory, with its kind and its content."""
    return {
        str(path.relative_to(directory)): os.readlink(path)
        if path.is_symlink()
        else path.read_bytes()
        if path.is_file()
        else path.lstat().st_mode
        for path in sorted(directory.rglob("*"))
    }


def _file(directory: Path) -> None:
    directory.write_text("mine")


def _holding(*names: str) -> Callable[[Path], None]:
    def make(directory: Path) -> None:
        for name in names:
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.mkdir() if name.endswith("/") else path.write_text("mine")

    return make


def _link_to_strangers(directory: Path) -> None:
    _holding("notes.txt")(directory.with_name("elsewhere"))
    directory.symlink_to(directory.with_name("elsewhere"))


def _run_with_a_link(directory: Path) -> None:
    write_run(directory, clocks=(20,))
    directory.with_name("elsewhere").mkdir()
    (directory / "records").symlink_to(directory.with_name("elsewhere"))


def _run_with_a_fifo(directory: Path) -> None:
    write_run(directory, clocks=(20,))
    (directory / "logs").mkdir()
    os.mkfifo(directory / "logs" / "snakemake.log")


def _runs_and_more(directory: Path) -> None:
    directory.mkdir()
    write_run(directory / "one", clocks=(20,))
    _holding("paper.tex")(directory)


def _accepted(directory: Path) -> None:
    write_run(directory.with_name("elsewhere"), clocks=(20,))
    lock(directory.with_name("elsewhere"), directory)


STRANGERS: Mapping[str, Callable[[Path], None]] = {
    "a file": _file,
    "a file in it": _holding("notes.txt"),
    "a workflow": _holding("Snakefile", ".snakemake/log", "logs/x"),
    "a hidden file": _holding(".bashrc"),
    "snakemake's alone": _holding(".snakemake/conda/x"),
    "another run.json": _holding("run.json"),
    "a folder called points": _holding("points/a", "run.json"),
    "tables of others": _holding("data/x.csv", "tables/x.csv"),
    "a link to others": _link_to_strangers,
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a run with a link": _run_with_a_link,
    "a run with a FIFO": _run_with_a_fifo,
    "runs and more": _runs_and_more,
    "an accepted run": _accepted,
}


@pytest.fixture
def stranger(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    STRANGERS[request.param](tmp_path / "in" / "target")
    return tmp_path / "in" / "target"


@pytest.mark.parametrize("stranger", STRANGERS, indirect=True)
def test_a_strangers_directory_is_refused_and_left(stranger: Path) -> None:
    before = snapshot(stranger.parent)
    with pytest.raises(OsgapError, match="allowed"):
        claim(stranger)
    assert snapshot(stranger.parent) == before


def test_new_empty_and_begun_directories_are_claimed(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("new", "deep/er", "empty"):
        assert claim(tmp_path / name) == tmp_path / name
        assert [path.name for path in (tmp_path / name).iterdir()] == [MARK]
        # As a sweep that was killed before it wrote run.json leaves it.
        (tmp_path / name / ".lock").write_text("")
        (tmp_path / name / ".snakemake").mkdir()
        (tmp_path / name / ".snakemake" / "link").symlink_to("/etc")
        assert claim(tmp_path / name) == tmp_path / name


def test_runs_of_before_are_known(tmp_path: Path) -> None:
    run = write_run(tmp_path / "some" / "run", clocks=(20,))
    (tmp_path / "some" / "tables").mkdir()
    (tmp_path / "link").symlink_to(run)
    assert claim(run) == claim(tmp_path / "link") == run
    assert claim(tmp_path / "some") == tmp_path / "some"
    assert not list((tmp_path / "some").rglob(MARK))
    (run / "plan").mkdir()
    (run / "run.json").write_text("{")
    assert claim(run) == run


@pytest.mark.parametrize(
    "path",
    sorted(path.parent for path in LOCKED.rglob("figures")),
    ids=lambda path: str(path.relative_to(LOCKED)),
)
def test_the_committed_tables_and_figures_could_be_made_again(path: Path) -> None:
    parts = [part for part in (path / "figures", path / "tables") if part.is_dir()]
    assert [claim_part(part) for part in parts] == parts  # and none is made where none is


@pytest.mark.parametrize("holds", ["notes.txt", ".ssh/", "points.csv/"])
def test_a_folder_called_tables_of_others_is_left(tmp_path: Path, holds: str) -> None:
    _holding(holds)(tmp_path / "tables")
    if holds.startswith("."):
        claim_part(tmp_path / "tables")
        return
    with pytest.raises(OsgapError):
        claim_part(tmp_path / "tables")


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = write_run(tmp_path_factory.mktemp("finished") / "run", clocks=(20, 80))
    assert main(["analyze", str(run)]) == 0
    return run


def _commands(run: Path) -> dict[str, list[str]]:
    """Every command that takes --output, with what it needs beside it."""
    return {
        "sweep": ["sweep", "--engine", "fake"],
        "replay": ["replay", str(run)],
        "reproduce": ["reproduce", "prediction/random-machines/predicted"],
        "kernel-ab": ["kernel-ab", "--engine", "fake", "--run", "getpid", "--layouts", "2"],
        "analyze": ["analyze", str(run)],
        "native": ["native", "--import", str(run.parent / "measured.txt")],
        "import": ["import", "sbc-bench", str(run.parent / "sbc.txt")],
        "plot": ["plot", str(run), "--figure", "times"],
        "compare": ["compare", str(run), str(run)],
        "report": ["report", str(run)],
        "site": ["site", str(run.parent)],
        "paper": ["paper", f"rvsim={run}"],
        "kennaway": ["kennaway", str(run)],
        "board": ["board", "d1", "--table", "board_rows"],
        "calibrate": ["calibrate", "paper/M2000"],
    }


def test_every_command_that_writes_is_known_here() -> None:
    from osgap.cli.main import parser

    (choices,) = [a for a in parser()._actions if isinstance(a, argparse._SubParsersAction)]
    writing = {
        name
        for name, one in choices.choices.items()
        if any("--output" in action.option_strings for action in one._actions)
    }
    assert writing == set(_commands(Path("run")))


@pytest.mark.slow
@pytest.mark.parametrize("name", _commands(Path("run")))
def test_no_command_writes_into_a_strangers_directory(
    finished_run: Path,
    tmp_path: Path,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Into none that is named, and none that is the current one; `--output ""` is no directory."""
    target = tmp_path / "target"
    STRANGERS["a workflow"](target)
    monkeypatch.chdir(target)
    measured.file(finished_run.parent)
    (finished_run.parent / "sbc.txt").write_text(foreign_texts.sbc_bench())
    before = snapshot(tmp_path)
    for output in (str(target), ".", "../target"):
        assert main([*_commands(finished_run)[name], "--output", output]) == 2
        assert "\n" not in capsys.readouterr().err.strip().rpartition(f"osgap {name}: ")[2]
        assert snapshot(tmp_path) == before
    with pytest.raises(SystemExit) as ended:
        main([*_commands(finished_run)[name], "--output", ""])
    assert ended.value.code == 2 and "found ''; allowed: a path" in capsys.readouterr().err
    assert snapshot(tmp_path) == before


_OTHER_NAMES = ["", ".", "..", "../../x", "/x", ".x", "a b", "é", "-x", "x\n"]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("sweep", "a/b"),
        *(("lock", name) for name in ("a//c", "a/", "a/..", "../b")),
        *(("sweep", name) for name in _OTHER_NAMES),
        *(("lock", name) for name in _OTHER_NAMES),
    ],
)
def test_a_name_is_one_component_and_for_lock_may_have_a_group(
    command: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, *(["run"] if command == "lock" else []), f"--name={name}"])
    assert ended.value.code == 2
    assert "allowed: a name" in capsys.readouterr().err


def test_an_accepted_run_may_lie_in_groups() -> None:
    name = "layouts/five-layouts/rvsim"
    assert grouped_name(name) == name


def test_resuming_a_strangers_run_json_leaves_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _holding("run.json", ".snakemake/log")(tmp_path / "run")
    before = snapshot(tmp_path)
    for words in (["resume"], ["retry"], ["replay"], ["status"], ["analyze"], ["lock"]):
        assert main([*words, str(tmp_path / "run")]) == 2, capsys.readouterr()
        assert snapshot(tmp_path) == before


def test_a_table_or_figure_that_is_a_link_is_replaced_not_followed(
    finished_run: Path, tmp_path: Path
) -> None:
    run = Path(shutil.copytree(finished_run, tmp_path / "run"))
    beside = tmp_path / "beside"
    beside.write_text("mine")
    (run / "tables" / "times.csv").unlink()
    (run / "tables" / "times.csv").symlink_to(beside)
    with pytest.raises(OsgapError, match=r"times\.csv"):
        claim_part(run / "tables")
    assert main(["analyze", str(run)]) == 2
    assert beside.read_text() == "mine"
