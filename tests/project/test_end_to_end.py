# SPDX-License-Identifier: BSD-3-Clause
"""The scripts a user runs, in the order of use."""

import csv
import shutil
import subprocess
from pathlib import Path

import pytest
from forks import osgap
from stderr import sentences

from osgap.analysis.tables import write_tables
from osgap.base.errors import OsgapError
from osgap.base.packed import read_archive
from osgap.base.paths import project_root
from osgap.rundir.archive import lock
from osgap.rundir.load import load_run
from osgap.suites import analyze

LOCKED = project_root() / "results" / "locked"


def _osgap(*arguments: str) -> subprocess.CompletedProcess[str]:
    return osgap(*arguments, folder=project_root(), timeout=900)


def _table(run: Path, name: str) -> list[dict[str, str]]:
    with (run / "tables" / f"{name}.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.rvsim
def test_points_on_rvsim_from_sweep_to_figures(rvsim_run: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(rvsim_run, run)
    analysed = _osgap("analyze", str(run))
    assert analysed.returncode == 0, analysed.stderr
    assert "MIPS-relative speed" in analysed.stdout
    plotted = _osgap("plot", str(run), "--figure", "times")
    assert plotted.returncode == 0, plotted.stderr
    assert (run / "figures" / "times.svg").stat().st_size > 10_000

    relative = {
        (row["benchmark"], row["fs"], row["clock_mhz"]): float(row["relative"])
        for row in _table(run, "relative")
        if row["relative"]
    }
    assert relative["getpid", "none", "80"] == 1
    assert relative["getpid", "none", "160"] == pytest.approx(1, abs=0.05)
    assert relative["create_delete_0", "unix", "160"] < 0.7
    for row in _table(run, "checks"):
        if row["check"] == "memory_latency":
            assert abs(float(row["error"])) < 0.10
    for row in _table(run, "attribution"):
        parts = [float(row[name]) for name in ("user", "kernel", "memory_stall", "idle")]
        assert sum(parts) == pytest.approx(1, abs=1e-3)


@pytest.mark.slow
def test_an_accepted_run_is_smaller_and_gives_the_same_tables(
    fake_run: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(fake_run, run)
    assert _osgap("analyze", str(run)).returncode == 0
    locked = tmp_path / "locked"
    lock(run, locked)
    packed = dict(read_archive(locked / "run.tar.xz"))
    originals = [
        path for part in ("inputs", "records", "points") for path in (run / part).rglob("*")
    ]
    originals = [path for path in originals if path.is_file()]
    assert packed == {str(path.relative_to(run)): path.read_bytes() for path in originals}
    before = {path.name: path.read_bytes() for path in (run / "tables").iterdir()}
    write_tables(analyze(load_run(locked)), tmp_path / "again" / "tables")
    assert _tables(tmp_path / "again") == before
    assert _tables(locked) == {n: t for n, t in before.items() if n != "samples.csv"}
    with pytest.raises(OsgapError, match="exists"):
        lock(run, locked)


@pytest.mark.slow
def test_a_truncated_or_changed_stats_file_is_named(fake_run: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(fake_run, run)
    stats = next(run.rglob("stats.txt"))
    whole = stats.read_bytes()
    for damaged in (whole[: len(whole) // 2], whole.replace(b"simInsts", b"simInst_", 1)):
        stats.write_bytes(damaged)
        result = _osgap("analyze", str(run))
        assert result.returncode == 2 and "stats.txt" in result.stderr
        assert len(sentences(result.stderr)) == 1


def _tables(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (directory / "tables").iterdir()}


@pytest.mark.long
@pytest.mark.slow
def test_the_committed_comparison_is_that_of_the_committed_runs(tmp_path: Path) -> None:
    runs = (str(LOCKED / name) for name in ("curve/default", "curve/gem5"))
    assert _osgap("compare", *runs, "--output", str(tmp_path)).returncode == 0
    assert _tables(tmp_path) == _tables(LOCKED / "curve/comparison")


@pytest.mark.long
@pytest.mark.slow
def test_the_committed_paper_tables_follow_from_the_committed_runs(tmp_path: Path) -> None:
    """`osgap paper` alone, without a simulator."""
    done = _osgap("paper", "--output", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "Table 10: create-delete" in done.stdout and "R null" in done.stdout
    assert _tables(tmp_path) == _tables(LOCKED / "paper/fitted")
    printed = _osgap("paper", "--skill", "--format", "csv")
    assert printed.stdout.encode() == _tables(LOCKED / "paper/fitted")["skill.csv"]


@pytest.mark.long
@pytest.mark.slow
def test_the_committed_concurrency_follows_from_the_committed_runs(tmp_path: Path) -> None:
    done = _osgap("kennaway", "--output", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert _tables(tmp_path) == _tables(LOCKED / "publications/kennaway")
