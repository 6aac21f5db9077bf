# SPDX-License-Identifier: BSD-3-Clause
"""What the guest tells of a run, each record declared once (docs/protocol.md).

From a declaration come the keys of the guest's line, the rows' type, the name, header and types
of the CSV file, what a replay compares, and the table in docs/run-directory.md. To add a record,
declare it here and put it into RECORDS.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from typing import Annotated, Any, ClassVar, cast, get_args, get_type_hints

METRICS = frozenset({"us", "ms", "s", "ns", "MB/s", "MIPS"})

LINES: dict[str, dict[str, type]] = {
    "ready": {"protocol": int},
    "bench": {"name": str, "fs": str, "metric": str, "bytes": int, "count": int, "batches": int},
    "fail": {"name": str, "fs": str, "reason": str},
    "error": {"reason": str},
    "end": {"status": str, "regions": int},
    "requests": {"told": int, "of": int},
    "output": {"name": str, "text": str},
    "printed": {"name": str, "kept": int, "bytes": int},
}
"""The keys of the lines that are no records, with their types."""

LARGEST = 10**15 - 1
"""Of any number, where nothing else is said. A double holds it, and 64 bits hold the sum of a
benchmark's batches. As ns it is 11 days."""
MOST_COUNT = 10**9
"""What one order may ask for (MAX_COUNT in workloads/lib/runner.h); times as many bytes, 64 bits
hold it."""
MOST_BATCHES = 128
"""As MAX_REGIONS in workloads/lib/runner.h."""


class Source(Enum):
    """Where a column's value is told."""

    LINE = "the record's own line"
    BENCH = "the bench line of its benchmark"
    SAMPLE = "the sample before it"


@dataclass(frozen=True)
class Told:
    """What a column means. `key` is its key in the guest's line, where that is not its name.

    A number is allowed from `least` to `most`.
    """

    text: str
    unit: str = ""
    key: str = ""
    source: Source = Source.LINE
    least: int = 0
    most: int = LARGEST


@dataclass(frozen=True)
class Column:
    """A column of a record: the name in the CSV file, and the type of each value."""

    name: str
    kind: type[int] | type[str]
    told: Told

    @property
    def key(self) -> str:
        """The key in the guest's line."""
        return self.told.key or self.name


class Row:
    """The base of all records. A record is a frozen dataclass whose fields are its columns.

    `verb` begins the guest's line, `name` is the CSV file's without its suffix. Every point has
    the file of a record that `always` is told; others have it where there are rows.
    """

    verb: ClassVar[str]
    name: ClassVar[str]
    always: ClassVar[bool] = False


@dataclass(frozen=True)
class OfRegion(Row):
    """A record that follows the sample of its region. `once`: the columns told once a region.

    A benchmark that tells it of one region tells it of all its regions; where it may come `apart`,
    of all, or of the second half of them, the first half being timed without what it costs.
    """

    once: ClassVar[tuple[str, ...]] = ()
    apart: ClassVar[bool] = False

    region: Annotated[int, Told("the region that it is of")]
    benchmark: Annotated[str, Told("its benchmark", source=Source.SAMPLE)]
    fs: Annotated[str, Told("its file system", source=Source.SAMPLE)]
    batch: Annotated[int, Told("its batch", source=Source.SAMPLE)]


@dataclass(frozen=True)
class OfBenchmark(Row):
    """A record that follows the last sample of its benchmark, once."""

    benchmark: Annotated[str, Told("the benchmark", key="name")]
    fs: Annotated[str, Told("its file system")]


class WhileMeasured(Row):
    """A record that comes before its benchmark's samples, from what the benchmark uses.

    A line of the plural verb ends what was told since the last one; the benchmark's own are those
    told before the last such line.
    """


@dataclass(frozen=True)
class Sample(Row):
    """One region: a batch of a benchmark's operations, as the guest's clock saw it."""

    verb: ClassVar[str] = "sample"
    name: ClassVar[str] = "samples"
    always: ClassVar[bool] = True

    region: Annotated[int, Told("number of the region in the run, from 0")]
    benchmark: Annotated[str, Told("the benchmark", key="name")]
    fs: Annotated[str, Told("file system: unix or sprite; none where it uses no files")]
    batch: Annotated[int, Told("number of the batch, from 0; the first is cold")]
    count: Annotated[
        int, Told("operations in the region", source=Source.BENCH, least=1, most=MOST_COUNT)
    ]
    bytes: Annotated[
        int, Told("moved by one operation", unit="byte", source=Source.BENCH, most=MOST_COUNT)
    ]
    metric: Annotated[str, Told("unit in which the result is given", source=Source.BENCH)]
    guest_ns: Annotated[
        int, Told("time of the whole region, guest's clock", unit="ns", key="ns", least=1)
    ]
    timer_irqs: Annotated[int, Told("timer interrupts in the region", key="irqs")]


