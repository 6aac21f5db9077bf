# SPDX-License-Identifier: BSD-3-Clause
"""The rounds of a measurement as one transcript: each benchmark's batches in order of time."""

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
from osgap.native.returned import NativeError, Part, Returned

_NAMED = re.compile(r"@osgap (?:bench|sample|fail) (?:region=\d+ )?name=(?P<name>\S+) ")
_REGION = re.compile(r"region=\d+")
_FAILED = re.compile(r"@osgap fail name=(?P<name>\S+) fs=\S+ reason=(?P<reason>\S+)")
Place = tuple[str, str]
"""Benchmark and file system."""


SPARSEST = 3
"""Of so many rounds one has all benchmarks; the others those that are prepared in no time."""


@dataclass(frozen=True)
class Shape:
    """What a round does of a benchmark: batches, and operations in each."""

    count: int
    batches: int


@dataclass(frozen=True)
class Merged:
    """All rounds together; `left_out` is benchmark -> why it is not among them.

    Of each (benchmark, file system) in `shapes` each of its rounds is the same.
    """

    transcript: Transcript
    shapes: Mapping[Place, Shape]
    rounds: int
    left_out: Mapping[str, str]


def merge(returned: Returned, where: str, mix_instructions: int) -> Merged:
    """The rounds of `returned` as one; regions and batches are numbered anew.

    A benchmark that failed once, or whose rounds are not alike, is left out; of three rounds two
    may do without it. `mix_instructions`, of one operation of integer_mix, become a counter of its
    regions. Raises NativeError where nothing is left, or a round says what it may not.
    """
    left_out = {**returned.left_out, **_failed(returned.parts)}
    if not returned.parts:
        told = ", ".join(f"{name} ({why})" for name, why in left_out.items())
        raise NativeError(f"{where}: no benchmark ended well: {quoted(told)}")
    rounds: dict[int, dict[Place, list[Sample]]] = {}
    for part in returned.parts:
        own = rounds.setdefault(part.round, {})
        for sample in _samples(part, left_out, where):
            own.setdefault((sample.benchmark, sample.fs), []).append(sample)
    if sorted(rounds) != list(range(returned.rounds)):
        raise NativeError(f"{where}: found rounds {sorted(rounds)}; allowed: {returned.rounds}")
    alike = _alike(list(rounds.values()))
    places = {place for own in rounds.values() for place in own}
    left_out |= {name: "rounds-not-alike" for name, fs in places if (name, fs) not in alike}
    if not alike:
        raise NativeError(f"{where}: no benchmark's rounds are alike")
    samples = tuple(_numbered(alike))
    rows: dict[type[records.GuestRecord], tuple[records.GuestRecord, ...]] = dict.fromkeys(
        records.RECORDS, ()
    )
    rows[Sample] = samples
    rows[CounterValue] = tuple(_counters(samples, mix_instructions))
    shapes = {
        place: Shape(batches[0].count, len(batches) // sum(place in own for own in rounds.values()))
        for place, batches in alike.items()
    }
    return Merged(Transcript(rows), shapes, returned.rounds, left_out)


def _failed(parts: tuple[Part, ...]) -> dict[str, str]:
    matches = (_FAILED.match(line) for part in parts for line in part.console.split("\n"))
    return {match["name"]: match["reason"] for match in matches if match}


def _samples(part: Part, left_out: Mapping[str, str], where: str) -> tuple[Sample, ...]:
    """What one process told, but for what is left out. Raises NativeError."""
    try:
        return protocol.parse(_without(part.console, left_out)).samples
    except OsgapError as error:
        raise NativeError(f"{where}: round {part.round}, {part.fs} files: {error}") from None


def _without(console: str, left_out: Mapping[str, str]) -> str:
    """The console as it would be without these benchmarks, of which some failed."""
    kept, regions = [], 0
    for line in console.splitlines():
        match = _NAMED.match(line)
        if match and match["name"] in left_out:
            continue
        if line.startswith("@osgap sample "):
            line = _REGION.sub(f"region={regions}", line, count=1)
            regions += 1
        if line.startswith("@osgap end "):
            line = f"@osgap end status=ok regions={regions}"
        kept.append(line)
    return "".join(f"{line}\n" for line in kept)


def _alike(rounds: list[dict[Place, list[Sample]]]) -> dict[Place, list[Sample]]:
    """The batches of what rounds have in the same number and size, in order of time."""
    alike: dict[Place, list[Sample]] = {}
    for place in rounds[0]:
        batches = [own[place] for own in rounds if place in own]
        shapes = {tuple((one.count, one.bytes, one.metric) for one in own) for own in batches}
        if len(shapes) == 1 and SPARSEST * len(batches) >= len(rounds):
            alike[place] = [sample for own in batches for sample in own]
    return alike


def _numbered(alike: Mapping[Place, list[Sample]]) -> Iterator[Sample]:
    region = 0
    for batches in alike.values():
        for batch, sample in enumerate(batches):
            yield replace(sample, region=region, batch=batch)
            region += 1


def _counters(samples: tuple[Sample, ...], each: int) -> Iterator[CounterValue]:
    for one in samples:
        if one.benchmark == INTEGER_MIX:
            place = (one.region, one.benchmark, one.fs, one.batch)
            yield CounterValue(*place, counter=INSTRUCTIONS, value=one.count * each)
