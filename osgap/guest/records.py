# SPDX-License-Identifier: BSD-3-Clause
"""Declares the records that the guest reports (docs/reference/protocol.md).

A declaration defines the keys of the guest's line, the type of a row, the name, header and types
of the CSV file, the values that a replay compares, and the table in
docs/reference/run-directory.md. To add a record, declare it here and put it into RECORDS.
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
"""The keys, with types, of the lines that are no records."""

LARGEST = 10**15 - 1
"""Default limit of a number: 11 days in ns. A double holds it exactly, and 64 bits hold the sum of
a benchmark's batches."""
MOST_COUNT = 10**9
"""Most operations of an order (MAX_COUNT in workloads/lib/runner.h); 64 bits hold its square."""
MOST_BATCHES = 128
"""MAX_REGIONS in workloads/lib/runner.h."""


class Source(Enum):
    """The guest's line that holds a column's value."""

    LINE = "the record's own line"
    BENCH = "the bench line of its benchmark"
    SAMPLE = "the sample before it"


@dataclass(frozen=True)
class ColumnSpec:
    """A column's meaning, unit and limits, and its key in the guest's line."""

    text: str
    unit: str = ""
    key: str = ""
    source: Source = Source.LINE
    least: int = 0
    most: int = LARGEST


@dataclass(frozen=True)
class RecordColumn:
    """A column of a record: its name in the CSV file, and the type of its values."""

    name: str
    kind: type[int] | type[str]
    spec: ColumnSpec

    @property
    def key(self) -> str:
        """The key in the guest's line."""
        return self.spec.key or self.name


class GuestRecord:
    """The base of all records. A record is a frozen dataclass whose fields are its columns.

    `verb` begins the guest's line; `name` is the CSV file's. The file of a record that is not
    `always` exists only if it has rows.
    """

    verb: ClassVar[str]
    name: ClassVar[str]
    always: ClassVar[bool] = False


@dataclass(frozen=True)
class RegionRecord(GuestRecord):
    """A record that follows the sample of its region.

    `unique` columns identify a row in its region. A benchmark has the record in all its regions or
    in none. A `half_timed` record may also come in the second half of them alone: the first half is
    then timed without the cost of recording.
    """

    unique: ClassVar[tuple[str, ...]] = ()
    half_timed: ClassVar[bool] = False

    region: Annotated[int, ColumnSpec("the region that it is of")]
    benchmark: Annotated[str, ColumnSpec("its benchmark", source=Source.SAMPLE)]
    fs: Annotated[str, ColumnSpec("its file system", source=Source.SAMPLE)]
    batch: Annotated[int, ColumnSpec("its batch", source=Source.SAMPLE)]


@dataclass(frozen=True)
class BenchmarkRecord(GuestRecord):
    """A record that comes once, after the last sample of its benchmark."""

    benchmark: Annotated[str, ColumnSpec("the benchmark", key="name")]
    fs: Annotated[str, ColumnSpec("its file system")]


class DeviceRecord(GuestRecord):
    """A record of a device's driver; a benchmark's are the last group before its samples."""


@dataclass(frozen=True)
class Sample(GuestRecord):
    """One region: a batch of a benchmark's operations, as the guest's clock saw it."""

    verb: ClassVar[str] = "sample"
    name: ClassVar[str] = "samples"
    always: ClassVar[bool] = True

    region: Annotated[int, ColumnSpec("number of the region in the run, from 0")]
    benchmark: Annotated[str, ColumnSpec("the benchmark", key="name")]
    fs: Annotated[str, ColumnSpec("file system, none where it uses no files")]
    batch: Annotated[int, ColumnSpec("number of the batch, from 0; the first is cold")]
    count: Annotated[
        int, ColumnSpec("operations in the region", source=Source.BENCH, least=1, most=MOST_COUNT)
    ]
    bytes: Annotated[
        int, ColumnSpec("moved by one operation", unit="byte", source=Source.BENCH, most=MOST_COUNT)
    ]
    metric: Annotated[str, ColumnSpec("unit in which the result is given", source=Source.BENCH)]
    guest_ns: Annotated[
        int, ColumnSpec("time of the whole region, guest's clock", unit="ns", key="ns", least=1)
    ]
    timer_irqs: Annotated[int, ColumnSpec("timer interrupts in the region", key="irqs")]


@dataclass(frozen=True)
class DiskUse(BenchmarkRecord):
    """Disk activity during one benchmark, in all its regions together."""

    verb: ClassVar[str] = "disk"
    name: ClassVar[str] = "disk"
    always: ClassVar[bool] = True

    reads: Annotated[int, ColumnSpec("requests to read")]
    writes: Annotated[int, ColumnSpec("requests to write")]
    sectors: Annotated[int, ColumnSpec("sectors moved", unit="512 byte")]
    seek_ns: Annotated[int, ColumnSpec("moving the arm", unit="ns")]
    rotation_ns: Annotated[int, ColumnSpec("waiting for the sector to come round", unit="ns")]
    transfer_ns: Annotated[int, ColumnSpec("moving data", unit="ns")]
    overhead_ns: Annotated[int, ColumnSpec("the controller's own time", unit="ns")]
    queue_ns: Annotated[int, ColumnSpec("waiting for requests before", unit="ns")]


