# SPDX-License-Identifier: BSD-3-Clause
"""The image variant `period`: kernel entry is spent as asked for, a deleted file waits once."""

import statistics
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
from outcomes import regions
from shared import Once

from osgap.base.paths import cache_directory, project_root
from osgap.engines import load
from osgap.engines.contract import Job, Outcome
from osgap.gem5stats import names
from osgap.guest import protocol
from osgap.guest.protocol import Orders
from osgap.guest.records import DiskUse
from osgap.image.files import Image, load_image
from osgap.machines.machine import load_machine
from osgap.machines.system import system

BASE = project_root() / "configs" / "machines" / "base.toml"
EVENTS = ("call", "trap", "switch")
MakePeriodJob = Callable[..., Job]


@pytest.fixture(scope="module")
def make_period_job(once: Once, tmp_path_factory: pytest.TempPathFactory) -> MakePeriodJob:
    """make_period_job(engine, run, entry) gives a ready Job on a variant's image."""

    def make(
        engine: str,
        run: tuple[str, ...],
        entry: Mapping[str, int],
        variant: str = "period",
        fs: str = "sprite",
    ) -> Job:
        image: Image = load_image(once.image(variant))
        resolved = system(load_machine(BASE), 20)
        costs = {f"{event}_instructions": entry.get(event, 0) for event in EVENTS}
        costs |= {f"{event}_stores": 0 for event in EVENTS}
        costs |= {key: value for key, value in entry.items() if key == "one_mapping"}
        disk = {**resolved.disk.model_dump(), **costs}
        orders = Orders(load(engine).marks, run, (fs,), disk)
        scratch: Path = tmp_path_factory.mktemp("scratch")
        job = Job(image, resolved, orders, cache_directory(), scratch, 600)
        load(engine).prepare(image, resolved, job.cache, lambda text: None)
        return job

    return make


def _instructions(outcome: Outcome, name: str) -> float:
    """Median of one operation of a benchmark."""
    stats = regions(outcome.stats)
    samples = [s for s in protocol.parse(outcome.console).samples if s.benchmark == name]
    counts = [names.find(stats[s.region], names.REQUIRED["insts"]) or 0 for s in samples]
    return statistics.median(n / s.count for n, s in zip(counts, samples, strict=True))


@pytest.fixture(scope="module")
def spent(make_period_job: MakePeriodJob) -> Callable[..., tuple[float, float]]:
    """spent(COST=NUMBER, ...) gives the instructions of getpid and of a round trip of cswitch."""
    run = ("ousterhout/getpid", "ousterhout/cswitch")

    def instructions(**entry: int) -> tuple[float, float]:
        outcome = load("rvsim").run(make_period_job("rvsim", run, entry))
        return _instructions(outcome, "getpid"), _instructions(outcome, "cswitch")

    return cache(instructions)


@pytest.mark.rvsim
@pytest.mark.long
def test_a_call_and_a_switch_execute_as_many_instructions_more(spent) -> None:
    """A round trip of cswitch is two switches, two reads and two writes."""
    plain, call, switch = spent(), spent(call=1000), spent(switch=3000)
    assert call[0] - plain[0] == pytest.approx(1000, rel=0.03)
    assert call[1] - plain[1] == pytest.approx(4 * 1000, rel=0.05)
    assert switch[0] - plain[0] == pytest.approx(0, abs=5)
    assert switch[1] - plain[1] == pytest.approx(2 * 3000, rel=0.05)


@pytest.mark.rvsim
@pytest.mark.long
def test_with_one_mapping_a_page_two_processes_fault_at_each_switch(spent) -> None:
    """Parent and child of cswitch execute the same text; getpid's process shares it with none."""
    plain, mapping = spent(), spent(one_mapping=1)
    assert mapping[0] == pytest.approx(plain[0], abs=5)
    assert mapping[1] > plain[1] + 2 * 500


@pytest.mark.qemu
@pytest.mark.long
def test_a_deleted_file_waits_for_one_write_and_andrew_compiles(make_period_job) -> None:
    run = ("ousterhout/create_delete_0", "ousterhout/andrew_copy", "ousterhout/andrew_make")
    transcript = protocol.parse(load("qemu").run(make_period_job("qemu", run, {})).console)
    (used,) = [use for use in transcript.of(DiskUse) if use.benchmark == "create_delete_0"]
    files = sum(s.count for s in transcript.samples if s.benchmark == "create_delete_0")
    assert files <= used.writes <= files + 2
    assert {s.benchmark for s in transcript.samples} == {name.partition("/")[2] for name in run}


@pytest.mark.qemu
@pytest.mark.long
@pytest.mark.parametrize(("variant", "writes"), [("period", 7), ("period-ffs", 4)])
def test_a_file_that_comes_and_goes_waits_for_as_many_writes(
    make_period_job, variant: str, writes: int
) -> None:
    job = make_period_job("qemu", ("ousterhout/create_delete_0",), {}, variant, "unix")
    transcript = protocol.parse(load("qemu").run(job).console)
    (used,) = transcript.of(DiskUse)
    assert used.writes == writes * sum(sample.count for sample in transcript.samples)


@pytest.mark.qemu
def test_another_image_does_not_know_what_entry_costs(make_job, with_orders) -> None:
    job = make_job("qemu", 20, "ousterhout/getpid")
    orders = job.orders
    asked = Orders(orders.marks, orders.run, orders.fs, {**orders.disk, "call_instructions": 5})
    with pytest.raises(Exception, match="unknown-disk-key"):
        load("qemu").run(with_orders(job, asked))
