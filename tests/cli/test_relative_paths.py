# SPDX-License-Identifier: BSD-3-Clause
"""A relative path works like an absolute one: in every option, and in every variable."""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from forks import osgap
from sweeping import tell

from osgap.base import paths
from osgap.base.paths import project_root
from osgap.cli import number_types, options, paper
from osgap.cli.main import main, parser

ROOT = project_root()
NAME_TYPES = (options.name, options.grouped_name, options.machine)
PATH_TYPES = (
    options.path,
    options.paths,
    options.as_typed,
    options.name_or_path,
    paper._pair,
    paper._run_pair,
)
# What takes a word or a number; all else is a path.
WORDS = (
    "--table",
    "--format",
    "--series",
    "--select",
    "--dump",
    "--figure",
    "--name",
    "--machine",
    "--variant",
    "--calls",
    "--memory",
    "--disk",
    "--fs",
    "--run",
    "--engine",
    "--failed",
    "--point",
    "--timeout",
    "--memory-limit",
    "--mhz",
    "--cpu-mhz",
    "--seeds",
    "machines",
    "names",
    "what",
    "shell",
    "table",
    "conditions",
    "--columns",
    "--across",
    "--pages",
    "name",  # of a suite
    "names",  # of committed runs
    "suite_words",  # parsed again, by options of these kinds
    "--confidence",
    "--column",
    "subcommand",
    "--latency-ns",
    "--bandwidth-mb-s",
    "--network",
    "--network-mbit-s",
    "--network-delay-us",
    "--use",
    "--tolerance",
    "--budget",
    "--seconds",
    "--cpu",
    "--bundle",
    "--host",  # of lmbench's summary
    "program",  # whose output is imported
    "--args",
    "--pattern",
    "--names",
    "--base",
)


def _options() -> Iterator[tuple[str, argparse.Action]]:
    (choices,) = [a for a in parser()._actions if isinstance(a, argparse._SubParsersAction)]
    for name, one in choices.choices.items():
        for action in one._actions:
            if action.nargs != 0:
                yield name, action


def _called(action: argparse.Action) -> str:
    return next((o for o in action.option_strings if o.startswith("--")), action.dest)


def test_every_path_option_has_the_type_of_a_path() -> None:
    """An option that is new is a word by its name above, or a number, or a path of the one kind."""
    for name, action in _options():
        known = action.type in (*PATH_TYPES, number_types.positive, *NAME_TYPES)
        assert known or action.choices or _called(action) in WORDS, (name, _called(action))
        assert action.type is not Path, (name, _called(action))


@pytest.mark.parametrize("text", ["", "a\0b"])
@pytest.mark.parametrize("kind", [options.path, options.as_typed, options.name_or_path])
def test_what_is_no_path_is_refused(kind: argparse.Action, text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="allowed: a path"):
        kind(text)


def test_a_path_is_absolute_from_the_door_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for text in ("x", "./x", "y/../x", "~x"):
        assert options.path(text) == tmp_path / Path(text)
    assert options.path("/x") == Path("/x")


@pytest.mark.parametrize("variable", paths.VARIABLES)
def test_a_variable_is_absolute_from_the_door_on(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for given, settled in (("a/b", str(tmp_path / "a/b")), ("/c", "/c"), ("", "")):
        monkeypatch.setenv(variable, given)
        paths.settle_environment()
        assert os.environ[variable] == settled
    monkeypatch.setenv("GEM5", "gem5.opt")
    paths.settle_environment()
    assert os.environ["GEM5"] == "gem5.opt"


def test_the_cache_is_absolute_where_there_is_no_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for SCons."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OSGAP_CACHE", "c")
    assert paths.cache_directory() == tmp_path / "c"
    monkeypatch.delenv("OSGAP_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "x")
    assert paths.cache_directory() == tmp_path / "x" / "osgap"


def test_every_variable_that_is_a_path_is_known() -> None:
    """Those that the package reads, but for what names no path."""
    read = set()
    for path in (ROOT / "osgap").rglob("*.py"):
        for part in path.read_text().split('environ.get("')[1:]:
            read.add(part.partition('"')[0])
    # Those of ld.so are its own: osgap takes the absolute ones alone.
    others = {"SLURM_JOB_ID", "PYTHONPATH", "LOGNAME", "USER", "HOME", "LD_LIBRARY_PATH"}
    assert read - others <= set(paths.VARIABLES) | {""}, read


def _osgap(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command, started in `folder`."""
    return subprocess.run(
        [sys.executable, "-m", "osgap", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )


def _points(run: Path) -> Mapping[str, str]:
    return {p.parent.name: p.read_text() for p in run.glob("points/*/samples.csv")}


@pytest.mark.long
def test_a_sweep_by_relative_paths_is_the_one_by_absolute_ones(
    fake_run: Path, tmp_path: Path
) -> None:
    """Every path that a sweep takes, and the cache, from another folder than the checkout's."""
    shutil.copytree(ROOT / "configs" / "machines", tmp_path / "machines")
    (tmp_path / "mine.toml").write_text(
        'description = "x"\nmachine = "base"\nengine = "fake"\nclock_mhz = [20, 40]\n'
        'memory = ["fixed", "scaled"]\n'
    )
    done = _osgap(
        tmp_path,
        "sweep",
        "--sweep",
        "mine.toml",
        "--machines",
        "machines",
        "--output",
        "deep/run",
        OSGAP_CACHE="cache",
        XDG_CACHE_HOME="xdg",
    )
    assert done.returncode == 0, done.stderr
    run = tmp_path / "deep" / "run"
    assert _points(run) == _points(fake_run) and len(_points(run)) == 3
    assert (tmp_path / "cache" / "checkpoints").is_dir()
    # What Snakemake keeps for itself is in the run directory, not in xdg.
    made = {"machines", "mine.toml", "deep", "cache"}
    assert {path.name for path in tmp_path.iterdir()} == made
    key = sorted(_points(run))[0]
    shutil.rmtree(run / "points" / key)
    for words in (["resume", "deep/run"], ["replay", "run", "--output", "again"]):
        folder = run.parent if words[0] == "replay" else tmp_path
        done = osgap(*words, folder=folder, OSGAP_CACHE="cache")
        assert done.returncode == 0, done.stderr
    assert _points(tmp_path / "deep" / "again") == _points(run) == _points(fake_run)
    told = json.loads(tell("status", run, "--json").stdout)
    assert all(point["state"] == "done" for point in told["points"])


@pytest.mark.slow
@pytest.mark.parametrize("words", [["analyze"], ["plot", "--figure", "times", "--format", "svg"]])
def test_what_reads_a_run_writes_the_same_by_either_path(
    run_directory: Path, tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["analyze", str(run_directory)]) == 0
    found = []
    monkeypatch.chdir(tmp_path)
    for base, out in (("", "a"), (f"{tmp_path}/", "b")):
        assert main([*words, f"{base}{run_directory.name}", "--output", f"{base}{out}"]) == 0
        files = [path for path in (tmp_path / out).rglob("*") if path.is_file()]
        found.append({str(p.relative_to(tmp_path / out)): p.read_bytes() for p in files})
    assert found[0] == found[1]


@pytest.mark.slow
def test_a_calibration_without_an_image_has_written_nothing(tmp_path: Path) -> None:
    words = ("calibrate", "paper/M2000", "--output", "caly", "--image", "nowhere")
    done = osgap(*words, folder=tmp_path)
    assert done.returncode == 2 and "calibrate: nowhere/Image: not there" in done.stderr
    assert not (tmp_path / "caly").exists()
