# SPDX-License-Identifier: BSD-3-Clause
"""Each fault is injected for real; what was finished stays, and the rest follows."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import venv
from pathlib import Path

import pytest
from examples import rounds
from kills import VICTIMS, results, sweep_kills
from stderr import sentences
from sweeping import (
    SWEEP,
    command,
    done,
    listening,
    nothing_half_done,
    paused,
    records,
    running,
    start,
    states,
    status,
    sweep,
    tell,
    wait_until,
)

from osgap.base.processes import osgap_command
from osgap.points.record import Record, State
from osgap.sweep.jobs import all_attempted
from osgap.sweep.progress import Progress


@pytest.mark.long
@pytest.mark.parametrize("count", rounds(4, 8))
def test_killed_outright_at_random_moments_nothing_is_lost_or_wrong(
    tmp_path: Path, count: int
) -> None:
    # Three points, or with all tests seven.
    options = paused(tmp_path, 300, clocks="20, 40" if count == 4 else "20, 40, 80, 160")
    seed = 1990 + count
    kills = list(sweep_kills(lambda run: command(run, *options), tmp_path, count, seed=seed))
    assert [kill.victim for kill in kills] == [VICTIMS[n % len(VICTIMS)] for n in range(count)]
    assert [kill for kill in kills if kill.lost or kill.left or not kill.same] == []


@pytest.mark.long
def test_a_worker_that_waits_runs_the_point_when_the_first_one_fails(tmp_path: Path) -> None:
    run = tmp_path / "run"
    options = paused(tmp_path, 2500, clocks="20")
    with start(run, *options) as sweeping:
        wait_until(lambda: running(run))
        sweeping.kill()
        sweeping.communicate()
    wait_until(lambda: states(run).popitem()[1] == "cancelled")
    with subprocess.Popen(osgap_command("osgap.points", "0"), cwd=run) as orphan:
        wait_until(lambda: running(run))
        with start(run, *options) as second:
            wait_until(lambda: (run / ".jobs" / "jobs.json").exists() and second.poll() is None)
            time.sleep(1.5)
            orphan.terminate()
            _, errors = second.communicate(timeout=60)
    assert second.returncode == 0, errors
    assert set(states(run).values()) == {"done"}


@pytest.mark.parametrize(
    ("state", "attempt", "settled"),
    [("cancelled", 1, False), ("cancelled", 2, True), ("done", 1, True), ("running", 2, False)],
)
def test_what_an_earlier_sweeps_worker_ends_is_still_to_run(
    tmp_path: Path, state: str, attempt: int, settled: bool
) -> None:
    before = [Record(key="a", state=State.RUNNING, attempt=1)]
    now = Progress(tmp_path, (Record(key="a", state=State(state), attempt=attempt),), None)
    assert all_attempted(before, now) == settled


@pytest.mark.long
def test_an_interrupted_retry_says_what_goes_on_with_all_of_it(tmp_path: Path) -> None:
    run = tmp_path / "run"
    axes = ("--memory", "fixed", "--run", "checks,hang")
    assert sweep(run, *paused(tmp_path, 1500, "20, 40, 80"), *axes).returncode == 2
    with subprocess.Popen(
        [sys.executable, str(SWEEP), "retry", str(run), "--failed", "timed-out", "--jobs", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listening,
    ) as process:
        wait_until(lambda: running(run))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    again = shlex.split(errors.partition("go on with: ")[2])
    assert again[-2:] == ["resume", str(run)] and "osgap" in again[-3]
    subprocess.run(again, capture_output=True, timeout=60)
    assert set(states(run).values()) == {"timed-out"}


@pytest.mark.long
def test_one_failing_machine_does_not_stop_the_others(tmp_path: Path) -> None:
    run = tmp_path / "run"
    told = sweep(run, "--machine", "base,validation/tlb8", "--run", "checks,panic")
    (sentence,) = sentences(told.stderr)
    assert told.returncode == 2 and sentence.count("guest-panic") == 2
    assert list(states(run / "tlb8").values()) == ["guest-panic"]
    again = tell("retry", run, "--failed")
    (sentence,) = sentences(again.stderr)
    assert again.returncode == 2 and sentence.count("guest-panic") == 2


@pytest.mark.slow
def test_a_sweep_needs_no_home_and_leaves_a_users_snakemake_profile_alone(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    (profile / "config.yaml").write_text("dry-run: true\n")
    away = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null", "XDG_CONFIG_HOME": "/dev/null"}
    told = sweep(tmp_path / "run", "--cpu-mhz", "20", SNAKEMAKE_PROFILE=str(profile), **away)
    assert told.returncode == 0, told.stderr


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_sweep_finishes_cleanly_and_says_how_to_go_on(
    tmp_path: Path, number: signal.Signals
) -> None:
    run = tmp_path / "run"
    # Long against a busy machine's looks: one point at least is cut off.
    options = paused(tmp_path, 4000)
    with start(run, *options) as process:
        wait_until(lambda: len(done(run)) >= 2 and running(run))
        began = time.monotonic()
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
    assert time.monotonic() - began < 5
    assert process.returncode == 2 and len(sentences(errors)) == 1
    assert "interrupted" in errors and "are finished and kept" in errors
    assert "--sweep" in errors.partition("go on with:")[2]
    nothing_half_done(run)
    told = states(run)
    assert "running" not in told.values() and "cancelled" in told.values()
    before = results(run)
    # Another day and another encoding, after a login from elsewhere.
    again = tell("resume", run, TZ="Pacific/Kiritimati", LC_ALL="C", PYTHONUTF8="0")
    assert again.returncode == 0, again.stderr
    after = results(run)
    assert set(states(run).values()) == {"done"} and before.items() <= after.items()


@pytest.mark.long
def test_two_sweeps_on_one_directory_and_the_second_is_refused(tmp_path: Path) -> None:
    run = tmp_path / "run"
    # Longer than three refusals take on a busy machine; stopped when they are done.
    options = paused(tmp_path, 20_000)
    with start(run, *options) as first:
        wait_until(lambda: running(run))
        for second in (sweep(run, *options), tell("resume", run), tell("retry", run, "--failed")):
            assert second.returncode == 2
            assert f"another sweep is running on this directory: process {first.pid}" in (
                second.stderr
            )
        assert first.poll() is None
        first.send_signal(signal.SIGTERM)
        _, errors = first.communicate(timeout=60)
    assert "interrupted" in errors and set(states(run).values()) == {"cancelled", "queued"}


@pytest.mark.long
def test_two_workers_of_one_point_and_the_second_waits(tmp_path: Path) -> None:
    """As when a cluster still runs a job of a sweep that was killed."""
    run = tmp_path / "run"
    options = paused(tmp_path, 1500, clocks="20")
    with start(run, *options) as first:
        wait_until(lambda: running(run))
        began = time.monotonic()
        worker = subprocess.run(osgap_command("osgap.points", "0"), cwd=run, timeout=30)
        first.communicate(timeout=60)
    assert first.returncode == 0 and worker.returncode == 0
    assert time.monotonic() - began > 0.5, "nobody waited"
    (only,) = records(run)
    assert only["state"] == "done" and only["attempt"] == 1


@pytest.mark.long
@pytest.mark.parametrize("room", ["100k", "200k", "300k", "400k"])
def test_a_full_disk_costs_the_points_that_had_no_room(tmp_path: Path, room: str) -> None:
    """On a small file system, in a namespace of the test's own: a whole run takes about 500k."""
    options = paused(tmp_path, 20)
    script = (
        f'set -e; mount -t tmpfs -o size={room} none "$1"; shift; "$@" || echo "status $?"; '
        'mount -o remount,size=64m "$MOUNT"; "$@" || exit; '
        'cp -r "$MOUNT/run/points" "$MOUNT/run/records" "$KEEP"'
    )
    mount, keep = tmp_path / "small", tmp_path / "keep"
    mount.mkdir()
    keep.mkdir()
    namespace = ["unshare", "--mount", *(["--user", "--map-root-user"] if os.getuid() else [])]
    if subprocess.run([*namespace, "mount", "-t", "tmpfs", "none", str(mount)]).returncode:
        pytest.skip("this system lets no test mount a file system")
    done = subprocess.run(
        [*namespace, "sh", "-c", script, "sh", str(mount), *command(mount / "run", *options)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "MOUNT": str(mount), "KEEP": str(keep)},
    )
    assert "status 2" in done.stdout, done.stderr
    assert ["points finished" in line for line in sentences(done.stderr)] == [True]
    assert done.returncode == 0, done.stderr
    whole = tmp_path / "run"
    assert sweep(whole, *options).returncode == 0
    assert results(keep) == results(whole)


