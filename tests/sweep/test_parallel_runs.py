# SPDX-License-Identifier: BSD-3-Clause
"""Several runs of a sweep at once: no core is idle, and no more points run than may."""

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest
from rich.console import Console
from sweeping import command, done, finished, paused, records, start, sweep, tell, wait_until

from osgap.base.signals import take_end_signals
from osgap.points.slots import held_slot, make_slots
from osgap.sweep import parallel
from osgap.sweep.host import Host, SweepContext
from osgap.sweep.locking import SweepError
from osgap.sweep.parallel import RunWork, run_all
from osgap.sweep.snakemake import Interrupted

MACHINES = ("base", "hohmuth", "smp-1", "smp-2")
_LONG = "import time; time.sleep(60)"


def four(directory: Path, pause_ms: int, clocks: str = "20") -> list[str]:
    """Options of a sweep of four machines, each a run, whose points take `pause_ms` each."""
    return paused(directory, pause_ms, clocks, MACHINES, ("fixed",))


def spans(run: Path) -> list[tuple[float, float]]:
    """Start and end of each point of all runs, in s."""
    found = [one for name in MACHINES for one in records(run / name)]
    starts = [(one["started_monotonic_s"], one["total_s"]) for one in found]
    return sorted((began, began + total) for began, total in starts)


def most_at_once(all_spans: Sequence[tuple[float, float]]) -> int:
    return max(sum(begin <= moment < end for begin, end in all_spans) for moment, _ in all_spans)


def test_runs_of_one_point_use_all_slots_and_no_more(tmp_path: Path) -> None:
    run = tmp_path / "run"
    finished(run, *four(tmp_path, 1500))
    assert most_at_once(spans(run)) == 2


def test_points_of_several_runs_never_exceed_the_slots(tmp_path: Path) -> None:
    run = tmp_path / "run"
    finished(run, *four(tmp_path, 300, "20, 40, 80"))
    assert len(spans(run)) == 12 and most_at_once(spans(run)) == 2
    again = sweep(run, *four(tmp_path, 300, "20, 40, 80"))
    assert again.returncode == 0
    for name in MACHINES:
        assert f"{name}: finished before: 3 points, all" in again.stdout


def test_the_others_go_on_after_a_failure_and_all_are_named(tmp_path: Path) -> None:
    run = tmp_path / "run"
    options = (*four(tmp_path, 10), "--run", "checks,fail")
    told = sweep(run, *options)
    assert told.returncode == 2 and "Traceback" not in told.stderr
    failures = [f"{name}: 0 of 1 point finished, 1 failed" for name in MACHINES]
    places = [told.stderr.index(failure) for failure in failures]
    assert places == sorted(places)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_ends_all_and_resume_goes_on(tmp_path: Path, number: int) -> None:
    run = tmp_path / "run"
    process = start(run, *four(tmp_path, 4000))
    wait_until(lambda: len(_running(run)) == 2)
    family = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2 and "Traceback" not in errors
    assert "interrupted with 4 runs to go; finished points are kept; go on with: " in errors
    assert not [one for one in family if one.is_running() and one.status() != "zombie"]
    told = sweep(run, *four(tmp_path, 4000))
    assert told.returncode == 0, told.stderr
    assert len(spans(run)) == 4


def _running(run: Path) -> list[str]:
    found = [one for name in MACHINES for one in records(run / name)]
    return [one["key"] for one in found if one["state"] == "running"]


