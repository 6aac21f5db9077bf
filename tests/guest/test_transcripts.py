# SPDX-License-Identifier: BSD-3-Clause
"""Whole transcripts: what keeps the protocol is accepted, what is accepted can be analysed."""

import json
from pathlib import Path

import consoles
import numpy as np
import pandas as pd
import pytest
from examples import examples
from hypothesis import HealthCheck, example, given, settings
from synthetic import complete

from osgap.base.errors import OsgapError
from osgap.engines.contract import Outcome, stats_text
from osgap.guest import protocol
from osgap.guest.protocol import GuestError
from osgap.guest.records import DiskRequest, Sample
from osgap.rundir.load import load_run
from osgap.rundir.point import Spec
from osgap.rundir.pointfiles import write_done, write_point
from osgap.suites import analyze

READY = "@osgap ready protocol=2"
TIMES = "seek_ns=1 rotation_ns=2 transfer_ns=3 overhead_ns=4 queue_ns=5"
GOOD = [
    READY,
    "@osgap bench name=getpid fs=none metric=us bytes=0 count=400 batches=2",
    "@osgap sample region=0 name=getpid fs=none batch=0 ns=913 irqs=4",
    "@osgap sample region=1 name=getpid fs=none batch=1 ns=912 irqs=0",
    "@osgap bench name=read fs=unix metric=MB/s bytes=4096 count=4 batches=1",
    "@osgap sample region=2 name=read fs=unix batch=0 ns=5 irqs=0",
    "@osgap modes region=2 user_ns=1 kernel_ns=4 idle_ns=2",
    "@osgap counter region=2 name=wait_ns value=700",
    f"@osgap disk name=read fs=unix reads=0 writes=0 sectors=0 {TIMES}",
    "@osgap end status=ok regions=3",
]
NUMBERS = {
    "bench": {"bytes": (0, 10**9), "count": (1, 10**9), "batches": (1, 128)},
    "sample": {"ns": (1, 10**15 - 1), "irqs": (0, 10**15 - 1)},
    "modes": dict.fromkeys(("user_ns", "kernel_ns", "idle_ns"), (0, 10**15 - 1)),
    "counter": {"value": (0, 10**15 - 1)},
    "disk": dict.fromkeys(("reads", "sectors", "queue_ns"), (0, 10**15 - 1)),
}
KEYS = [(verb, key) for verb, keys in NUMBERS.items() for key in keys]


def changed(verb: str, key: str, value: object) -> list[str]:
    """GOOD, with another value of the first such key."""
    (at, *_) = (at for at, line in enumerate(GOOD) if line.startswith(f"@osgap {verb} "))
    words = [f"{key}={value}" if w.startswith(f"{key}=") else w for w in GOOD[at].split(" ")]
    assert words != GOOD[at].split(" ") or f"{key}={value}" in GOOD[at]
    return [*GOOD[:at], " ".join(words), *GOOD[at + 1 :]]


@pytest.mark.parametrize(("verb", "key"), KEYS)
def test_each_number_has_its_limits(verb: str, key: str) -> None:
    least, most = NUMBERS[verb][key]
    for wrong in (least - 1, most + 1, "", "x", "1.0", "+1", "²", "9" * 5000):
        with pytest.raises(GuestError) as caught:
            protocol.parse(consoles.text(changed(verb, key, wrong)))
        assert f"{key}: found" in str(caught.value) and f"allowed: {least} to {most}" in str(
            caught.value
        )
        assert len(str(caught.value)) < 600
    if key != "batches":
        for right in (least, most):
            protocol.parse(consoles.text(changed(verb, key, right)))


@pytest.mark.parametrize("at", range(len(GOOD)))
def test_a_line_that_is_told_twice_is_refused(at: int) -> None:
    with pytest.raises(GuestError):
        protocol.parse(consoles.text([*GOOD[:at], GOOD[at], *GOOD[at:]]))