# What every Python process of a sweep runs first: a wall clock that is off by what a file says.
JUMPING_CLOCK = """
import os, pathlib, time
real, offset = time.time, pathlib.Path(os.environ["TEST_CLOCK_OFFSET"])
time.time = lambda: real() + float(offset.read_text() or 0)
"""


def _python_that_begins_with(code: str, directory: Path) -> Path:
    """A Python of its own, with the packages of this one, which runs `code` first of all.

    Not by PYTHONPATH: no process of a sweep looks there.
    """
    venv.create(directory)
    (site,) = directory.glob("lib/python3*/site-packages")
    packages = sysconfig.get_path("purelib")
    (site / "packages.pth").write_text(f"import site; site.addsitedir({packages!r})\n")
    (site / "sitecustomize.py").write_text(code)
    return directory / "bin" / "python"


@pytest.mark.long
def test_a_clock_that_jumps_changes_nothing(tmp_path: Path) -> None:
    """The wall clock goes back by a month, then forward by ten years, while points run."""
    day = 86400
    run, offset = tmp_path / "run", tmp_path / "offset"
    offset.write_text("0")
    python = _python_that_begins_with(JUMPING_CLOCK, tmp_path / "venv")
    options = paused(tmp_path, 700)
    with subprocess.Popen(
        [str(python), *command(run, *options)[1:]],
        text=True,
        env={**os.environ, "TEST_CLOCK_OFFSET": str(offset)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        for count, jump in ((1, -30 * day), (4, 3650 * day)):
            wait_until(lambda count=count: len(done(run)) >= count)
            offset.write_text(str(jump))
            told = status(run)
            assert told["eta_s"] is None or 0 <= told["eta_s"] < 60
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    costs = [r["total_s"] for r in records(run)]
    assert len(costs) == 7 and all(0.7 <= cost < 10 for cost in costs)
    years = {record["started"][:4] for record in records(run)}
    assert len(years) > 1, "the clock did not jump"
    # Times of files that lie in the future make nothing run again.
    before = {path: path.stat().st_mtime_ns for path in run.glob("points/*/done.json")}
    for path in (run / "plan").iterdir():
        os.utime(path, (4e9, 4e9))
    again = sweep(run, *options)
    assert again.returncode == 0 and "finished before" in again.stdout
    assert {path: path.stat().st_mtime_ns for path in before} == before
    shutil.rmtree(next(iter(before)).parent)
    assert sweep(run, *options).returncode == 0
    assert sum(path.stat().st_mtime_ns == before[path] for path in before) == 6
