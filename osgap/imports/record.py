# SPDX-License-Identifier: BSD-3-Clause
"""Writes another program's values as a run directory of one point, which all commands can read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.base.frozen import Frozen
from osgap.base.quoting import counted
from osgap.engines.contract import Outcome
from osgap.guest import records
from osgap.guest.records import Sample
from osgap.guest.transcript import Transcript
from osgap.imports.matching import Matches
from osgap.imports.program_text import ProgramText, ProgramTextError
from osgap.imports.samples import MatchedReading, matched_readings, samples_of
from osgap.machines.host import NATIVE
from osgap.machines.reported import ClockOrigin, ReportedMachine
from osgap.native.onepoint import native_spec, rounded_clock, write_run
from osgap.rundir.frames import csv_text
from osgap.rundir.manifest import Start
from osgap.rundir.point import OrdersRecord, Spec
from osgap.suites.boards.imported import VALUE_COLUMNS, VALUES_FILE

_HIGHEST_MHZ = 100000


class ImportedSweep(Frozen):
    """The entry `sweep` in run.json of an imported run; `file` is the name of the file read."""

    description: str
    machine: str
    engine: str
    run: tuple[str, ...]
    program: str
    file: str
    sha256: str
    one_core: bool


@dataclass(frozen=True)
class TextSource:
    """A text that was read, its file's name and digest, and the parsed content."""

    text: str
    file: str
    sha256: str
    content: ProgramText


@dataclass(frozen=True)
class Options:
    """A run's name of its machine, its clock in MHz, and whether one core ran all; None: unknown.

    Both come from the text where they are None.
    """

    name: str | None = None
    clock_mhz: float | None = None
    is_one_core: bool = False


@dataclass(frozen=True)
class PreparedRun:
    """A run that only has to be written: its point, its samples, and all values of the text."""

    source: TextSource
    spec: Spec
    samples: tuple[Sample, ...]
    rows: list[MatchedReading]
    is_one_core: bool


def prepare(source: TextSource, matches: Matches, options: Options) -> PreparedRun:
    """Matches a text's values, in the text's order, and describes the point.

    Raises ProgramTextError where no value is of a benchmark of ours or no clock is known.
    """
    machine = _machine(source, options)
    is_one_core = options.is_one_core or machine.cores == 1
    rows = matched_readings(source.content, matches, is_one_core=is_one_core)
    samples = tuple(samples_of(rows))
    if not samples:
        raise ProgramTextError(
            f"{source.file}: found {counted(len(rows), 'value')}, none of an operation that a "
            "benchmark of ours has; allowed: one or more"
        )
    spec = _spec(options, machine, samples)
    return PreparedRun(source, spec, samples, rows, is_one_core)


def write(run: Path, prepared: PreparedRun, started: Start) -> None:
    """Writes a run into the empty directory `run`. Raises OSError."""
    rows = {**dict.fromkeys(records.RECORDS, ()), Sample: prepared.samples}
    files = {VALUES_FILE: _values_text(prepared.rows)}
    outcome = Outcome(prepared.source.text, Transcript(rows), "", 0.0, files)
    write_run(run, prepared.spec, outcome, _sweep(prepared), started)


def _values_text(matched: Sequence[MatchedReading]) -> str:
    names = [name for name, _ in VALUE_COLUMNS]
    rows = (
        (
            row.reading.metric,
            repr(row.reading.value),
            row.reading.unit,
            row.reading.label,
            row.match.benchmark,
            row.match.why,
        )
        for row in matched
    )
    return csv_text(names, rows)


def _machine(source: TextSource, options: Options) -> ReportedMachine:
    subject = source.content.subject
    clock = options.clock_mhz or subject.clock_mhz
    if not 1 <= clock <= _HIGHEST_MHZ:
        clock_text = f"{clock:g} MHz" if clock else "none"
        raise ProgramTextError(
            f"{source.file}: clock: found {clock_text}; allowed: --cpu-mhz MHZ, from 1 to "
            f"{_HIGHEST_MHZ}, the measured processor's"
        )
    origin: ClockOrigin = "measured" if subject.is_clock_measured else "rated"
    return ReportedMachine(
        program=subject.program,
        processor=subject.processor,
        architecture=subject.architecture,
        board=subject.board,
        kernel=subject.kernel,
        cores=subject.cores,
        clock_mhz=clock,
        clock_origin="given" if options.clock_mhz else origin,
        memory_mib=subject.memory_mib,
        measured=subject.date,
        sha256=source.sha256,
    )


def _machine_name(machine: ReportedMachine) -> str:
    """A short name for the machine: its board's, else its processor's, else the program's."""
    words = machine.board or machine.processor or machine.program
    return "-".join(re.findall(r"[a-z0-9.]+", words.lower()))[:40].strip("-.") or "imported"


def _spec(options: Options, machine: ReportedMachine, samples: Sequence[Sample]) -> Spec:
    # A clock that the user gives is kept as it is.
    is_exact = machine.clock_origin == "given"
    clock_mhz = machine.clock_mhz if is_exact else rounded_clock(machine.clock_mhz)
    orders = OrdersRecord(
        run=tuple(dict.fromkeys(sample.benchmark for sample in samples)),
        fs=("sprite",),
        seed=0,
        sets=_sets(samples),
    )
    name = options.name or _machine_name(machine)
    return native_spec(name, machine.program, machine, clock_mhz, orders)


def _sets(samples: Sequence[Sample]) -> dict[str, int]:
    sets: dict[str, int] = {}
    for sample in samples:
        place = f"{sample.benchmark}.{sample.fs}"
        sets |= {f"{place}.count": sample.count, f"{place}.batches": sample.batch + 1}
    return sets


def _sweep(prepared: PreparedRun) -> ImportedSweep:
    source, spec = prepared.source, prepared.spec
    program = spec.engine_version
    return ImportedSweep(
        description=f"values of {program}, imported from a file of SHA-256 {source.sha256[:12]}...",
        machine=spec.machine,
        engine=NATIVE,
        run=spec.orders.run,
        program=program,
        file=source.file,
        sha256=source.sha256,
        one_core=prepared.is_one_core,
    )


def digest(content: bytes) -> str:
    """The SHA-256 of a file's content."""
    return hashlib.sha256(content).hexdigest()
