# SPDX-License-Identifier: BSD-3-Clause
"""What a guest has told in all, checked line by line: what is accepted here can be analysed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from osgap.base.quoting import quoted, shortened
from osgap.guest import records
from osgap.guest.console import PREFIX, PROTOCOL
from osgap.guest.errors import BenchmarkFailed, GuestError, NoEndMarker
from osgap.guest.lines import values_of
from osgap.guest.program_output import Printed
from osgap.guest.records import (
    METRICS,
    DiskRequest,
    DiskUse,
    OfBenchmark,
    OfRegion,
    Row,
    Sample,
    Source,
    WhileMeasured,
)

FILE_SYSTEMS = ("none", "unix", "sprite")
_STATUSES = ("ok", "failed")
# What ties a line to its benchmark.
_PLACE = ("name", "fs")
AnyRow = TypeVar("AnyRow", bound=Row)


@dataclass(frozen=True)
class Transcript:
    """A whole run: the rows of each record, in the order in which they were told.

    `printed` is what programs of the user's printed, by benchmark.
    """

    rows: Mapping[type[Row], tuple[Row, ...]]
    printed: Mapping[str, str] = field(default_factory=dict)

    def of(self, record: type[AnyRow]) -> tuple[AnyRow, ...]:
        """The rows of `record`, one of records.RECORDS."""
        return cast(tuple[AnyRow, ...], self.rows[record])

    @property
    def samples(self) -> tuple[Sample, ...]:
        """A sample for each region, in order."""
        return self.of(Sample)


class Reader:
    """Collects the protocol's lines in order and checks that they belong together.

    `line` and `result` raise GuestError, which quotes the line, for one that comes where it may
    not or says what it may not.
    """

    def __init__(self) -> None:
        self._bench: dict[str, str] | None = None
        self._batches = 0  # of this benchmark, told so far
        self._begun: set[tuple[str, str]] = set()
        self._rows: dict[type[Row], list[Row]] = {record: [] for record in records.RECORDS}
        self._failed: list[str] = []
        self._end: dict[str, str] | None = None
        self._is_first = True
        self._requests: list[tuple[str, dict[str, str]]] = []  # told since the last `requests`
        self._measured: list[tuple[str, dict[str, str]]] | None = None  # told before it
        self._printed = Printed()

    def line(self, line: str) -> None:
        """Takes the next line that begins with PREFIX."""
        if self._end is not None:
            raise GuestError(f"the guest went on after its end: {quoted(line)}")
        verb, _, rest = line.removeprefix(PREFIX).partition(" ")
        values = values_of(line, verb, rest)
        record = next((one for one in records.RECORDS if one.verb == verb), None)
        if record is None:
            getattr(self, f"_on_{verb}")(line, values)
        elif issubclass(record, WhileMeasured):
            self._requests.append((line, values))
        else:
            self._record(record, line, values)
        self._is_first = False

    def result(self) -> Transcript:
        """What was told. Raises NoEndMarker or BenchmarkFailed too."""
        if self._end is None:
            raise NoEndMarker("the guest stopped without an end line")
        if self._failed or self._end["status"] != "ok":
            told = "; ".join(self._failed[:3])
            raise BenchmarkFailed(shortened(told) or "the guest ended with a failure")
        if not self._samples:
            raise GuestError("the guest ended well without a sample; allowed: one or more")
        if int(self._end["regions"]) != len(self._samples):
            raise GuestError(
                f"the guest counts {self._end['regions']} regions, its samples {len(self._samples)}"
            )
        for record, rows in self._rows.items():
            if issubclass(record, OfRegion):
                self._check_every_region(record, cast(list[OfRegion], rows))
        rows_of = {record: tuple(rows) for record, rows in self._rows.items()}
        return Transcript(rows_of, self._printed.texts)

    @property
    def _samples(self) -> list[Sample]:
        return cast(list[Sample], self._rows[Sample])

    def _check_every_region(self, record: type[OfRegion], rows: Sequence[OfRegion]) -> None:
        regions = {row.region for row in rows}
        first: dict[tuple[str, str], int] = {}
        for row in rows:
            first.setdefault((row.benchmark, row.fs), row.batch)
        batches = Counter((sample.benchmark, sample.fs) for sample in self._samples)
        for sample in self._samples:
            place = (sample.benchmark, sample.fs)
            if place not in first or sample.region in regions:
                continue
            is_timed = record.apart and sample.batch < first[place] == batches[place] / 2
            if not is_timed:
                raise GuestError(
                    f"region {sample.region} has no {record.name}, others of its benchmark do"
                )

    def _record(self, record: type[Row], line: str, values: dict[str, str]) -> None:
        """Adds a row, after checks that it comes where it may."""
        if record is Sample:
            self._check_sample(line, values)
        elif issubclass(record, OfBenchmark):
            self._check_of_benchmark(record, line, values)
            if record is DiskUse and self._measured is not None:
                self._add_requests(line, values, self._measured)
        sample = self._samples[-1] if self._samples else None
        if issubclass(record, OfRegion) and (
            sample is None or int(values["region"]) != sample.region
        ):
            raise GuestError(
                f"{record.name} of another region than the sample before it: {quoted(line)}"
            )
        row = self._row(record, values, sample)
        if issubclass(record, OfRegion) and self._is_repeated(record, row):
            raise GuestError(f"{record.name} told twice of a region: {quoted(line)}")
        self._rows[record].append(row)

    def _row(self, record: type[AnyRow], values: dict[str, str], sample: Sample | None) -> AnyRow:
        cells = {}
        for column in records.columns(record):
            if column.told.source is Source.SAMPLE:
                cells[column.name] = getattr(sample, column.name)
            else:
                own = column.told.source is Source.LINE
                cells[column.name] = column.kind((values if own else self._bench or {})[column.key])
        return record(**cells)

    def _add_requests(
        self, line: str, values: Mapping[str, str], told: Sequence[tuple[str, dict[str, str]]]
    ) -> None:
        """The requests that the driver told one by one, as many as it counted."""
        counted = int(values["reads"]) + int(values["writes"])
        if len(told) != counted:
            raise GuestError(
                f"the disk tells {len(told)} requests of the {counted} that it counts: "
                f"{quoted(line)}"
            )
        for one, own in told:
            if int(own["done_ns"]) < int(own["issue_ns"]):
                raise GuestError(f"a request that is done before it is issued: {quoted(one)}")
            self._rows[DiskRequest].append(self._row(DiskRequest, own, None))

    def _is_repeated(self, record: type[OfRegion], row: Row) -> bool:
        """Whether the region has such a row already; regions come in order."""
        names = ("region", *record.once)
        wanted = [getattr(row, name) for name in names]
        for told in reversed(self._rows[record]):
            seen = [getattr(told, name) for name in names]
            if seen == wanted:
                return True
            if seen[0] != wanted[0]:
                return False
        return False

    def _check_sample(self, line: str, values: dict[str, str]) -> None:
        self._printed.check_whole(line)
        if not self._is_of_bench(values) or self._bench is None:
            raise GuestError(f"a sample without its bench line: {quoted(line)}")
        batches = int(self._bench["batches"])
        if int(values["batch"]) != self._batches or self._batches == batches:
            wanted = f"batch {self._batches}" if self._batches < batches else "no more batches"
            raise GuestError(f"{wanted} of {batches} expected: {quoted(line)}")
        self._batches += 1
        # A benchmark that failed may have begun regions, of which no samples came.
        expected = len(self._samples)
        region = int(values["region"])
        if region != expected and not (self._failed and region > expected):
            raise GuestError(f"region {expected} expected: {quoted(line)}")

    def _check_of_benchmark(
        self, record: type[OfBenchmark], line: str, values: Mapping[str, str]
    ) -> None:
        """It comes once, after all samples of its benchmark."""
        if not self._is_of_bench(values) or self._left():
            raise GuestError(f"{record.name} elsewhere than after its samples: {quoted(line)}")
        rows = cast(list[OfBenchmark], self._rows[record])
        if rows and (rows[-1].benchmark, rows[-1].fs) == (values["name"], values["fs"]):
            raise GuestError(f"{record.name} told twice of a benchmark: {quoted(line)}")

    def _is_of_bench(self, values: Mapping[str, str]) -> bool:
        bench = self._bench
        return bench is not None and all(bench[key] == values[key] for key in _PLACE)

    def _left(self) -> int:
        """How many batches of the benchmark have no sample yet."""
        return int(self._bench["batches"]) - self._batches if self._bench is not None else 0

    def _check_complete(self, line: str) -> None:
        if self._bench is not None and self._left():
            raise GuestError(
                f"{self._bench['name']} ({self._bench['fs']}) has {self._batches} batches of "
                f"{self._bench['batches']} before: {quoted(line)}"
            )

    def _on_ready(self, line: str, values: dict[str, str]) -> None:
        if values["protocol"] != str(PROTOCOL):
            raise GuestError(f"the guest speaks protocol {values['protocol']}, osgap {PROTOCOL}")
        if not self._is_first:
            raise GuestError(f"ready told after other lines: {quoted(line)}")

    def _on_bench(self, line: str, values: dict[str, str]) -> None:
        if values["metric"] not in METRICS or values["fs"] not in FILE_SYSTEMS:
            raise GuestError(f"unknown metric or file system: {quoted(line)}")
        if values["metric"] == "MB/s" and int(values["bytes"]) == 0:
            raise GuestError(f"a rate in MB/s of 0 bytes: {quoted(line)}")
        self._check_complete(line)
        place = (values["name"], values["fs"])
        if place in self._begun:
            raise GuestError(f"a benchmark told twice: {quoted(line)}")
        self._begun.add(place)
        self._bench, self._batches = values, 0

    def _on_requests(self, line: str, values: dict[str, str]) -> None:
        if values["told"] != values["of"] or int(values["told"]) != len(self._requests):
            raise GuestError(f"the disk told {len(self._requests)} requests: {quoted(line)}")
        self._measured, self._requests = self._requests, []

    def _on_output(self, line: str, values: dict[str, str]) -> None:
        self._check_printing(line, values)
        self._printed.output(line, values)

    def _on_printed(self, line: str, values: dict[str, str]) -> None:
        self._check_printing(line, values)
        self._printed.end(line, values)

    def _check_printing(self, line: str, values: dict[str, str]) -> None:
        if self._bench is None or self._bench["name"] != values["name"] or self._batches:
            raise GuestError(f"output elsewhere than before its samples: {quoted(line)}")

    def _on_fail(self, line: str, values: dict[str, str]) -> None:
        self._failed.append(f"{values['name']} ({values['fs']}): {values['reason']}")
        self._bench = None

    def _on_error(self, line: str, values: dict[str, str]) -> None:
        raise GuestError(f"the guest refused its orders: {values['reason']}")

    def _on_end(self, line: str, values: dict[str, str]) -> None:
        if values["status"] not in _STATUSES:
            raise GuestError(f"unknown status (allowed: {', '.join(_STATUSES)}): {quoted(line)}")
        self._check_complete(line)
        self._end = values
