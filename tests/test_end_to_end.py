# SPDX-License-Identifier: BSD-3-Clause
"""The scripts a user runs, in the order of use."""

import csv
import lzma
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from osgap.analysis import analyze, write_tables
from osgap.locking import LockError, lock
from osgap.paths import project_root
from osgap.results import load_run

LOCKED = project_root() / "results" / "locked"


def _script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(project_root() / "scripts" / name), *arguments],
        capture_output=True,
        text=True,
        timeout=900,
    )


def _table(run: Path, name: str) -> list[dict[str, str]]:
    with (run / "tables" / f"{name}.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.rvsim
def test_points_on_rvsim_from_sweep_to_figures(rvsim_run: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(rvsim_run, run)
    analysed = _script("analyze.py", str(run))
    assert analysed.returncode == 0, analysed.stderr
    assert "MIPS-relative speed" in analysed.stdout
    plotted = _script("plot.py", str(run), "--figure", "times")
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
    assert _script("analyze.py", str(run)).returncode == 0
    locked = tmp_path / "locked"
    lock(run, locked)
    assert not list(locked.rglob("stats.txt"))
    packed = next(locked.rglob("stats.txt.xz"))
    original = run / packed.relative_to(locked).with_suffix("")
    assert lzma.decompress(packed.read_bytes()) == original.read_bytes()
    before = {path.name: path.read_bytes() for path in (run / "tables").iterdir()}
    assert _script("analyze.py", str(locked)).returncode == 0
    assert {path.name: path.read_bytes() for path in (locked / "tables").iterdir()} == before
    with pytest.raises(LockError, match="exists"):
        lock(run, locked)


@pytest.mark.slow
def test_a_truncated_or_changed_stats_file_is_named(fake_run: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(fake_run, run)
    stats = next(run.rglob("stats.txt"))
    whole = stats.read_bytes()
    for damaged in (whole[: len(whole) // 2], whole.replace(b"simInsts", b"simInst_", 1)):
        stats.write_bytes(damaged)
        result = _script("analyze.py", str(run))
        assert result.returncode == 2 and "stats.txt" in result.stderr
        assert len(result.stderr.strip().splitlines()) == 1


def _tables(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (directory / "tables").iterdir()}


# Runs of the paper's machines have tables of their own, of all of them.
ANALYSED = sorted(
    str(path.parent.relative_to(LOCKED))
    for path in LOCKED.rglob("run.json")
    if (path.parent / "tables").is_dir()
)
OF_SEVERAL = {"hypothesis.csv", "reflected.csv"}
# One of each kind; the others follow in a run of all tests.
ENOUGH = {
    "default", "quick/gem5", "suites/rvsim", "reflected/rvsim/patch-first",
    "kennaway/rvsim/smp-4.smp-giant", "validation/gem5-tlb8",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[] if n in ENOUGH else pytest.mark.long) for n in ANALYSED],
)
def test_committed_runs_are_what_their_samples_say(tmp_path: Path, name: str) -> None:
    """The tables under results/locked/ follow from the samples and statistics beside them."""
    write_tables(analyze(load_run(LOCKED / name)), tmp_path / "tables")
    committed = _tables(LOCKED / name)
    # Tables over several runs lie beside those of the first.
    assert _tables(tmp_path) == {n: t for n, t in committed.items() if n not in OF_SEVERAL}


def test_runs_of_each_kind_are_among_those_analysed_again() -> None:
    assert ENOUGH | {"gem5"} <= set(ANALYSED)


@pytest.mark.long
@pytest.mark.slow
def test_the_committed_comparison_is_that_of_the_committed_runs(tmp_path: Path) -> None:
    runs = (str(LOCKED / name) for name in ("default", "gem5"))
    assert _script("compare.py", *runs, "--output", str(tmp_path)).returncode == 0
    assert _tables(tmp_path) == _tables(LOCKED / "comparison")


@pytest.mark.long
@pytest.mark.slow
def test_the_committed_paper_tables_follow_from_the_committed_runs(tmp_path: Path) -> None:
    """scripts/paper.py alone, without a simulator."""
    done = _script("paper.py", "--output", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "Table 10: create-delete" in done.stdout
    assert _tables(tmp_path) == _tables(LOCKED / "paper")


@pytest.mark.long
@pytest.mark.slow
def test_the_committed_concurrency_follows_from_the_committed_runs(tmp_path: Path) -> None:
    done = _script("kennaway.py", "--output", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert _tables(tmp_path) == _tables(LOCKED / "kennaway")
