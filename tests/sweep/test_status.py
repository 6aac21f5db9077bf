# SPDX-License-Identifier: BSD-3-Clause
"""What a sweep says of itself: counts, the time left, the slowest points, and who runs what."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import command, paused, status, sweep, tell

from osgap.points import record
from osgap.points.record import Record, State
from osgap.sweep import host
from osgap.sweep.progress import estimate, survey


def _done(seconds: float, key: str = "a") -> Record:
    return Record(key=key, state=State.DONE, total_s=seconds)


def _queued(count: int) -> list[Record]:
    return [Record(key="q", state=State.QUEUED)] * count


@pytest.mark.long
def test_status_is_live_while_a_sweep_runs(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with subprocess.Popen(
        command(run, *paused(tmp_path, 800)), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        seen = []
        while process.poll() is None:
            if (run / "run.json").exists():
                seen.append(status(run))
                time.sleep(0.1)
        process.communicate()
    assert process.returncode == 0
    seen.append(status(run))
    done = [s["counts"]["done"] for s in seen]
    assert done == sorted(done) and done[-1] == 7 and len(set(done)) >= 3
    assert all(sum(s["counts"].values()) == 7 for s in seen)
    assert any(s["counts"]["running"] == 2 for s in seen) and seen[-1]["eta_s"] == 0
    (one, *_) = [p for s in seen for p in s["points"] if p["state"] == "running"]
    assert one["host"] and one["pid"] > 1 and one["started"] and one["running_s"] >= 0
    assert one["log"] == f"logs/{one['key']}.log" and one["attempt"] == 1
    costs = {p["key"]: p["total_s"] for p in seen[-1]["points"]}
    slowest = [costs[key] for key in seen[-1]["slowest"]]
    assert slowest == sorted(costs.values(), reverse=True)[:5] and slowest[0] >= 0.8
    assert [p["peak_mib"] > 10 for p in seen[-1]["points"]] == [True] * 7


@pytest.mark.slow
def test_status_for_people_names_what_failed_and_why(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    assert sweep(runs / "good", "--cpu-mhz", "20,40").returncode == 0
    assert sweep(runs / "bad", "--cpu-mhz", "20", "--run", "checks,panic").returncode == 2
    told = tell("status", runs)
    assert told.returncode == 0, told.stderr
    assert "good: 2 points: 2 done" in told.stdout and "bad: 1 point: 1 guest-panic" in told.stdout
    assert "Kernel panic" in told.stdout and "logs/20mhz-" in told.stdout
    listed = json.loads(tell("status", runs, "--json").stdout)
    assert [one["run"].rpartition("/")[2] for one in listed] == ["bad", "good"]


@pytest.mark.slow
def test_what_was_finished_before_status_existed_is_done(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert sweep(run, "--cpu-mhz", "20").returncode == 0
    for path in (run / "records").iterdir():
        path.unlink()
    assert status(run)["counts"]["done"] == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"key": "x", "state": "bored"}'])
def test_a_record_cut_short_is_that_of_a_queued_point(tmp_path: Path, text: str) -> None:
    path = record.path(tmp_path, "x")
    path.parent.mkdir()
    path.write_text(text)
    assert record.current(tmp_path, "x").state is State.QUEUED


def test_a_worker_that_is_gone_does_not_run(tmp_path: Path) -> None:
    mine = record.begin("x", 1, "")
    record.write(tmp_path, mine)
    assert record.current(tmp_path, "x").state is State.RUNNING
    gone = mine.model_copy(update={"pid_ticks": "1"})
    record.write(tmp_path, gone)
    lost = record.current(tmp_path, "x")
    assert lost.state is State.CANCELLED and "ended without a record" in lost.line


@pytest.mark.parametrize(
    "elsewhere", [{"boot": "another"}, {"space": "pid:[1]"}, {"space": "", "host": "older osgap"}]
)
def test_a_worker_that_cannot_be_seen_runs_until_it_is_silent(
    tmp_path: Path, elsewhere: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the file server's clock: this host's may be hours off."""
    worker = record.begin("x", 1, "").model_copy(update={"host": "node17", **elsewhere})
    record.write(tmp_path, worker)
    real = time.time
    for skew in (0, 4000, -4000):
        monkeypatch.setattr(time, "time", lambda skew=skew: real() + skew)
        assert record.current(tmp_path, "x").state is State.RUNNING
    monkeypatch.undo()
    os.utime(record.path(tmp_path, "x"), (time.time() - 600, time.time() - 600))
    silent = record.current(tmp_path, "x")
    assert silent.state is State.CANCELLED
    assert f" on {worker.host}" in silent.line and "not been heard of for 600 s" in silent.line


def test_the_time_left() -> None:
    assert estimate(_queued(4)) is None
    assert estimate([_done(10), *_queued(4)]) is None, "nobody works"
    assert estimate([_done(10)]) == 0
    assert estimate([_done(10), *_queued(4)], 1) == 40
    assert estimate([_done(10), *_queued(4)], 2) == 20
    assert estimate([_done(10), *_queued(5)], 2) == 30
    assert estimate([_done(8), _done(12), *_queued(3)], 100) == 10


def test_the_time_left_of_a_point_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    running = Record(key="r", state=State.RUNNING)
    monkeypatch.setattr(record, "running_s", lambda _: 4.0)
    assert estimate([_done(10), running], 1) == 6
    assert estimate([_done(10), running, *_queued(1)], 1) == 16
    assert estimate([_done(10), running, running, *_queued(1)], 2) == 16
    assert estimate([_done(2), running], 1) == pytest.approx(0.4)


@given(
    costs=st.lists(st.floats(0.01, 1e5), min_size=1, max_size=30),
    queued=st.integers(0, 500),
    slots=st.integers(1, 64),
)
def test_the_time_left_is_that_of_even_work(costs: list[float], queued: int, slots: int) -> None:
    mean = sum(costs) / len(costs)
    left = estimate([*map(_done, costs), *_queued(queued)], slots)
    assert left == pytest.approx(-(-queued // slots) * mean)


@pytest.mark.slow
def test_a_survey_looks_at_finished_points_once(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert sweep(run, "--cpu-mhz", "20,40").returncode == 0
    keys = [path.stem for path in (run / "records").iterdir()]
    first = survey(run, keys)
    for path in (run / "records").iterdir():
        path.unlink()
    assert survey(run, keys, before=first) == first


def test_workers_are_chosen_from_cores_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "cores", lambda: 64)
    monkeypatch.setattr(host, "free_mib", lambda: 16384)
    assert host.workers(1024) == 16 and host.workers(128) == 64 and host.workers(10**6) == 1


def test_a_cgroups_limits_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """How they are read: tests/base/test_cgroups.py."""
    monkeypatch.setattr(host.cgroups, "cpu_quota", lambda: None)
    cores, free = host.cores(), host.free_mib()
    monkeypatch.setattr(host.cgroups, "cpu_quota", lambda: 1.5)
    monkeypatch.setattr(host.cgroups, "free_memory", lambda: 400 << 20)
    assert host.cores() == 1 <= cores and host.free_mib() == 400 < free
    monkeypatch.setattr(host.cgroups, "cpu_quota", lambda: cores + 1.0)
    assert host.cores() == cores
