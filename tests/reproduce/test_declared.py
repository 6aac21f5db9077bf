# SPDX-License-Identifier: BSD-3-Clause
"""results/locked/runs.toml: every committed run is declared as it was made, with its reader."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from osgap.base.config import ConfigError, read_model
from osgap.base.paths import project_root
from osgap.cli import kernel_ab
from osgap.cli.main import parser
from osgap.cli.sweep import _values
from osgap.kernels.comparison import sweep_of
from osgap.points import record
from osgap.reproduce.declared import LOCKED, TODAYS, Declarations, DeclaredRun, declarations
from osgap.rundir import manifest
from osgap.rundir.commits import commits
from osgap.rundir.directory import runs_below
from osgap.sweep.prepare import _read
from osgap.sweep.spec import RunSpec, each_run

ROOT = project_root()
RUNS = declarations().run
DECLARED = {run.name: run for run in RUNS}
SIMULATED = [run for run in RUNS if run.engine]
Point = tuple[str, str]
"""The image's digest and the point's key."""


def _runs(name: str) -> list[Path]:
    """The run folders of a declared run: those of no declared run inside it."""
    inner = [ROOT / LOCKED / other for other in DECLARED if other.startswith(f"{name}/")]
    below = runs_below(ROOT / LOCKED / name)
    return [run for run in below if not any(run.is_relative_to(path) for path in inner)]


def _points(name: str) -> dict[Point, Path]:
    """The run folder of each point of a declared run."""
    manifests = {run: manifest.read(run) for run in _runs(name)}
    return {
        (str(made.image["digest"]), key): run
        for run, made in manifests.items()
        for key in made.points
    }


def _simulated(run: DeclaredRun) -> dict[Point, Path]:
    """The points of a declared run that it does not have from another one."""
    copies = {point for name in run.depends for point in _points(name)}
    return {point: path for point, path in _points(run.name).items() if point not in copies}


def _requests(run: DeclaredRun) -> Iterator[RunSpec]:
    """The runs that the declared commands make."""
    for words in run.sweeps:
        args = parser().parse_args(list(words))
        if args.subcommand == "kernel-ab":
            values = kernel_ab._values(args)
            yield from each_run(sweep_of(kernel_ab._comparison(args), values)).values()
        else:
            yield from each_run(_read(args.sweep, _values(args))).values()


def test_each_folder_of_a_run_is_declared_and_each_declared_folder_is_there() -> None:
    declared = {path for name in DECLARED for path in _runs(name)}
    assert declared == set(runs_below(ROOT / LOCKED))
    assert all((ROOT / LOCKED / name).is_dir() for name in DECLARED)


def test_each_folder_of_tables_is_declared() -> None:
    declared = {ROOT / LOCKED / name for name in DECLARED}
    folders = {path.parent for path in (ROOT / LOCKED).rglob("tables")}
    assert [path for path in folders - declared if not (path / "run.json").is_file()] == []


def test_each_figure_is_shown_by_a_page() -> None:
    """The others are drawn again by osgap plot, compare, paper and kennaway: --output DIR."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    drawn = [path for suffix in ("png", "svg") for path in (ROOT / LOCKED).rglob(f"*.{suffix}")]
    assert drawn
    assert [path for path in drawn if str(path.relative_to(ROOT)) not in text] == []


def test_points_are_archived_in_one_format() -> None:
    files = (path for path in (ROOT / LOCKED).rglob("*") if path.is_file())
    known = {".csv", ".json", ".png", ".toml", ".xz", ""}
    assert {path.suffix for path in files} <= known


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_its_page_names_its_folder(run: DeclaredRun) -> None:
    """By GROUP/NAME, of which NAME may be without the simulator at its end."""
    group, name, *_ = run.name.split("/")
    stem = re.sub("-(rvsim|gem5)$", "", name)
    text = (ROOT / run.page).read_text(encoding="utf-8")
    assert re.search(rf"(?<![\w-]){group}/{stem}(-(rvsim|gem5|ENGINE|\*))?(?![\w-])", text), (
        run.page
    )


@pytest.mark.parametrize("run", SIMULATED, ids=lambda run: run.name)
def test_its_points_are_counted(run: DeclaredRun) -> None:
    assert run.points == len(_simulated(run)) > 0


@pytest.mark.slow
def test_its_minutes_are_those_of_its_records() -> None:
    for run in SIMULATED:
        keys: dict[Path, list[str]] = {}
        for (_, key), path in _simulated(run).items():
            keys.setdefault(path, []).append(key)
        records = [one for path in keys for one in record.accepted(path, keys[path])]
        seconds = [one.total_s for one in records]
        known = sum(filter(None, seconds)) if all(seconds) else 0.0
        assert run.minutes == pytest.approx(known / 60, abs=0.051), run.name


@pytest.mark.parametrize("run", SIMULATED, ids=lambda run: run.name)
def test_its_image_is_the_declared_ones(run: DeclaredRun) -> None:
    known = {entry.commit[:7]: set(entry.images.values()) for entry in commits().commits}
    digests = {digest for digest, _ in _simulated(run)}
    if run.image == TODAYS:
        assert not digests & set().union(*known.values())
    else:
        assert digests <= known[run.image]


def _axes(spec: RunSpec) -> str:
    """A request without its description and the host's limits, as text that sorts."""
    request = spec.model_dump(mode="json", exclude={"description", "timeout_s", "memory_limit_mib"})
    return json.dumps(request, sort_keys=True)


@pytest.mark.parametrize("run", SIMULATED, ids=lambda run: run.name)
def test_its_sweeps_ask_for_what_the_committed_runs_record(run: DeclaredRun) -> None:
    recorded = (manifest.read(path).sweep for path in sorted(set(_simulated(run).values())))
    asked = [RunSpec.model_validate(sweep) for sweep in recorded]
    assert sorted(map(_axes, asked)) == sorted(map(_axes, _requests(run)))


GOOD = """
[[run]]
name = "a/first"
question = "Is it so?"
page = "README.md"
commands = [["sweep", "--sweep", "quick"]]

[[run]]
name = "a/second"
question = "And so?"
page = "README.md"
depends = ["a/first"]
commands = [["compare", "{a/first}", "{a/first}"]]
"""
WRONG = {
    GOOD.replace('"a/first"]', '"a/first", "a/none"]'): "'a/none'",
    GOOD.replace('depends = ["a/first"]', ""): "{a/first}",
    GOOD.replace('["sweep"', '["swep"'): "allowed: a command of sweep",
    GOOD.replace("Is it so?", "It is so."): "question",
    GOOD.replace('"a/second"', '"a/first"'): "each run once",
    GOOD.replace('commands = [["sweep", "--sweep", "quick"]]', ""): "either commands or exemption",
    GOOD.replace('name = "a/first"', 'name = "../first"'): "'../first'",
}


@pytest.mark.parametrize("text", WRONG, ids=WRONG.values())
def test_a_wrong_declaration_is_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "runs.toml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_model(tmp_path / "runs.toml", Declarations)
    assert "runs.toml" in str(caught.value) and WRONG[text] in str(caught.value)


def test_a_right_one_has_an_engine_and_an_order(tmp_path: Path) -> None:
    (tmp_path / "runs.toml").write_text(GOOD)
    first, second = read_model(tmp_path / "runs.toml", Declarations).run
    assert (first.engine, second.engine, list(second.folders)) == ("rvsim", "", ["a/first"] * 2)