@pytest.mark.parametrize("at", range(1, len(GOOD)))
def test_a_line_that_is_missing_is_seen(at: int) -> None:
    """But for what a guest need not tell: modes, counters, the disk."""
    lines = [*GOOD[:at], *GOOD[at + 1 :]]
    if GOOD[at].split()[1] in ("modes", "counter", "disk"):
        protocol.parse(consoles.text(lines))
        return
    with pytest.raises(OsgapError):
        protocol.parse(consoles.text(lines))


@pytest.mark.parametrize("at", range(len(GOOD) - 1))
def test_lines_come_in_their_order(at: int) -> None:
    lines = [*GOOD[:at], GOOD[at + 1], GOOD[at], *GOOD[at + 2 :]]
    # What follows a sample follows it in any order.
    if {GOOD[at].split()[1], GOOD[at + 1].split()[1]} <= {"modes", "counter", "disk"}:
        protocol.parse(consoles.text(lines))
        return
    with pytest.raises(GuestError):
        protocol.parse(consoles.text(lines))


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([READY, "@osgap end status=ok regions=0"], "without a sample"),
        ([*GOOD[:4], READY, *GOOD[4:]], "ready after"),
        ([*GOOD[:4], GOOD[1].replace("us", "ms"), *GOOD[2:]], "a benchmark given twice"),
        (changed("bench", "batches", 3), "has 2 batches of 3 before"),
        (changed("bench", "batches", 1), "no more batches of 1 expected"),
        ([*GOOD[:3], GOOD[3].replace("batch=1", "batch=2"), *GOOD[4:]], "batch 1 of 2 expected"),
        ([*GOOD[:3], GOOD[3].replace("region=1", "region=7"), *GOOD[4:]], "region 1 expected"),
        ([line.replace("bytes=4096", "bytes=0") for line in GOOD], "a rate in MB/s of 0 bytes"),
        ([*GOOD[:-1], "@osgap end status=maybe regions=3"], "unknown status"),
        ([line.replace("getpid", "g" * 64) for line in GOOD], "63 at most"),
        ([*GOOD[:-2], GOOD[-2].replace("read", "getpid", 1), GOOD[-1]], "elsewhere than after"),
    ],
)
def test_what_no_run_can_be_is_refused(lines: list[str], words: str) -> None:
    protocol.parse(consoles.text(GOOD))
    with pytest.raises(GuestError) as caught:
        protocol.parse(consoles.text(lines))
    assert words in str(caught.value)


def test_a_failure_is_told_although_its_regions_have_no_samples() -> None:
    lines = [
        *GOOD[:4],
        "@osgap bench name=cswitch fs=none metric=us bytes=0 count=4 batches=5",
        "@osgap fail name=cswitch fs=none reason=signal-11",
        *(line.replace("region=2", "region=4") for line in GOOD[4:-1]),
        "@osgap end status=failed regions=5",
    ]
    with pytest.raises(protocol.BenchmarkFailed, match=r"cswitch \(none\): signal-11"):
        protocol.parse(consoles.text(lines))


def test_a_thousand_failures_are_one_sentence() -> None:
    fails = ["@osgap fail name=x fs=none reason=check"] * 1000
    with pytest.raises(protocol.BenchmarkFailed) as caught:
        protocol.parse(consoles.text([READY, *fails, "@osgap end status=failed regions=0"]))
    assert len(str(caught.value)) < 300


