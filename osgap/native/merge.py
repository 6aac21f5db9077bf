# SPDX-License-Identifier: BSD-3-Clause
"""Merges the rounds of a measurement into one transcript, each benchmark's batches in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from osgap.analysis.constants import INSTRUCTIONS, INTEGER_MIX
from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.guest import protocol, records
from osgap.guest.records import CounterValue, Sample
from osgap.guest.transcript import Transcript
from osgap.native.output import MeasureOutput, NativeError, RoundOutput

_NAMED = re.compile(r"@osgap (?:bench|sample|fail) (?:region=\d+ )?name=(?P<name>\S+) ")
_REGION = re.compile(r"region=\d+")
_FAILED = re.compile(r"@osgap fail name=(?P<name>\S+) fs=\S+ reason=(?P<reason>\S+)")
BenchmarkKey = tuple[str, str]
"""Benchmark and file system."""


FULL_ROUND_INTERVAL = 3
"""One round in so many has all benchmarks; the others leave out those slow to prepare."""


@dataclass(frozen=True)
class BenchmarkShape:
    """Size of a benchmark in one round: the number of batches and the operations in each."""

    count: int
    batches: int


@dataclass(frozen=True)
class MergedRounds:
    """All rounds as one transcript, each benchmark's size, and benchmarks left out -> reason."""

    transcript: Transcript
    shapes: Mapping[BenchmarkKey, BenchmarkShape]
    rounds: int
    left_out: Mapping[str, str]


def merge(output: MeasureOutput, where: str, mix_instructions: int) -> MergedRounds:
    """Merges the rounds of `output`, renumbering regions and batches.

    Leaves out a benchmark that failed in any round or whose rounds differ in size; it may be absent
    from two rounds in three. Raises NativeError if none is left or a round is malformed.
    """
    left_out = {**output.left_out, **_failed(output.parts)}
    if not output.parts:
        reasons = ", ".join(f"{name} ({why})" for name, why in left_out.items())
        raise NativeError(f"{where}: no benchmark ended well: {quoted(reasons)}")
    rounds: dict[int, dict[BenchmarkKey, list[Sample]]] = {}
    for part in output.parts:
        batches = rounds.setdefault(part.round, {})
        for sample in _samples(part, left_out, where):
            batches.setdefault((sample.benchmark, sample.fs), []).append(sample)
    if sorted(rounds) != list(range(output.rounds)):
        raise NativeError(f"{where}: found rounds {sorted(rounds)}; allowed: {output.rounds}")
    merged = _merged(list(rounds.values()))
    keys = {key for batches in rounds.values() for key in batches}
    left_out |= {name: "rounds-not-alike" for name, fs in keys if (name, fs) not in merged}
    if not merged:
        raise NativeError(f"{where}: no benchmark's rounds are alike")
    samples = tuple(_numbered(merged))
    rows: dict[type[records.GuestRecord], tuple[records.GuestRecord, ...]] = {
        **dict.fromkeys(records.RECORDS, ()),
        Sample: samples,
        CounterValue: tuple(_counters(samples, mix_instructions)),
    }
    shapes = {
        key: BenchmarkShape(
            all_batches[0].count,
            len(all_batches) // sum(key in batches for batches in rounds.values()),
        )
        for key, all_batches in merged.items()
    }
    return MergedRounds(Transcript(rows), shapes, output.rounds, left_out)


def _failed(parts: tuple[RoundOutput, ...]) -> dict[str, str]:
    matches = (_FAILED.match(line) for part in parts for line in part.console.split("\n"))
    return {match["name"]: match["reason"] for match in matches if match}


def _samples(part: RoundOutput, left_out: Mapping[str, str], where: str) -> tuple[Sample, ...]:
    """The samples of one process without the benchmarks left out. Raises NativeError."""
    try:
        return protocol.parse(_without(part.console, left_out)).samples
    except OsgapError as error:
        raise NativeError(f"{where}: round {part.round}, {part.fs} files: {error}") from None


def _without(console: str, left_out: Mapping[str, str]) -> str:
    """The console as it would be had the benchmarks in `left_out` not been run."""
    lines, regions = [], 0
    for line in console.splitlines():
        match = _NAMED.match(line)
        if match and match["name"] in left_out:
            continue
        if line.startswith("@osgap sample "):
            line = _REGION.sub(f"region={regions}", line, count=1)
            regions += 1
        if line.startswith("@osgap end "):
            line = f"@osgap end status=ok regions={regions}"
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def _merged(rounds: list[dict[BenchmarkKey, list[Sample]]]) -> dict[BenchmarkKey, list[Sample]]:
    """The batches, in order of time, of each benchmark with equal batches in all its rounds."""
    merged: dict[BenchmarkKey, list[Sample]] = {}
    for key in rounds[0]:
        present = [batches[key] for batches in rounds if key in batches]
        shapes = {
            tuple((sample.count, sample.bytes, sample.metric) for sample in batches)
            for batches in present
        }
        if len(shapes) == 1 and FULL_ROUND_INTERVAL * len(present) >= len(rounds):
            merged[key] = [sample for batches in present for sample in batches]
    return merged


def _numbered(merged: Mapping[BenchmarkKey, list[Sample]]) -> Iterator[Sample]:
    region = 0
    for batches in merged.values():
        for batch, sample in enumerate(batches):
            yield replace(sample, region=region, batch=batch)
            region += 1


def _counters(samples: tuple[Sample, ...], each: int) -> Iterator[CounterValue]:
    for sample in samples:
        if sample.benchmark == INTEGER_MIX:
            batch = (sample.region, sample.benchmark, sample.fs, sample.batch)
            yield CounterValue(*batch, counter=INSTRUCTIONS, value=sample.count * each)
