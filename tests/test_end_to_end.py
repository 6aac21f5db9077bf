# SPDX-License-Identifier: BSD-3-Clause
"""The scripts a user runs, in the order of use."""

import csv
import lzma
import subprocess
import sys
from pathlib import Path

import pytest

from osgap.locking import LockError, lock
from osgap.paths import project_root

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
def test_a_point_on_rvsim_from_sweep_to_figures(tmp_path: Path) -> None:
    run = tmp_path / "run"
    benchmarks = "checks,ousterhout/getpid,ousterhout/create_delete_0"
    swept = _script(
        "sweep.py", "--cpu-mhz", "80,160", "--run", benchmarks, "--output", str(run)
    )  # fmt: skip
    assert swept.returncode == 0, swept.stderr
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


def test_an_accepted_run_is_smaller_and_gives_the_same_tables(tmp_path: Path) -> None:
    run = tmp_path / "run"
    axes = ("--engine", "fake", "--cpu-mhz", "20,80", "--memory", "fixed,scaled")
    assert _script("sweep.py", *axes, "--output", str(run)).returncode == 0
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


def test_a_truncated_or_changed_stats_file_is_named(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert _script("sweep.py", "--engine", "fake", "--output", str(run)).returncode == 0
    stats = next(run.rglob("stats.txt"))
    whole = stats.read_bytes()
    for damaged in (whole[: len(whole) // 2], whole.replace(b"simInsts", b"simInst_", 1)):
        stats.write_bytes(damaged)
        result = _script("analyze.py", str(run))
        assert result.returncode == 2 and "stats.txt" in result.stderr
        assert len(result.stderr.strip().splitlines()) == 1


def _tables(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (directory / "tables").iterdir()}


def test_committed_runs_are_what_their_samples_say(tmp_path: Path) -> None:
    """The tables under results/locked/ follow from the samples and statistics beside them."""
    import shutil

    runs = sorted(path.parent for path in LOCKED.rglob("run.json"))
    # Runs of the paper's machines have tables of their own, of all of them.
    analysed = [run for run in runs if (run / "tables").is_dir()]
    assert {LOCKED / "default", LOCKED / "gem5"} <= set(analysed)
    for number, committed in enumerate(analysed):
        copy = tmp_path / str(number)
        shutil.copytree(committed, copy)
        before = _tables(copy)
        assert before
        assert _script("analyze.py", str(copy)).returncode == 0
        assert _tables(copy) == before, committed


def test_the_committed_comparison_is_that_of_the_committed_runs(tmp_path: Path) -> None:
    runs = (str(LOCKED / name) for name in ("default", "gem5"))
    assert _script("compare.py", *runs, "--output", str(tmp_path)).returncode == 0
    assert _tables(tmp_path) == _tables(LOCKED / "comparison")


def test_the_committed_paper_tables_follow_from_the_committed_runs(tmp_path: Path) -> None:
    """scripts/paper.py alone, without a simulator."""
    done = _script("paper.py", "--output", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "Table 10: create-delete" in done.stdout
    assert _tables(tmp_path) == _tables(LOCKED / "paper")


def test_the_committed_concurrency_follows_from_the_committed_runs(tmp_path: Path) -> None:
    done = _script("kennaway.py", "--output", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert _tables(tmp_path) == _tables(LOCKED / "kennaway")
