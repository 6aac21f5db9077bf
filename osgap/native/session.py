# SPDX-License-Identifier: BSD-3-Clause
"""Measures this machine, or reads a measurement from a file, and writes it as a run directory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from osgap.analysis.tables import read_tables
from osgap.base.paths import project_root
from osgap.base.quoting import counted
from osgap.base.suggestions import no_directory
from osgap.image.benchmarks import benchmarks, check_known, check_once
from osgap.image.scons import ensure_packages, scons
from osgap.machines.host import HostMachine
from osgap.native.bundle import write_bundle
from osgap.native.measure import (
    DEFAULT_RUN,
    DEFAULT_SECONDS,
    check_cpu,
    check_host,
    measure,
    with_rating,
    with_rows,
)
from osgap.native.merge import MergedRounds
from osgap.native.mix import mix_of
from osgap.native.output import MeasureOutput, NativeError, parse, read
from osgap.native.record import write
from osgap.native.template.times import ROWS
from osgap.native.template.write import check_target, write_machine_file
from osgap.native.text import Facts
from osgap.rundir import manifest
from osgap.rundir.output import claim_run


@dataclass(frozen=True)
class Session:
    """Options of one measurement; None takes the default.

    `file` is output of measure.sh to read in place of measuring. `seconds` includes building.
    `machine_file` is a machine file to write of the machine that was measured.
    """

    file: Path | None
    scratch: Path | None
    output: Path | None
    name: str | None
    seconds: int | None
    run: Sequence[str] | None
    cpu: int | None
    machine_file: Path | None
    command: tuple[str, ...]


@dataclass(frozen=True)
class NativeRun:
    """A run directory that was written, the machine in it, its facts and its merged rounds."""

    path: Path
    machine: HostMachine
    facts: Facts
    merged: MergedRounds


def record(session: Session) -> NativeRun:
    """Measures this machine or reads `session.file`; writes the run. Raises OsgapError, OSError."""
    results = project_root() / "results"
    if session.machine_file is not None:
        check_target(session.machine_file)
    if session.file is not None:
        output, where = read(session.file), str(session.file)
        run = claim_run(session.output, results / "runs", "native")
    else:
        check_host()
        check_cpu(session.cpu)
        chosen = session.run or DEFAULT_RUN
        check_known(chosen, benchmarks())
        check_once(chosen)
        scratch = _scratch(session.scratch)
        run = claim_run(session.output, results / "runs", "native")
        output, where = _measure_here(session, scratch, chosen), "this machine"
    mix = mix_of(output, results / "locked" / "curve" / "default", where)
    started = manifest.start(session.command, "")
    machine, merged = write(run, output, where, session.name, mix, started)
    return NativeRun(run, machine, output.facts, merged)


def describe(run: NativeRun, path: Path) -> None:
    """Writes the machine file of the machine that was measured. Raises NativeError, OSError."""
    write_machine_file(path, run.machine, run.facts, run.merged.transcript.samples)


def build_bundle(machine: str) -> Path:
    """Builds the archive to carry to a machine of this architecture. Raises OsgapError, OSError."""
    ensure_packages(["python", machine])
    scons("native", f"bundle={machine}")
    return write_bundle(project_root(), machine)


def interval_warnings(run: Path, limit: float, machine: HostMachine) -> list[str]:
    """A sentence if over a quarter of the analysed run's intervals are wider than `limit`."""
    intervals = read_tables(run / "tables", ["intervals"])["intervals"]
    widths = intervals.loc[intervals["fs"] == "none", "width"]
    wide = int((widths > limit).sum())
    cause = (
        f"the cgroup's quota of {counted(machine.quota, 'CPU')} stopped the benchmarks"
        if machine.throttled
        else "something else ran on this machine or on its host"
    )
    sentence = (
        f"{wide} of {counted(len(widths), 'interval')} without files "
        f"{'is' if wide == 1 else 'are'} wider than {limit:.0%}: {cause}; another run says how "
        "much that moves the medians (osgap compare)"
    )
    return [sentence] if wide > len(widths) / 4 else []


def _scratch(folder: Path | None) -> Path:
    """The directory for the benchmarks' files, by default build/. Raises NativeError, OSError."""
    if folder is None:
        folder = project_root() / "build"
        folder.mkdir(parents=True, exist_ok=True)
    if not folder.is_dir():
        problem = f"{folder}: is no directory" if folder.exists() else no_directory(folder)
        raise NativeError(f"--scratch: {problem}")
    return folder


def _measure_here(session: Session, scratch: Path, run: Sequence[str]) -> MeasureOutput:
    began, seconds = monotonic(), session.seconds or DEFAULT_SECONDS
    scons("native")
    built_s = monotonic() - began
    if seconds - built_s < 1:
        raise NativeError(
            f"--seconds {seconds}: building took {built_s:.0f} s; allowed: more seconds, or the "
            "same again, since all is built now"
        )
    program = project_root() / "build" / "host" / "osgap-bench"
    rows = with_rows(with_rating(run), ROWS if session.machine_file else ())
    text = measure(program, scratch, seconds - built_s, rows, session.cpu)
    return parse(text, "this machine")
