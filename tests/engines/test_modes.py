# SPDX-License-Identifier: BSD-3-Clause
"""User, kernel and idle time as the guest's kernel counts them: whole, and the simulator's own."""

import statistics
from collections.abc import Callable

import pytest
from outcomes import regions

from osgap.engines import load
from osgap.engines.contract import Job, Outcome
from osgap.guest import protocol
from osgap.guest.records import ModeTimes, Sample

BENCHMARKS = ("modes_user", "modes_calls", "modes_null", "modes_waits")
RUN = tuple(f"modes/{name}" for name in BENCHMARKS)
# What beginning and reading add to a region, by clock: 47 to 62 us were measured at 20 MHz, on
# both engines, 3 to 15 at 320 MHz, most of it misses after the waits.
READING_NS = {20: 80_000, 320: 20_000}
# Cycles of an entry and exit that count as the user's; 42 or 43 were measured.
CROSSING_CYCLES = 50
Pair = tuple[Sample, ModeTimes]


def pairs(outcome: Outcome) -> dict[str, list[Pair]]:
    """By benchmark, each counted batch but the first, which is cold, with its modes.

    As many batches come before, timed and not counted.
    """
    transcript = protocol.parse(outcome.console)
    counted = {modes.region: modes for modes in transcript.of(ModeTimes)}
    found: dict[str, list[Pair]] = {}
    for name in {sample.benchmark for sample in transcript.samples}:
        own = [sample for sample in transcript.samples if sample.benchmark == name]
        half = len(own) // 2
        assert [sample.region in counted for sample in own] == [False] * half + [True] * half
        found[name] = [(sample, counted[sample.region]) for sample in own[half + 1 :]]
    return found


def whole(modes: ModeTimes) -> int:
    """User, kernel and idle together, ns."""
    return modes.user_ns + modes.kernel_ns + modes.idle_ns


def median_share(own: list[Pair], part: str) -> float:
    """Of all that was counted, the median over the batches."""
    return statistics.median(getattr(modes, part) / whole(modes) for _, modes in own)


@pytest.mark.qemu
def test_the_three_sum_to_the_regions_time(make_job: Callable[..., Job]) -> None:
    # QEMU follows the host's clock: counts large enough that reading is little beside them.
    counts = {"modes_user.count": 5000, "modes_calls.count": 2000, "modes_null.count": 20000}
    outcome = load("qemu").run(make_job("qemu", 20, *RUN, fs=("unix",), sets=counts))
    for name, own in pairs(outcome).items():
        over = [whole(modes) - sample.guest_ns for sample, modes in own]
        assert min(over) >= 0, name
        # A host that is busy elsewhere makes one batch's reading long, not the median's.
        assert statistics.median(over) < 0.05 * min(s.guest_ns for s, _ in own), name
    assert median_share(pairs(outcome)["modes_user"], "user_ns") > 0.9
    assert median_share(pairs(outcome)["modes_calls"], "kernel_ns") > 0.6
    assert median_share(pairs(outcome)["modes_waits"], "idle_ns") > 0.5


@pytest.mark.long
@pytest.mark.rvsim
@pytest.mark.parametrize("clock_mhz", [20, 320])
def test_the_split_is_the_simulators_own(make_job: Callable[..., Job], clock_mhz: int) -> None:
    sets = {f"{name}.batches": 2 for name in BENCHMARKS}
    job = make_job("rvsim", clock_mhz, *RUN, fs=("unix",), sets=sets)
    outcome = load("rvsim").run(job)
    stats, cycle_ns = regions(outcome.stats), 1000 / clock_mhz
    for name, own in pairs(outcome).items():
        for sample, modes in own:
            assert 0 < whole(modes) - sample.guest_ns < READING_NS[clock_mhz]
            counted = (modes.user_ns, modes.kernel_ns, modes.idle_ns)
            apart = [
                (ours - stats[sample.region][f"osgap.cycles.{part}"] * cycle_ns) / sample.guest_ns
                for ours, part in zip(counted, ("user", "kernel", "idle"), strict=True)
            ]
            if name == "modes_null":
                crossing = apart[0] * sample.guest_ns / sample.count / cycle_ns
                assert 0 < crossing < CROSSING_CYCLES
            else:
                assert max(map(abs, apart)) < 0.03, (name, apart)
    shares = [
        median_share(pairs(outcome)[name], part)
        for name, part in (
            ("modes_user", "user_ns"),
            ("modes_calls", "kernel_ns"),
            ("modes_waits", "idle_ns"),
        )
    ]
    assert min(shares) > 0.9


@pytest.mark.usefixtures("real_gem5")
@pytest.mark.gem5
def test_gem5_which_has_no_such_split_gets_one(make_job: Callable[..., Job]) -> None:
    run = ("modes/modes_user", "modes/modes_calls")
    outcome = load("gem5").run(make_job("gem5", 20, *run, fs=("unix",)))
    found, stats = pairs(outcome), regions(outcome.stats)
    for sample, modes in [pair for own in found.values() for pair in own]:
        assert 0 < whole(modes) - sample.guest_ns < READING_NS[20]
        assert "osgap.cycles.user" not in stats[sample.region]
    # A tick may fall into a batch, not into most.
    assert median_share(found["modes_user"], "user_ns") > 0.9
    assert median_share(found["modes_calls"], "kernel_ns") > 0.9