@dataclass(frozen=True)
class NetworkUse(BenchmarkRecord):
    """Calls to the file server during one benchmark, in all its regions together."""

    verb: ClassVar[str] = "network"
    name: ClassVar[str] = "network"

    messages: Annotated[int, ColumnSpec("calls to the server")]
    repeated: Annotated[int, ColumnSpec("calls that were sent again")]
    getattr: Annotated[int, ColumnSpec("calls for the attributes of a file")]
    lookup: Annotated[int, ColumnSpec("calls to find a name")]
    read: Annotated[int, ColumnSpec("calls to read")]
    write: Annotated[int, ColumnSpec("calls to write")]
    create: Annotated[int, ColumnSpec("calls to create")]
    remove: Annotated[int, ColumnSpec("calls to remove")]
    frames: Annotated[int, ColumnSpec("frames of both directions")]
    bytes: Annotated[
        int, ColumnSpec("bytes of these, with addresses and type, without overhead", unit="byte")
    ]
    server_ns: Annotated[int, ColumnSpec("processor time of the server's thread", unit="ns")]


@dataclass(frozen=True)
class DiskRequest(DeviceRecord):
    """One disk request between a benchmark's first and last region (image variant `disk-log`)."""

    verb: ClassVar[str] = "request"
    name: ClassVar[str] = "requests"

    benchmark: Annotated[str, ColumnSpec("the benchmark", key="name", source=Source.BENCH)]
    fs: Annotated[str, ColumnSpec("its file system", source=Source.BENCH)]
    issue_ns: Annotated[int, ColumnSpec("when it reached the driver, guest's clock", unit="ns")]
    done_ns: Annotated[int, ColumnSpec("when it completed", unit="ns")]
    sector: Annotated[int, ColumnSpec("where it begins", unit="512 byte")]
    sectors: Annotated[int, ColumnSpec("its length", unit="512 byte", least=1)]
    write: Annotated[int, ColumnSpec("1 for a write, 0 for a read", most=1)]


@dataclass(frozen=True)
class ModeTimes(RegionRecord):
    """Time by processor mode during one region and shortly around it, summed over harts."""

    verb: ClassVar[str] = "modes"
    name: ClassVar[str] = "modes"
    half_timed: ClassVar[bool] = True

    user_ns: Annotated[int, ColumnSpec("in user mode", unit="ns")]
    kernel_ns: Annotated[int, ColumnSpec("in the kernel", unit="ns")]
    idle_ns: Annotated[int, ColumnSpec("idle", unit="ns")]


@dataclass(frozen=True)
class CounterValue(RegionRecord):
    """A counter of the guest's kernel during one region and shortly around it."""

    verb: ClassVar[str] = "counter"
    name: ClassVar[str] = "counters"
    unique: ClassVar[tuple[str, ...]] = ("counter",)

    counter: Annotated[str, ColumnSpec("what was counted", key="name")]
    value: Annotated[int, ColumnSpec("how much; ns where the counter's name ends so")]


RECORDS: tuple[type[GuestRecord], ...] = (
    Sample,
    DiskUse,
    NetworkUse,
    DiskRequest,
    ModeTimes,
    CounterValue,
)
"""All records, samples first."""


def columns(record: type[GuestRecord]) -> tuple[RecordColumn, ...]:
    """Returns the columns of a record, in the order of its fields and of its CSV file."""
    return _columns(cast(Hashable, record))


@cache  # called for each line of a console
def _columns(record: Hashable) -> tuple[RecordColumn, ...]:
    hints = get_type_hints(record, include_extras=True)
    return tuple(
        RecordColumn(field.name, *get_args(hints[field.name]))
        for field in fields(cast(Any, record))
    )


def file_name(record: type[GuestRecord]) -> str:
    """Returns the name of the record's CSV file in a point's directory."""
    return f"{record.name}.csv"


def keys_of_line(verb: str) -> dict[str, type] | None:
    """Returns the keys, with types, of the line that begins with `verb`; None if there is none."""
    for record in RECORDS:
        if record.verb == verb:
            return {c.key: c.kind for c in columns(record) if c.spec.source is Source.LINE}
    return LINES.get(verb)


def limits_of_line(verb: str) -> dict[str, tuple[int, int]]:
    """Returns the limits of the numbers in the line of `verb`; others are from 0 to LARGEST."""
    is_bench = verb == "bench"
    source = Source.BENCH if is_bench else Source.LINE
    limits = {"batches": (1, MOST_BATCHES)} if is_bench else {}
    for record in RECORDS:
        if is_bench or record.verb == verb:
            limits |= {
                c.key: (c.spec.least, c.spec.most)
                for c in columns(record)
                if c.kind is int and c.spec.source is source
            }
    return limits