@dataclass(frozen=True)
class DiskUse(OfBenchmark):
    """What the disk did during one benchmark, all its regions together."""

    verb: ClassVar[str] = "disk"
    name: ClassVar[str] = "disk"
    always: ClassVar[bool] = True

    reads: Annotated[int, Told("requests to read")]
    writes: Annotated[int, Told("requests to write")]
    sectors: Annotated[int, Told("sectors moved", unit="512 byte")]
    seek_ns: Annotated[int, Told("moving the arm", unit="ns")]
    rotation_ns: Annotated[int, Told("waiting for the sector to come round", unit="ns")]
    transfer_ns: Annotated[int, Told("moving data", unit="ns")]
    overhead_ns: Annotated[int, Told("the controller's own time", unit="ns")]
    queue_ns: Annotated[int, Told("waiting for requests before", unit="ns")]


@dataclass(frozen=True)
class DiskRequest(WhileMeasured):
    """One request to the disk from a benchmark's first region to its last, where the driver tells
    each (image variant `disk-log`).
    """

    verb: ClassVar[str] = "request"
    name: ClassVar[str] = "requests"

    benchmark: Annotated[str, Told("the benchmark", key="name", source=Source.BENCH)]
    fs: Annotated[str, Told("its file system", source=Source.BENCH)]
    issue_ns: Annotated[int, Told("when it reached the driver, guest's clock", unit="ns")]
    done_ns: Annotated[int, Told("when it completed", unit="ns")]
    sector: Annotated[int, Told("where it begins", unit="512 byte")]
    sectors: Annotated[int, Told("its length", unit="512 byte", least=1)]
    write: Annotated[int, Told("1 for a write, 0 for a read", most=1)]


@dataclass(frozen=True)
class ModeTimes(OfRegion):
    """Where the system's time went during one region, and a little around it; of all harts."""

    verb: ClassVar[str] = "modes"
    name: ClassVar[str] = "modes"
    apart: ClassVar[bool] = True

    user_ns: Annotated[int, Told("in user mode", unit="ns")]
    kernel_ns: Annotated[int, Told("in the kernel", unit="ns")]
    idle_ns: Annotated[int, Told("idle", unit="ns")]


@dataclass(frozen=True)
class CounterValue(OfRegion):
    """What the guest's kernel counted during one region, and a little around it."""

    verb: ClassVar[str] = "counter"
    name: ClassVar[str] = "counters"
    once: ClassVar[tuple[str, ...]] = ("counter",)

    counter: Annotated[str, Told("what was counted", key="name")]
    value: Annotated[int, Told("how much; ns where the counter's name ends so")]


RECORDS: tuple[type[Row], ...] = (Sample, DiskUse, DiskRequest, ModeTimes, CounterValue)
"""All records, samples first."""


def columns(record: type[Row]) -> tuple[Column, ...]:
    """The columns of a record, in the order of its fields and of its CSV file."""
    return _columns(cast(Hashable, record))


# Asked for each line of a console; a type says the same each time.
@cache
def _columns(record: Hashable) -> tuple[Column, ...]:
    hints = get_type_hints(record, include_extras=True)
    found = []
    for field in fields(cast(Any, record)):
        kind, told = get_args(hints[field.name])
        found.append(Column(field.name, kind, told))
    return tuple(found)


def file_name(record: type[Row]) -> str:
    """The record's CSV file in a point's directory."""
    return f"{record.name}.csv"


def keys_of_line(verb: str) -> dict[str, type] | None:
    """The keys of the guest's line that begins with `verb`, and their types; None for no line."""
    for record in RECORDS:
        if record.verb == verb:
            told = (c for c in columns(record) if c.told.source is Source.LINE)
            return {column.key: column.kind for column in told}
    return LINES.get(verb)


def limits_of_line(verb: str) -> dict[str, tuple[int, int]]:
    """The least and the most of the numbers in the guest's line that begins with `verb`.

    Keys that are not in it have 0 and LARGEST.
    """
    of_bench = verb == "bench"
    found = {"batches": (1, MOST_BATCHES)} if of_bench else {}
    for record in RECORDS:
        wanted = Source.BENCH if of_bench else Source.LINE
        if of_bench or record.verb == verb:
            told = (c for c in columns(record) if c.kind is int and c.told.source is wanted)
            found |= {c.key: (c.told.least, c.told.most) for c in told}
    return found


def markdown_table() -> str:
    """The table of all records' columns for docs/run-directory.md."""
    lines = ["| File | Column | Type | Unit | What |", "|---|---|---|---|---|"]
    for record in RECORDS:
        for at, column in enumerate(columns(record)):
            file = file_name(record) if at == 0 else ""
            words = (file, column.name, column.kind.__name__, column.told.unit, column.told.text)
            lines.append("| " + " | ".join(words) + " |")
    return "\n".join(lines) + "\n"
