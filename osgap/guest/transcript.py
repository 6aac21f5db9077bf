# SPDX-License-Identifier: BSD-3-Clause
"""Checks the lines of a guest's console and collects its records for the analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from osgap.base.quoting import counted, quoted, shortened
from osgap.guest import records
from osgap.guest.console import PREFIX, PROTOCOL
from osgap.guest.errors import BenchmarkFailed, GuestError, NoEndMarker
from osgap.guest.file_systems import FILE_SYSTEMS
from osgap.guest.lines import values_of
from osgap.guest.program_output import ProgramOutput, failure
from osgap.guest.records import (
    METRICS,
    BenchmarkRecord,
    DeviceRecord,
    DiskRequest,
    DiskUse,
    GuestRecord,
    RegionRecord,
    Sample,
    Source,
)

_STATUSES = ("ok", "failed")
# Keys of a line that identify its benchmark.
_BENCHMARK_KEYS = ("name", "fs")
AnyRecord = TypeVar("AnyRecord", bound=GuestRecord)


@dataclass(frozen=True)
class Transcript:
    """The records of a complete run in the console's order, and the user's programs' output."""

    rows: Mapping[type[GuestRecord], tuple[GuestRecord, ...]]
    printed: Mapping[str, str] = field(default_factory=dict)

    def of(self, record: type[AnyRecord]) -> tuple[AnyRecord, ...]:
        """Returns the rows of `record`, one of records.RECORDS."""
        return cast(tuple[AnyRecord, ...], self.rows[record])

    @property
    def samples(self) -> tuple[Sample, ...]:
        """A sample for each region, in order."""
        return self.of(Sample)


