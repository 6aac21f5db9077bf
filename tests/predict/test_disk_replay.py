# SPDX-License-Identifier: BSD-3-Clause
"""A benchmark's requests, told one by one and replayed on other disks."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.base.paths import project_root
from osgap.machines.machine import load_machine
from osgap.machines.system import DiskSystem, system
from osgap.predict.busy_time import CycleCounts, MemoryPosition
from osgap.predict.disk_replay import DiskMechanism, Step, script
from osgap.predict.disk_wait import disk_wait
from osgap.predict.observations import Measurement
from osgap.rundir.load import load_run

LOCKED = project_root() / "results" / "locked"
DISK = system(load_machine(project_root() / "configs" / "machines" / "base.toml")).disk
TURN_NS = DISK.rotation_ns
Work = list[tuple[int, int]]


def _faster(by: int) -> DiskSystem:
    times = {name: value // by for name, value in DISK.model_dump().items() if name.endswith("_ns")}
    return DISK.model_copy(update=times)


def _told(disk: DiskSystem, work: Work, busy: float = 1.0, begin_ns: int = 0) -> pd.DataFrame:
    """Writes that are waited for one by one: after so many ns of work, to this sector."""
    mechanism, now, rows = DiskMechanism(disk), begin_ns, []
    for think_ns, sector in work:
        now += round(think_ns * busy)
        done = mechanism.complete_ns(now, sector, 8, is_write=True)
        rows.append((now, done, sector, 8, 1))
        now = done
    return pd.DataFrame(rows, columns=["issue_ns", "done_ns", "sector", "sectors", "write"])


def _waited(told: pd.DataFrame) -> int:
    return int((told["done_ns"] - told["issue_ns"]).sum())


@pytest.mark.slow
@pytest.mark.parametrize(
    "run", [str(path.name) for path in sorted((LOCKED / "prediction/disk-requests").iterdir())]
)
def test_the_guests_disk_did_what_the_model_says(run: str) -> None:
    """Each request of the committed runs, completed by the driver in the guest."""
    points = load_run(LOCKED / "prediction/disk-requests" / run).points
    told = 0
    for point in points.values():
        disk = point.record.resolved.disk
        for _, own in point.requests.groupby(["benchmark", "fs"], sort=False):
            first = int(own["sector"].iloc[0]) // (disk.sectors_per_track * disk.heads)
            mechanism = DiskMechanism(disk, first)
            for row in own.to_dict("records"):
                issued, *where = (int(row[name]) for name in ("issue_ns", "sector", "sectors"))
                done = mechanism.complete_ns(issued, *where, is_write=bool(row["write"]))
                assert done == row["done_ns"]
                told += 1
        counted = point.disk.set_index(["benchmark", "fs"])[["reads", "writes"]].sum(axis=1)
        assert point.requests.groupby(["benchmark", "fs"]).size().to_dict() == {
            place: number for place, number in counted.items() if number
        }
    assert told > 300 * len(points) > 0


WORK: Work = [(0, 0), *[(600_000, 8 * (1 + number % 5)) for number in range(60)]]


def test_what_is_waited_for_follows_the_request_before() -> None:
    log = script(_told(DISK, WORK))
    assert log is not None
    assert log.steps[0] == Step(0, 0, 0, 8, True)
    assert log.steps[1] == Step(0, 600_000, 8, 8, True)
    assert [step.follows for step in log.steps[1:]] == list(range(60))
    assert log.waited_ns == _waited(_told(DISK, WORK))


def test_what_is_not_waited_for_follows_its_issue() -> None:
    rows = [(0, 9_000, 0, 8, 1), (1_000, 18_000, 8, 8, 1), (20_000, 30_000, 16, 8, 0)]
    log = script(pd.DataFrame(rows, columns=["issue_ns", "done_ns", "sector", "sectors", "write"]))
    assert log is not None
    # The second's number is its own: it came 1 us after the first was issued.
    assert [(step.follows, step.think_ns) for step in log.steps] == [(0, 0), (1, 1000), (1, 2000)]
    assert log.waited_ns == 30_000 - 3_000


def test_no_requests_are_no_script() -> None:
    assert script(_told(DISK, [])) is None


@pytest.mark.parametrize("by", [1, 5, 32])
@pytest.mark.parametrize("busy", [1.0, 0.1, 4.0])
def test_a_replay_is_what_the_disk_would_have_done(by: int, busy: float) -> None:
    """Also where a turn is missed, which no scaling of waits tells: at most the first wait and
    what 5 % of the work does are left open."""
    log = script(_told(DISK, WORK))
    assert log is not None
    disk = _faster(by)
    mean, sd = log.relative_time(disk, busy)
    whole = log.waited_ns + log.worked_ns
    truth = _waited(_told(disk, WORK, busy)) + busy * log.worked_ns
    assert abs(mean * whole - truth) <= disk.rotation_ns + 2 * sd * whole


def test_scaled_waits_miss_the_turn_that_a_replay_sees() -> None:
    """Writes 300 us apart: of five sectors in turn one is just missed on a disk of 520 us."""
    work = [(think_ns // 2, sector) for think_ns, sector in WORK]
    disk, told = _faster(32), _told(DISK, work)
    log = script(told)
    assert log is not None
    truth = _waited(_told(disk, work)) + log.worked_ns
    scaled = _waited(told) / 32 + log.worked_ns
    replayed = log.relative_time(disk, 1)[0] * (log.waited_ns + log.worked_ns)
    assert abs(scaled / truth - 1) > 0.1 > abs(replayed / truth - 1)


@given(st.lists(st.tuples(st.integers(0, 10**8), st.integers(0, 10**5)), min_size=1, max_size=9))
def test_any_requests_wait_for_no_longer_than_the_disk_can_make_them(work: Work) -> None:
    log = script(_told(DISK, work))
    assert log is not None
    mean, sd = log.relative_time(DISK, 1.0)
    most = len(work) * (DISK.overhead_ns + DISK.seek_full_ns + 2 * TURN_NS)
    waits = mean * (log.waited_ns + log.worked_ns) - log.worked_ns
    assert 0 < waits <= most and sd * (log.waited_ns + log.worked_ns) <= most


def test_work_outside_of_the_requests_is_work() -> None:
    told = _told(DISK, WORK)
    span = int(told["done_ns"].max() - told["issue_ns"].min())
    apart, timed = script(told), script(told, span + 5_000_000)
    assert apart is not None and timed is not None
    assert timed.worked_ns == apart.worked_ns + 5_000_000
    assert timed.waited_ns == apart.waited_ns == span - apart.worked_ns


def test_an_operation_with_requests_waits_as_its_replay_does() -> None:
    told = _told(DISK, WORK)
    log, count = script(told), 10
    assert log is not None
    busy_ns, idle_ns = log.worked_ns / count, log.waited_ns / count
    counts = CycleCounts(MemoryPosition(4, 1), busy_ns, 0, 0)
    measurement = Measurement(counts, busy_ns + idle_ns, idle_ns, 1, TURN_NS, script=log)
    disk = _faster(32)
    mean, sd = log.relative_time(disk, 2.0)
    time = disk_wait([measurement]).operation_time(2 * busy_ns, disk)
    assert time.ns == pytest.approx(mean * measurement.total_ns)
    assert time.sd_ns == pytest.approx(sd * measurement.total_ns)


def test_synchronous_writes_keep_whole_turns() -> None:
    """As long as the processor does not miss one."""
    work = [(600_000, 8 * (1 + number % 2)) for number in range(40)]
    log = script(_told(DISK, work))
    assert log is not None
    assert log.relative_time(DISK, 2.0)[0] == pytest.approx(1, abs=0.02)
    assert log.relative_time(_faster(4), 1.0)[0] == pytest.approx(1 / 4, rel=0.02)
