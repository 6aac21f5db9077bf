# SPDX-License-Identifier: BSD-3-Clause
"""Points that fail: each way has a name, limits hold, and only what failed runs again."""

import shutil
from pathlib import Path

import pytest
from stderr import sentences
from sweeping import nothing_half_done, records, sweep, tell


@pytest.mark.slow
@pytest.mark.parametrize(
    ("benchmark", "options", "state", "line"),
    [
        ("deaf", ("--timeout", "1"), "timed-out", "the simulator did not answer for 11 s"),
        ("eat", ("--memory-limit", "150"), "out-of-memory", "its limit is 150 MiB"),
        pytest.param(
            *("abort", (), "out-of-memory", "memory allocation of 17179869184 bytes failed"),
            marks=pytest.mark.long,
        ),
        pytest.param(
            *("crash", (), "simulator-error", "the simulator ended by SIGKILL"),
            marks=pytest.mark.long,
        ),
        ("defect", (), "simulator-error", "RuntimeError: asked for"),
        pytest.param(
            *("chatter", (), "simulator-error", "allowed: 16777216"), marks=pytest.mark.long
        ),
        pytest.param(*("panic", (), "guest-panic", "Kernel panic"), marks=pytest.mark.long),
        pytest.param(*("flood", (), "guest-error", "allowed: 1048576"), marks=pytest.mark.long),
        pytest.param(*("fail", (), "guest-error", "asked-for"), marks=pytest.mark.long),
    ],
)
def test_a_point_that_fails_says_which_way_and_only_it_runs_again(
    fake_run: Path, tmp_path: Path, benchmark: str, options: tuple[str, ...], state: str, line: str
) -> None:
    run = tmp_path / "run"
    shutil.copytree(fake_run, run)
    failed = sweep(run, "--cpu-mhz", "40", "--run", f"checks,{benchmark}", *options)
    assert failed.returncode == 2 and f"{state}: " in failed.stderr and line in failed.stderr
    (record,) = [r for r in records(run) if r["state"] != "done"]
    assert record["state"] == state and line in record["line"] and record["attempt"] == 1
    assert (run / record["log"]).is_file()
    nothing_half_done(run)
    other = "guest-panic" if state != "guest-panic" else "timed-out"
    none = tell("retry", run, "--failed", other)
    assert none.returncode == 0 and f"of 1 point none is {other}" in none.stdout
    if benchmark == "deaf":
        return  # 11 s once is enough
    assert tell("retry", run, "--failed").returncode == 2
    (record,) = [r for r in records(run) if r["state"] != "done"]
    assert record["state"] == state and record["attempt"] == 2


@pytest.mark.rvsim
@pytest.mark.parametrize(
    ("lines", "options", "state"),
    [
        pytest.param(
            "sets = { 'getpid.count' = 900000000 }",
            ("--timeout", "3"),
            "timed-out",
            marks=pytest.mark.long,
        ),
        pytest.param("", ("--memory-limit", "100"), "out-of-memory", marks=pytest.mark.long),
        ("sets = { 'nobody.count' = 1 }", (), "guest-error"),
    ],
)
def test_limits_hold_on_a_real_simulator(
    tmp_path: Path, lines: str, options: tuple[str, ...], state: str
) -> None:
    run, file = tmp_path / "run", tmp_path / "sweep.toml"
    file.write_text(
        'description = "x"\nmachine = "base"\nclock_mhz = [160]\nrun = ["ousterhout/getpid"]\n'
        f"{lines}\n"
    )
    told = sweep(run, "--engine", "rvsim", "--sweep", str(file), *options)
    assert told.returncode == 2 and f"{state}: " in told.stderr, told.stderr
    (record,) = records(run)
    assert record["state"] == state and record["total_s"] < 30
    nothing_half_done(run)


@pytest.mark.long
def test_a_memory_limit_is_kept_and_not_far_off(tmp_path: Path) -> None:
    run = tmp_path / "run"
    sweep(run, "--cpu-mhz", "20", "--run", "eat", "--memory-limit", "200")
    (record,) = records(run)
    # It takes 8 MiB every 50 ms, and is looked at every 200 ms.
    assert 200 < record["peak_mib"] < 400
    again = tell("retry", run, "--failed", "out-of-memory", "--memory-limit", "400")
    assert again.returncode == 2 and "its limit is 400 MiB" in again.stderr
    (record,) = records(run)
    assert 400 < record["peak_mib"] < 600


@pytest.mark.slow
def test_a_wrong_class_or_limit_is_one_sentence(fake_run: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(fake_run, run)
    for arguments, words in (
        (("--failed", "bored"), "allowed: timed-out"),
        (("--failed", "--memory-limit", "1"), "memory_limit_mib"),
        (("--failed", "--jobs", "0"), "--jobs: found '0'"),
        (("--failed", "--points-per-job", "2"), "found without --profile"),
        (("--failed", "--profile", "slurm", "--jobs", "2"), "found beside --profile"),
        (("--failed", "--profile", "moon"), "allowed: slurm"),
        (("--failed", "--gem5", "x"), "whose engine is fake"),
    ):
        told = tell("retry", run, *arguments)
        assert told.returncode == 2 and words in told.stderr
        assert len(sentences(told.stderr)) == 1
    assert "runs: no such directory; did you mean" in tell("status", tmp_path / "runs").stderr