class Reader:
    """Collects the protocol's lines in order, and raises GuestError where they disagree."""

    def __init__(self) -> None:
        self._bench: dict[str, str] | None = None
        self._batches = 0  # samples of this benchmark so far
        self._begun: set[tuple[str, str]] = set()
        self._rows: dict[type[GuestRecord], list[GuestRecord]] = {
            record: [] for record in records.RECORDS
        }
        self._failed: list[str] = []
        self._end: dict[str, str] | None = None
        self._is_first = True
        self._requests: list[tuple[str, dict[str, str]]] = []  # since the last `requests` line
        self._measured: list[tuple[str, dict[str, str]]] | None = None  # before that line
        self._printed = ProgramOutput()

    def line(self, line: str) -> None:
        """Takes the next line that begins with PREFIX."""
        if self._end is not None:
            raise GuestError(f"the guest went on after its end: {quoted(line)}")
        verb, _, rest = line.removeprefix(PREFIX).partition(" ")
        values = values_of(line, verb, rest)
        record = next((record for record in records.RECORDS if record.verb == verb), None)
        if record is None:
            getattr(self, f"_on_{verb}")(line, values)
        elif issubclass(record, DeviceRecord):
            self._requests.append((line, values))
        else:
            self._record(record, line, values)
        self._is_first = False

    def result(self) -> Transcript:
        """Returns all records. Raises NoEndMarker or BenchmarkFailed too."""
        if self._end is None:
            raise NoEndMarker("the guest stopped without an end line")
        if self._failed or self._end["status"] != "ok":
            reasons = "; ".join(self._failed[:3])
            raise BenchmarkFailed(shortened(reasons) or "the guest ended with a failure")
        if not self._samples:
            raise GuestError("the guest ended well without a sample; allowed: one or more")
        if int(self._end["regions"]) != len(self._samples):
            raise GuestError(
                f"the guest counts {counted(int(self._end['regions']), 'region')}, its samples "
                f"{len(self._samples)}"
            )
        for record, rows in self._rows.items():
            if issubclass(record, RegionRecord):
                self._check_every_region(record, cast(list[RegionRecord], rows))
        rows_of = {record: tuple(rows) for record, rows in self._rows.items()}
        return Transcript(rows_of, self._printed.texts)

    @property
    def _samples(self) -> list[Sample]:
        return cast(list[Sample], self._rows[Sample])

    def _check_every_region(self, record: type[RegionRecord], rows: Sequence[RegionRecord]) -> None:
        regions = {row.region for row in rows}
        first: dict[tuple[str, str], int] = {}
        for row in rows:
            first.setdefault((row.benchmark, row.fs), row.batch)
        batches = Counter((sample.benchmark, sample.fs) for sample in self._samples)
        for sample in self._samples:
            benchmark = (sample.benchmark, sample.fs)
            if benchmark not in first or sample.region in regions:
                continue
            middle = batches[benchmark] / 2
            is_timed = record.half_timed and sample.batch < first[benchmark] == middle
            if not is_timed:
                raise GuestError(
                    f"region {sample.region} has no {record.name}, others of its benchmark do"
                )

    def _record(self, record: type[GuestRecord], line: str, values: dict[str, str]) -> None:
        """Adds a row after checking its place."""
        if record is Sample:
            self._check_sample(line, values)
        elif issubclass(record, BenchmarkRecord):
            self._check_of_benchmark(record, line, values)
            if record is DiskUse and self._measured is not None:
                self._add_requests(line, values, self._measured)
        sample = self._samples[-1] if self._samples else None
        if issubclass(record, RegionRecord) and (
            sample is None or int(values["region"]) != sample.region
        ):
            raise GuestError(
                f"{record.name} of another region than the sample before it: {quoted(line)}"
            )
        row = self._row(record, values, sample)
        if issubclass(record, RegionRecord) and self._is_repeated(record, row):
            raise GuestError(f"{record.name} given twice for a region: {quoted(line)}")
        self._rows[record].append(row)

    def _row(
        self, record: type[AnyRecord], values: dict[str, str], sample: Sample | None
    ) -> AnyRecord:
        cells = {}
        for column in records.columns(record):
            if column.spec.source is Source.SAMPLE:
                cells[column.name] = getattr(sample, column.name)
            else:
                line = values if column.spec.source is Source.LINE else self._bench or {}
                cells[column.name] = column.kind(line[column.key])
        return record(**cells)

    def _add_requests(
        self, line: str, values: Mapping[str, str], requests: Sequence[tuple[str, dict[str, str]]]
    ) -> None:
        """Adds a benchmark's requests. Raises GuestError if the driver counted another number."""
        count = int(values["reads"]) + int(values["writes"])
        if len(requests) != count:
            raise GuestError(
                f"the disk reports {counted(len(requests), 'request')} of the {count} that it "
                f"counts: {quoted(line)}"
            )
        for request_line, request in requests:
            if int(request["done_ns"]) < int(request["issue_ns"]):
                raise GuestError(f"a request done before it is issued: {quoted(request_line)}")
            self._rows[DiskRequest].append(self._row(DiskRequest, request, None))

    def _is_repeated(self, record: type[RegionRecord], row: GuestRecord) -> bool:
        """Returns True if the region has an equal row already; regions come in order."""
        names = ("region", *record.unique)
        values = [getattr(row, name) for name in names]
        for earlier in reversed(self._rows[record]):
            earlier_values = [getattr(earlier, name) for name in names]
            if earlier_values == values:
                return True
            if earlier_values[0] != values[0]:
                return False
        return False

    def _check_sample(self, line: str, values: dict[str, str]) -> None:
        self._printed.check_ended(line)
        if not self._is_of_bench(values) or self._bench is None:
            raise GuestError(f"a sample without its bench line: {quoted(line)}")
        batches = int(self._bench["batches"])
        if int(values["batch"]) != self._batches or self._batches == batches:
            due = f"batch {self._batches}" if self._batches < batches else "no more batches"
            raise GuestError(f"{due} of {batches} expected: {quoted(line)}")
        self._batches += 1
        # A benchmark that failed may have begun regions without samples.
        expected = len(self._samples)
        region = int(values["region"])
        if region != expected and not (self._failed and region > expected):
            raise GuestError(f"region {expected} expected: {quoted(line)}")

    def _check_of_benchmark(
        self, record: type[BenchmarkRecord], line: str, values: Mapping[str, str]
    ) -> None:
        """Raises GuestError unless the row is its benchmark's first, after all samples.

        A benchmark's records come in the order of records.RECORDS.
        """
        if not self._is_of_bench(values) or self._left():
            raise GuestError(f"{record.name} elsewhere than after its samples: {quoted(line)}")
        if self._has_row(record):
            raise GuestError(f"{record.name} given twice for a benchmark: {quoted(line)}")
        later = records.RECORDS[records.RECORDS.index(record) + 1 :]
        if earlier := [other.name for other in later if self._has_row(other)]:
            raise GuestError(f"{record.name} after {earlier[0]} of a benchmark: {quoted(line)}")

    def _has_row(self, record: type[GuestRecord]) -> bool:
        """Returns True if the present benchmark has a row of `record`, one for each benchmark."""
        rows = self._rows[record]
        last = rows[-1] if rows else None
        return isinstance(last, BenchmarkRecord) and self._is_of_bench(
            {"name": last.benchmark, "fs": last.fs}
        )

    def _is_of_bench(self, values: Mapping[str, str]) -> bool:
        bench = self._bench
        return bench is not None and all(bench[key] == values[key] for key in _BENCHMARK_KEYS)

    def _left(self) -> int:
        """Returns the number of the benchmark's batches without a sample."""
        return int(self._bench["batches"]) - self._batches if self._bench is not None else 0

    def _check_complete(self, line: str) -> None:
        if self._bench is not None and self._left():
            raise GuestError(
                f"{self._bench['name']} ({self._bench['fs']}) has "
                f"{counted(self._batches, 'batch')} of {self._bench['batches']} before: "
                f"{quoted(line)}"
            )

    def _on_ready(self, line: str, values: dict[str, str]) -> None:
        if values["protocol"] != str(PROTOCOL):
            raise GuestError(f"the guest speaks protocol {values['protocol']}, osgap {PROTOCOL}")
        if not self._is_first:
            raise GuestError(f"ready after other lines: {quoted(line)}")

    def _on_bench(self, line: str, values: dict[str, str]) -> None:
        if values["metric"] not in METRICS or values["fs"] not in FILE_SYSTEMS:
            raise GuestError(f"unknown metric or file system: {quoted(line)}")
        if values["metric"] == "MB/s" and int(values["bytes"]) == 0:
            raise GuestError(f"a rate in MB/s of 0 bytes: {quoted(line)}")
        self._check_complete(line)
        benchmark = (values["name"], values["fs"])
        if benchmark in self._begun:
            raise GuestError(f"a benchmark given twice: {quoted(line)}")
        self._begun.add(benchmark)
        self._bench, self._batches = values, 0

    def _on_requests(self, line: str, values: dict[str, str]) -> None:
        if values["told"] != values["of"] or int(values["told"]) != len(self._requests):
            raise GuestError(
                f"the disk reported {counted(len(self._requests), 'request')}: {quoted(line)}"
            )
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
        self._failed.append(f"{values['name']} ({values['fs']}): {failure(values['reason'])}")
        self._bench = None

    def _on_error(self, line: str, values: dict[str, str]) -> None:
        raise GuestError(f"the guest refused its orders: {values['reason']}")

    def _on_end(self, line: str, values: dict[str, str]) -> None:
        if values["status"] not in _STATUSES:
            raise GuestError(f"unknown status (allowed: {', '.join(_STATUSES)}): {quoted(line)}")
        self._check_complete(line)
        self._end = values