def test_resume_runs_several_at_once(tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = start(run, *four(tmp_path, 1500))
    wait_until(lambda: len(_running(run)) == 2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    begun = [name for name in MACHINES if (run / name / "run.json").exists()]
    told = tell("resume", run, "--jobs", "2")
    assert told.returncode == 0, told.stderr
    assert all(len(done(run / name)) == 1 for name in begun)


def test_a_killed_sweep_leaves_no_process(tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = start(run, *four(tmp_path, 20000))
    wait_until(lambda: len(_running(run)) == 2)
    family = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate()
    wait_until(lambda: not [one for one in family if one.is_running() and one.status() != "zombie"])


def _work(run: Path, code: str) -> RunWork:
    context = SweepContext(run, Host(1, run, run), Console())
    return RunWork(context, (), lambda _: exec(code))


def test_a_run_whose_process_is_killed_is_a_failure_and_the_others_end(tmp_path: Path) -> None:
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    works = [
        _work(tmp_path / "a", killed),
        _work(tmp_path / "b", f"open('{tmp_path}/made', 'w').close()"),
    ]
    with pytest.raises(SweepError, match="a: its process ended by SIGKILL"):
        run_all(works, 1, ())
    assert (tmp_path / "made").exists()


def test_an_error_that_is_no_failure_of_a_sweep_ends_all(tmp_path: Path) -> None:
    works = [
        _work(tmp_path / "a", "raise OSError(28, 'No space left on device', 'a file')"),
        _work(tmp_path / "b", "import time; time.sleep(60)"),
    ]
    began, handler = time.monotonic(), signal.getsignal(signal.SIGTERM)
    with pytest.raises(OSError, match="No space left"):
        run_all(works, 2, ())
    assert time.monotonic() - began < 30
    assert signal.getsignal(signal.SIGTERM) == handler


def test_a_run_interrupted_at_its_fork_ends_as_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork, test = os.fork, os.getpid()

    def fork_and_interrupt() -> int:
        if child := fork():
            return child
        os.kill(os.getpid(), signal.SIGTERM)
        return 0

    monkeypatch.setattr(os, "fork", fork_and_interrupt)
    works = [_work(tmp_path / name, _LONG) for name in "ab"]
    handler = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with pytest.raises(Interrupted, match="interrupted with"):
            run_all(works, 2, ())
    finally:
        if os.getpid() != test:
            os._exit(1)  # the child ran on as its parent
        signal.signal(signal.SIGTERM, handler)


def test_a_run_interrupted_as_it_ends_says_so_and_prints_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def end_and_be_interrupted(work: RunWork) -> None:
        take_end_signals()
        work.action(work.context)
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(parallel, "_failure", end_and_be_interrupted)
    handler = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with pytest.raises(Interrupted, match="interrupted with 1 run to go"):
            works = [_work(tmp_path / "a", "pass"), _work(tmp_path / "b", _LONG)]
            run_all(works, 2, ())
    finally:
        signal.signal(signal.SIGTERM, handler)
    assert "Traceback" not in capfd.readouterr().err


def test_several_runs_need_no_standard_error(tmp_path: Path) -> None:
    words = command(tmp_path / "run", *four(tmp_path, 0))
    closed = ["bash", "-c", '"$@" 2>&-', "bash"]
    subprocess.run([*closed, *words], check=True, timeout=120)
    assert all(len(done(tmp_path / "run" / name)) == 1 for name in MACHINES)


def test_a_slot_is_held_by_one_and_free_afterwards(tmp_path: Path) -> None:
    class NoneIsFreeError(Exception):
        pass

    def none_is_free() -> None:
        raise NoneIsFreeError

    make_slots(tmp_path, 2)
    with (
        held_slot(tmp_path),
        held_slot(tmp_path),
        pytest.raises(NoneIsFreeError),
        held_slot(tmp_path, none_is_free),
    ):
        pass
    with held_slot(tmp_path, none_is_free):
        pass
    with held_slot(None, none_is_free):
        pass


def test_a_busy_directory_ends_all(tmp_path: Path) -> None:
    run, options = tmp_path / "run", four(tmp_path, 4000)
    process = start(run / "base", *options, "--machine", "base")
    wait_until(lambda: (run / "base" / ".owner").exists())
    told = sweep(run, *options)
    assert told.returncode == 2
    assert "another sweep is running on this directory" in told.stderr
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
