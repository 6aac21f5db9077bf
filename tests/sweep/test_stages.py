# SPDX-License-Identifier: BSD-3-Clause
"""What a sweep says while it runs without a terminal, and which points it starts first."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from stderr import sentences, stages
from sweeping import records, sweep, tell

from osgap.base.paths import project_root
from osgap.machines.machine import load_machine
from osgap.machines.system import system
from osgap.points.planned import make_spec
from osgap.points.record import Record, State
from osgap.rundir.point import Axes, OrdersRecord
from osgap.sweep.jobs import longest_first
from osgap.sweep.progress import Progress
from osgap.sweep.status import Bar, point_line

MACHINES = project_root() / "configs" / "machines"
ENDED = re.compile(
    r"run: (\d+mhz-\w+) (\S+) after (\d+) s; (\d) of 5 points finished, (\d) running(, .* left)?"
)


@pytest.mark.long
def test_every_point_that_ends_is_a_line_on_standard_error(tmp_path: Path) -> None:
    run = tmp_path / "run"
    axes = ("--cpu-mhz", "20,40,80", "--memory", "fixed,scaled", "--jobs", "1")
    done = sweep(run, *axes)
    assert done.returncode == 0 and done.stdout.split() == ["finished:", str(run)]
    booting, begun, *lines = stages(done.stderr)
    assert (booting, begun) == ("fake: booting", "run: 5 of 5 points to run, 1 at a time")
    ended = [ENDED.fullmatch(line) for line in lines]
    assert all(ended) and sentences(done.stderr) == []
    assert sorted(found[1] for found in ended) == sorted(r["key"] for r in records(run))
    assert {found[2] for found in ended} == {"done"} and ended[-1].groups()[3:] == ("5", "0", None)
    again = sweep(run, *axes)
    assert stages(again.stderr) == [] and "finished before" in again.stdout


@pytest.mark.long
def test_a_failed_point_is_told_at_once_and_those_done_before_are_not(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert sweep(run, "--cpu-mhz", "20").returncode == 0
    # The fake engine fails at the one benchmark, at each clock.
    failed = sweep(run, "--cpu-mhz", "20,40", "--run", "checks,panic")
    lines = stages(failed.stderr)
    assert lines[0] == "run: 2 of 2 points to run, 2 at a time"
    assert sorted(line.split()[2] for line in lines[1:]) == ["guest-panic", "guest-panic"]
    assert len(sentences(failed.stderr)) == 1
    retried = stages(tell("retry", run, "--failed").stderr)
    assert [line.split()[2] for line in retried[1:]] == ["guest-panic", "guest-panic"]


def test_a_line_says_how_long_the_rest_will_take(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "quick"
    done = Record(key="a", state=State.DONE, total_s=250.4, attempt=1)
    running = Record(key="b", state=State.RUNNING, attempt=1)
    progress = Progress(run, (done, running), 130.0)
    assert point_line(done, progress) == (
        "quick: a done after 4 min; 1 of 2 points finished, 1 running, 2 min left"
    )
    before = Progress(run, (Record(key="a", state=State.RUNNING, attempt=1), running), None)
    with Bar(before) as bar:
        bar.show(before)
        bar.show(progress)
        bar.show(progress)
    assert len(stages(capsys.readouterr().err)) == 1


def test_what_takes_longest_to_simulate_begins_first() -> None:
    machine = load_machine(MACHINES / "base.toml")
    orders = OrdersRecord(run=("x",), fs=("unix",), seed=0)
    cases = [(20, "fixed"), (640, "scaled"), (160, "fixed"), (640, "fixed"), (160, "scaled")]
    specs = [
        make_spec(
            _Engine(),
            _Image(),
            "base",
            Axes(clock_mhz=clock, memory=memory, disk="fixed", seed=0),
            system(machine, clock, memory),
            orders,
            60,
        )
        for clock, memory in cases
    ]
    ordered = [(spec.axes.clock_mhz, spec.axes.memory) for spec in longest_first(specs)]
    # Scaled memory takes as many cycles at any clock: those stay in their order.
    assert ordered == [
        (640, "fixed"),
        (160, "fixed"),
        (20, "fixed"),
        (640, "scaled"),
        (160, "scaled"),
    ]


class _Engine:
    name = "fake"

    def version(self) -> str:
        return "1"


class _Image:
    digest = "none"


def test_what_each_point_starts_imports_no_tables() -> None:
    """A worker is started for each point: pandas would take longer than a short one itself."""
    code = (
        "import sys; import osgap.points.__main__;"
        "print(*sorted({'pandas', 'scipy', 'matplotlib', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=project_root(), timeout=60
    )
    assert done.returncode == 0 and done.stdout.strip() == "", done.stderr or done.stdout
