# SPDX-License-Identifier: BSD-3-Clause
"""Each fault is injected for real; what was finished stays, and the rest follows."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sweeping import SWEEP, command, listening, paused, states, status, sweep, tell

from osgap import checkpoints
from osgap.engines.base import EngineError, load_image
from osgap.faults import VICTIMS, kill_rounds, results

ROUNDS = 20


@pytest.mark.slow
def test_killed_outright_at_random_moments_nothing_is_lost_or_wrong(tmp_path: Path) -> None:
    options = paused(tmp_path, 300)
    rounds = list(kill_rounds(lambda run: command(run, *options), tmp_path, ROUNDS, seed=1990))
    assert [r.victim for r in rounds] == [VICTIMS[n % len(VICTIMS)] for n in range(ROUNDS)]
    assert [r for r in rounds if r.lost or r.left or not r.same] == []


def _start(run: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(run, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=listening,
    )  # fmt: skip


def _wait_until(condition, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def _done(run: Path) -> list[str]:
    return [path.parent.name for path in (run / "points").glob("[!.]*/done.json")]


def test_a_worker_that_waits_runs_the_point_when_the_first_one_fails(tmp_path: Path) -> None:
    run = tmp_path / "run"
    options = paused(tmp_path, 2500, clocks="20")
    with _start(run, *options) as sweeping:
        _wait_until(lambda: _running(run))
        sweeping.kill()
        sweeping.communicate()
    _wait_until(lambda: states(run).popitem()[1] == "cancelled")
    environment = {**os.environ, "PYTHONPATH": str(SWEEP.parents[1])}
    with subprocess.Popen(
        [sys.executable, "-m", "osgap.points", "0"], cwd=run, env=environment
    ) as orphan:
        _wait_until(lambda: _running(run))
        with _start(run, *options) as second:
            _wait_until(lambda: (run / ".jobs" / "jobs.json").exists() and second.poll() is None)
            time.sleep(1.5)
            orphan.terminate()
            _, errors = second.communicate(timeout=60)
    assert second.returncode == 0, errors
    assert set(states(run).values()) == {"done"}


def test_an_interrupted_retry_says_what_goes_on_with_all_of_it(tmp_path: Path) -> None:
    run = tmp_path / "run"
    axes = ("--cpu-mhz", "20,40,80", "--run", "checks,hang", "--jobs", "1")
    assert sweep(run, *axes).returncode == 2
    for path in (run / "plan").iterdir():
        plan = json.loads(path.read_text())
        plan["orders"]["sets"] = {"pause_ms": 1500}
        path.write_text(json.dumps(plan))
    with subprocess.Popen(
        [sys.executable, str(SWEEP), "retry", str(run), "--failed", "timed-out", "--jobs", "1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listening,
    ) as process:  # fmt: skip
        _wait_until(lambda: _running(run))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    again = shlex.split(errors.partition("go on with: ")[2])
    assert again == [sys.executable, str(SWEEP), "resume", str(run)]
    subprocess.run(again, capture_output=True, timeout=60)
    assert set(states(run).values()) == {"timed-out"}


def test_one_failing_machine_does_not_stop_the_others(tmp_path: Path) -> None:
    run = tmp_path / "run"
    told = sweep(run, "--machine", "base,validation/tlb8", "--run", "checks,panic")
    assert told.returncode == 2 and len(told.stderr.strip().splitlines()) == 1
    assert told.stderr.count("guest-panic") == 2
    assert list(states(run / "tlb8").values()) == ["guest-panic"]
    again = tell("retry", run, "--failed")
    assert again.returncode == 2 and again.stderr.count("guest-panic") == 2


def test_a_users_own_snakemake_profile_is_left_alone(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    (profile / "config.yaml").write_text("dry-run: true\n")
    told = sweep(tmp_path / "run", "--cpu-mhz", "20", SNAKEMAKE_PROFILE=str(profile))
    assert told.returncode == 0, told.stderr


def _nothing_half_done(run: Path) -> None:
    assert not list((run / "points").glob(".*")) and not list(run.rglob("*.partial"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_sweep_finishes_cleanly_and_says_how_to_go_on(
    tmp_path: Path, number: signal.Signals
) -> None:
    run = tmp_path / "run"
    options = paused(tmp_path, 700)
    with _start(run, *options) as process:
        _wait_until(lambda: len(_done(run)) >= 2 and _running(run))
        began = time.monotonic()
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
    assert time.monotonic() - began < 5
    assert process.returncode == 2 and len(errors.strip().splitlines()) == 1
    assert "interrupted" in errors and "are finished and kept" in errors
    assert "--sweep" in errors.partition("go on with:")[2]
    _nothing_half_done(run)
    told = states(run)
    assert "running" not in told.values() and "cancelled" in told.values()
    before = results(run)
    again = tell("resume", run)
    assert again.returncode == 0, again.stderr
    after = results(run)
    assert set(states(run).values()) == {"done"} and before.items() <= after.items()


def test_two_sweeps_on_one_directory_and_the_second_is_refused(tmp_path: Path) -> None:
    run = tmp_path / "run"
    options = paused(tmp_path, 500)
    with _start(run, *options) as first:
        _wait_until(lambda: bool(_done(run)))
        for second in (sweep(run, *options), tell("resume", run), tell("retry", run, "--failed")):
            assert second.returncode == 2
            assert f"another sweep is running on this directory: process {first.pid}" in (
                second.stderr
            )
        _, errors = first.communicate(timeout=60)
    assert first.returncode == 0, errors


def test_two_workers_of_one_point_and_the_second_waits(tmp_path: Path) -> None:
    """As when a cluster still runs a job of a sweep that was killed."""
    run = tmp_path / "run"
    options = paused(tmp_path, 1500, clocks="20")
    with _start(run, *options) as first:
        _wait_until(lambda: _running(run))
        began = time.monotonic()
        worker = subprocess.run(
            [sys.executable, "-m", "osgap.points", "0"], cwd=run, timeout=30,
            env={**os.environ, "PYTHONPATH": str(SWEEP.parents[1])},
        )  # fmt: skip
        first.communicate(timeout=60)
    assert first.returncode == 0 and worker.returncode == 0
    assert time.monotonic() - began > 0.5, "nobody waited"
    (only,) = _records(run)
    assert only["state"] == "done" and only["attempt"] == 1


def _running(run: Path) -> bool:
    running = {record["key"] for record in _records(run) if record["state"] == "running"}
    return bool(running - set(_done(run)))


def _records(run: Path) -> list[dict]:
    return [json.loads(path.read_text()) for path in (run / "records").glob("*.json")]


@pytest.mark.parametrize(
    ("benchmark", "options", "state", "line"),
    [
        ("deaf", ("--timeout", "1"), "timed-out", "the simulator did not answer for 11 s"),
        ("eat", ("--memory-limit", "150"), "out-of-memory", "its limit is 150 MiB"),
        ("abort", (), "out-of-memory", "memory allocation of 17179869184 bytes failed"),
        ("crash", (), "simulator-error", "the simulator ended by SIGKILL"),
        ("defect", (), "simulator-error", "RuntimeError: asked for"),
        ("panic", (), "guest-panic", "Kernel panic"),
        ("fail", (), "guest-error", "asked-for"),
    ],
)
def test_a_point_that_fails_says_which_way_and_only_it_runs_again(
    tmp_path: Path, benchmark: str, options: tuple[str, ...], state: str, line: str
) -> None:
    run = tmp_path / "run"
    good = sweep(run, "--cpu-mhz", "20")
    assert good.returncode == 0, good.stderr
    failed = sweep(run, "--cpu-mhz", "40", "--run", f"checks,{benchmark}", *options)
    assert failed.returncode == 2 and f"{state}: " in failed.stderr and line in failed.stderr
    (record,) = [r for r in _records(run) if r["state"] != "done"]
    assert record["state"] == state and line in record["line"] and record["attempt"] == 1
    assert (run / record["log"]).is_file()
    _nothing_half_done(run)
    other = "guest-panic" if state != "guest-panic" else "timed-out"
    none = tell("retry", run, "--failed", other)
    assert none.returncode == 0 and f"none of its 1 points is {other}" in none.stdout
    if benchmark == "deaf":
        return  # 11 s once is enough
    assert tell("retry", run, "--failed").returncode == 2
    (record,) = [r for r in _records(run) if r["state"] != "done"]
    assert record["state"] == state and record["attempt"] == 2


@pytest.mark.rvsim
@pytest.mark.parametrize(
    ("lines", "options", "state"),
    [
        ("sets = { 'getpid.count' = 900000000 }", ("--timeout", "3"), "timed-out"),
        ("", ("--memory-limit", "100"), "out-of-memory"),
        ("", ("--run", "ousterhout/none"), "guest-error"),
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
    (record,) = _records(run)
    assert record["state"] == state and record["total_s"] < 30
    _nothing_half_done(run)


def test_a_memory_limit_is_kept_and_not_far_off(tmp_path: Path) -> None:
    run = tmp_path / "run"
    sweep(run, "--cpu-mhz", "20", "--run", "eat", "--memory-limit", "200")
    (record,) = _records(run)
    # It takes 8 MiB every 50 ms, and is looked at every 200 ms.
    assert 200 < record["peak_mib"] < 400
    again = tell("retry", run, "--failed", "out-of-memory", "--memory-limit", "400")
    assert again.returncode == 2 and "its limit is 400 MiB" in again.stderr
    (record,) = _records(run)
    assert 400 < record["peak_mib"] < 600


def test_a_wrong_class_or_limit_is_one_sentence(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert sweep(run, "--cpu-mhz", "20").returncode == 0
    for arguments, words in (
        (("--failed", "bored"), "allowed: timed-out"),
        (("--failed", "--memory-limit", "1"), "memory_limit_mib"),
        (("--failed", "--jobs", "0"), "--jobs: found 0"),
        (("--failed", "--points-per-job", "2"), "found without --profile"),
        (("--failed", "--profile", "slurm", "--jobs", "2"), "found beside --profile"),
        (("--failed", "--profile", "moon"), "allowed: slurm"),
    ):
        told = tell("retry", run, *arguments)
        assert told.returncode == 2 and words in told.stderr
        assert len(told.stderr.strip().splitlines()) == 1
    assert "no run.json" in tell("status", tmp_path / "cache").stderr


DAMAGES = ("truncated", "flipped", "gone")


def test_damaged_results_are_named_and_made_again(tmp_path: Path) -> None:
    run = tmp_path / "run"
    axes = ("--cpu-mhz", "20,30,40,50,60,70,80,90,100")
    assert sweep(run, *axes).returncode == 0
    before = results(run)
    kinds = [(name, how) for name in ("stats.txt", "samples.csv", "done.json") for how in DAMAGES]
    damaged = dict(zip(sorted(states(run)), kinds, strict=True))
    for key, (name, how) in damaged.items():
        _damage(run / "points" / key / name, how)
    again = sweep(run, *axes)
    assert again.returncode == 0, again.stderr
    assert results(run) == before
    told = [line for line in again.stdout.splitlines() if "the point runs again" in line]
    # Without done.json a point is one that was never finished.
    assert len(told) == len(kinds) - 1
    for key, kind in damaged.items():
        if kind != ("done.json", "gone"):
            assert any(str(run / "points" / key) in line for line in told)
            assert (run / "damaged" / f"{key}.1").is_dir()


def _damage(path: Path, damage: str) -> None:
    """One fault of a file: cut in the middle, one bit of it turned, or gone."""
    whole = path.read_bytes()
    if damage == "gone":
        path.unlink()
    elif damage == "truncated":
        path.write_bytes(whole[: len(whole) // 2])
    else:
        middle = len(whole) // 2
        path.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["state", "sha256.json"])
def test_a_damaged_checkpoint_is_made_again(tmp_path: Path, name: str, damage: str) -> None:
    target, said = checkpoints.directory(tmp_path, "engine-key"), []

    def make(made: Path) -> None:
        (made / "state").write_bytes(b"a machine that is ready\n")

    def ensure() -> str:
        return checkpoints.ensure(target, make, said.append, "booting")

    digest = ensure()
    assert ensure() == digest and said == ["booting"]
    _damage(target / name, damage)
    assert ensure() == digest
    assert said[1].startswith(str(target)) and said[1].endswith("it is made again")
    assert ensure() == digest and len(said) == 3


def test_a_sweep_makes_a_damaged_checkpoint_again(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert sweep(run, "--cpu-mhz", "20").returncode == 0
    before = results(run)
    (file,) = (tmp_path / "cache" / "checkpoints").glob("fake-*/memory")
    whole = file.read_bytes()
    _damage(file, "flipped")
    shutil.rmtree(run)
    again = sweep(run, "--cpu-mhz", "20")
    assert again.returncode == 0 and "it is made again" in again.stdout
    assert file.read_bytes() == whole and results(run) == before


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        *((name, how) for name in ("Image", "vmlinux", "fw_jump.bin") for how in DAMAGES[:2]),
        ("image.json", "truncated"),
    ],
)
def test_a_damaged_image_is_refused_by_name(tmp_path: Path, name: str, damage: str) -> None:
    image = tmp_path / "image"
    shutil.copytree(SWEEP.parents[1] / "build" / "image", image)
    load_image(image)
    _damage(image / name, damage)
    with pytest.raises(EngineError, match=r"remove it and build it with: scons image"):
        load_image(image)
    if name == "Image" and damage == "flipped":
        told = sweep(tmp_path / "run", "--engine", "rvsim", "--image", str(image))
        assert told.returncode == 2 and str(image / name) in told.stderr
        assert len(told.stderr.strip().splitlines()) == 1


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
        capture_output=True, text=True, timeout=120,
        env={**os.environ, "MOUNT": str(mount), "KEEP": str(keep)},
    )  # fmt: skip
    assert "status 2" in done.stdout, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1 and "points finished" in done.stderr
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


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path) -> None:
    """The wall clock goes back by a month, then forward by ten years, while points run."""
    day = 86400
    run, offset, site = tmp_path / "run", tmp_path / "offset", tmp_path / "site"
    offset.write_text("0")
    site.mkdir()
    (site / "sitecustomize.py").write_text(JUMPING_CLOCK)
    environment = {
        **os.environ, "PYTHONPATH": str(site), "TEST_CLOCK_OFFSET": str(offset),
    }  # fmt: skip
    options = paused(tmp_path, 700)
    with subprocess.Popen(
        command(run, *options), env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        for done, jump in ((1, -30 * day), (4, 3650 * day)):
            _wait_until(lambda done=done: len(_done(run)) >= done)
            offset.write_text(str(jump))
            told = status(run)
            assert told["eta_s"] is None or 0 <= told["eta_s"] < 60
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    costs = [r["total_s"] for r in _records(run)]
    assert len(costs) == 7 and all(0.7 <= cost < 10 for cost in costs)
    years = {record["started"][:4] for record in _records(run)}
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