def _statistics(sample: Sample) -> dict[str, float]:
    """Of a region at 20 MHz that took what the guest's clock says."""
    cycles = max(1, sample.guest_ns // 50)
    return {
        "simInsts": cycles,
        "simFreq": 10**12,
        "system.clk_domain.clock": 50000,
        "system.cpu.numCycles": cycles,
        "osgap.cycles.user": 0,
        "osgap.cycles.idle": 0,
        "osgap.cycles.kernel": cycles,
        "osgap.cycles.memoryStall": 0,
        "system.mem_ctrls.bytesRead::total": 0,
        "system.mem_ctrls.bytesWritten::total": 0,
    }


def _run(directory: Path, console: str, transcript: protocol.Transcript) -> Path:
    """A run whose only point said this."""
    key = "20mhz-x"
    point = directory / "points" / key
    point.mkdir(parents=True)
    spec = Spec.model_validate(
        {
            "key": key,
            "engine": "rvsim",
            "engine_version": "0",
            "machine": "base",
            "image_digest": "none",
            "timeout_s": 1,
            "resolved": complete({"clock_mhz": 20}),
            "axes": {"clock_mhz": 20, "memory": "fixed", "disk": "fixed"},
            "orders": {"run": ["checks"], "fs": ["unix"], "seed": 0},
        }
    )
    stats = stats_text(map(_statistics, transcript.samples))
    write_point(point, spec, Outcome(console, transcript, stats, 1.0))
    write_done(point)
    record = {
        "format": 1,
        "name": "x",
        "sweep": {},
        "points": [key],
        "image": {},
        "series": {"fixed": {"20": key}},
        "versions": {},
    }
    (directory / "run.json").write_text(json.dumps(record) + "\n")
    return directory


def _check_tables(tables: dict[str, pd.DataFrame]) -> None:
    for name, table in tables.items():
        for column in table.select_dtypes("number"):
            values = table[column].to_numpy(dtype=float)
            assert not np.isinf(values).any(), f"{name}: {column} is infinite"
    samples = tables["samples"]
    assert np.isfinite(samples[["guest_ns", "ns_per_op"]].to_numpy(dtype=float)).all()
    assert (samples["guest_ns"] > 0).all() and (samples["count"] > 0).all()


@pytest.mark.slow
@settings(
    max_examples=examples(80),
    deadline=20_000,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(lines=consoles.damaged())
@example(lines=changed("bench", "count", 0))
@example(lines=changed("sample", "ns", 0))
@example(lines=changed("sample", "ns", 10**15 - 1))
@example(lines=changed("counter", "value", 10**19 - 1))
@example(lines=[*GOOD[:4], GOOD[3].replace("region=1", "region=2"), *GOOD[4:]])
@example(lines=[READY, "@osgap end status=ok regions=0"])
def test_what_is_accepted_can_be_analysed(tmp_path_factory, lines: list[str]) -> None:
    console = consoles.text(lines)
    try:
        transcript = protocol.parse(console)
    except OsgapError as error:
        assert str(error).isprintable() and 0 < len(str(error)) < 700
        return
    run = _run(tmp_path_factory.mktemp("run") / "run", console, transcript)
    _check_tables(analyze(load_run(run)))


@settings(max_examples=examples(50))
@given(lines=consoles.transcripts())
def test_what_keeps_the_protocol_is_accepted(lines: list[str]) -> None:
    transcript = protocol.parse(consoles.text(lines))
    told = [line for line in lines if line.startswith("@osgap sample")]
    assert len(transcript.samples) == len(told)


ASKED = "@osgap request issue_ns=5 done_ns=9 sector=8 sectors=8 write=1"
LOGGED = [
    *GOOD[:5],
    ASKED,
    ASKED,
    "@osgap requests told=2 of=2",
    ASKED,
    "@osgap requests told=1 of=1",
    *GOOD[5:8],
    f"@osgap disk name=read fs=unix reads=0 writes=1 sectors=8 {TIMES}",
    GOOD[9],
]


def test_a_benchmarks_requests_are_the_last_that_were_told() -> None:
    told = protocol.parse(consoles.text(LOGGED)).of(DiskRequest)
    assert told == (DiskRequest("read", "unix", 5, 9, 8, 8, 1),)
    assert protocol.parse(consoles.text(GOOD)).of(DiskRequest) == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("told=1 of=1", "told=1 of=9", "the disk reported 1 request"),
        ("told=1 of=1", "told=2 of=2", "the disk reported 1 request"),
        ("writes=1", "writes=2", "the disk reports 1 request of the 2 that it counts"),
        ("issue_ns=5 done_ns=9", "issue_ns=9 done_ns=5", "done before it is issued"),
        ("write=1", "write=2", "write: found '2'"),
        ("sectors=8 write", "sectors=0 write", "sectors: found '0'"),
    ],
)
def test_requests_that_cannot_be_are_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(GuestError, match=said):
        protocol.parse(consoles.text([line.replace(old, new) for line in LOGGED]))
