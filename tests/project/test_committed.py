# SPDX-License-Identifier: BSD-3-Clause
"""The committed runs say today what they said when they were accepted."""

from itertools import groupby
from pathlib import Path

import pytest

from osgap.analysis.tables import write_tables
from osgap.base.config import parse_json_model
from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.guest.protocol import EARLIER, PROTOCOL
from osgap.image.variants import DEFAULT
from osgap.printing import images
from osgap.rundir import manifest
from osgap.rundir.archive import LEFT_OUT
from osgap.rundir.commits import FILE, commits
from osgap.rundir.directory import ARCHIVE, runs_below
from osgap.rundir.files import finished_points
from osgap.rundir.load import load_run
from osgap.rundir.point import Spec, key_of
from osgap.suites import analyze

LOCKED = project_root() / "results" / "locked"
RUNS = sorted(str(run.relative_to(LOCKED)) for run in runs_below(LOCKED))
# Runs of the papers' machines have tables of all of them, not their own.
ANALYSED = [name for name in RUNS if (LOCKED / name / "tables").is_dir()]
# Tables over several runs lie beside those of the first.
OF_SEVERAL = {"hypothesis.csv", "reflected.csv", "layouts.csv", "covered.csv"}
# Of each folder the run with the smallest archive: reading all takes a quarter of a minute.
SMALLEST = {
    min(names, key=lambda name: (LOCKED / name / ARCHIVE).stat().st_size)
    for _, names in groupby(RUNS, key=lambda name: Path(name).parts[:2])
}
# A run of an earlier image.
PROGRAMS = "programs/lmbench-unixbench"
# One of each kind; the others take minutes together.
QUICK = {
    "curve/quick/rvsim",
    "publications/raveling/rvsim/musl",
    "publications/hohmuth-patch/rvsim/patch-first",
}


def _marks(name: str) -> list[pytest.MarkDecorator]:
    """One of each folder is read at the usual level, all of them by --all."""
    if name in QUICK:
        return []
    return [pytest.mark.slow if name in SMALLEST else pytest.mark.long]


def test_there_are_runs_of_each_kind() -> None:
    assert len(RUNS) >= 97 and set(ANALYSED) >= QUICK
    assert all((LOCKED / name / "run.tar.xz").is_file() for name in RUNS)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=_marks(name)) for name in RUNS],
)
def test_each_point_has_the_key_of_what_it_is(name: str) -> None:
    keys = manifest.read(LOCKED / name).points
    found = []
    for key, files in finished_points(LOCKED / name, keys):
        spec = parse_json_model(files.read("point.json"), Spec, key)
        made = [
            key_of(
                spec.engine,
                spec.engine_version,
                spec.image_digest,
                spec.axes,
                spec.resolved,
                spec.orders,
                protocol,
            )
            for protocol in (PROTOCOL, *EARLIER)
        ]
        assert key == spec.key in made
        found.append(key)
    assert tuple(found) == keys


def test_each_image_is_todays_or_a_listed_commits() -> None:
    digest = {name: manifest.read(LOCKED / name).image["digest"] for name in RUNS}
    listed = {image for known in commits().commits for image in known.images.values()}
    todays: dict[str, set[str]] = {}
    for name in RUNS:
        if digest[name] not in listed:
            todays.setdefault(manifest.variant(LOCKED / name), set()).add(digest[name])
    assert DEFAULT in todays and {len(found) for found in todays.values()} == {1}
    assert listed <= set(digest.values()), f"{FILE} lists images of no run"


def test_no_run_says_where_it_was_made() -> None:
    for name in RUNS:
        for start in manifest.read(LOCKED / name).starts:
            assert not [word for word in start.command if word.startswith("/")], name


def test_which_commit_builds_a_runs_image_is_said() -> None:
    (line,) = images.older([LOCKED / PROGRAMS])
    assert line == f"image 9219396a5035 is an earlier one: commit 9bcd269 builds it ({FILE})"
    assert images.older([LOCKED / "lab" / "160mhz"]) == []


@pytest.mark.rvsim
def test_replay_names_the_commit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--image", str(tmp_path / "none"), "--output", str(tmp_path / "again")]
    assert main(["replay", str(LOCKED / PROGRAMS), *where]) == 2
    assert "; commit 9bcd269 builds it" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=_marks(name)) for name in ANALYSED],
)
def test_a_run_analyses_to_the_tables_that_were_committed_with_it(
    tmp_path: Path, name: str
) -> None:
    write_tables(analyze(load_run(LOCKED / name)), tmp_path)
    committed = _texts(LOCKED / name / "tables", OF_SEVERAL)
    assert committed and _texts(tmp_path, set(LEFT_OUT)) == committed


def _texts(directory: Path, leave_out: set[str]) -> dict[str, bytes]:
    files = (path for path in directory.iterdir() if path.name not in leave_out)
    return {path.name: path.read_bytes() for path in files}
