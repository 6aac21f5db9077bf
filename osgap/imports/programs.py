# SPDX-License-Identifier: BSD-3-Clause
"""Reads a file of another benchmark program's output, and makes a run of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.base.quoting import quoted
from osgap.imports import lmbench, sbc_bench, unixbench
from osgap.imports.matching import load_matches
from osgap.imports.program_text import ProgramText, ProgramTextError
from osgap.imports.record import Options, TextSource, digest, prepare, write
from osgap.imports.samples import MatchedReading
from osgap.native.output import decoded
from osgap.rundir import manifest
from osgap.rundir.output import claim_run

LMBENCH, UNIXBENCH, SBC_BENCH = "lmbench", "unixbench", "sbc-bench"
PROGRAMS = (LMBENCH, UNIXBENCH, SBC_BENCH)
_LARGEST = 16 << 20
"""Bytes of a file; that of the longest text in UTF-16 has half."""


@dataclass(frozen=True)
class TextPart:
    """The part of a text to take: a host of lmbench, a CPU of sbc-bench; None: the only one."""

    host: str | None = None
    cpu: int | None = None


@dataclass(frozen=True)
class ImportedRun:
    """A run directory that was written, and the text's values with their matches."""

    path: Path
    rows: list[MatchedReading]


def import_file(
    program: str,
    file: Path,
    output: Path | None,
    part: TextPart,
    options: Options,
    command: tuple[str, ...],
) -> ImportedRun:
    """Makes a run of `file`, which `program` wrote. Raises OsgapError or OSError.

    No directory is made where the text is not usable.
    """
    prepared = prepare(read_source(program, file, part), load_matches(), options)
    run = claim_run(output, project_root() / "results" / "runs", "imported")
    write(run, prepared, manifest.start(command, ""))
    return ImportedRun(run, prepared.rows)


def read_source(program: str, file: Path, part: TextPart) -> TextSource:
    """Reads and parses `file`. Raises OsgapError, which names the file."""
    try:
        content = inputs.read_bytes(file, largest=_LARGEST)
    except OSError as error:
        raise ProgramTextError(f"{file}: cannot be read: {error.strerror}") from None
    try:
        text = decoded(content)
    except UnicodeError:
        raise ProgramTextError(f"{file}: is not text; allowed: the text of {program}") from None
    return TextSource(text, file.name, digest(content), parse(program, text, str(file), part))


def parse(program: str, text: str, where: str, part: TextPart) -> ProgramText:
    """Parses a text of `program`, one of PROGRAMS. Raises ProgramTextError or OsgapError."""
    if part.host is not None and program != LMBENCH:
        raise OsgapError(f"--host: found with {program}; allowed: with {LMBENCH}")
    if part.cpu is not None and program != SBC_BENCH:
        raise OsgapError(f"--cpu: found with {program}; allowed: with {SBC_BENCH}")
    if program == LMBENCH:
        return lmbench.parse(text, where, part.host)
    if program == SBC_BENCH:
        return sbc_bench.parse(text, where, None if part.cpu is None else str(part.cpu))
    if program == UNIXBENCH:
        return unixbench.parse(text, where)
    raise OsgapError(f"program: found {quoted(program)}; allowed: {', '.join(PROGRAMS)}")
