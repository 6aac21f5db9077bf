# SPDX-License-Identifier: BSD-3-Clause
"""Reads a result file of sbc-bench: tinymembench, ramlat, 7-Zip, OpenSSL and measured clocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from osgap.imports.program_text import (
    ProgramText,
    ProgramTextError,
    Readings,
    TextSubject,
    choice,
    cut,
    fact,
    foreign,
    lines_of,
    metric_word,
    number,
    whole_number,
)

_HEAD = re.compile(
    r"sbc-bench v(?P<version>[\w.]{1,20})(?P<board> .*?)?(?: \((?P<date>\w{3}, [^()]+)\))?"
)
_ALLOWED = "the result file of sbc-bench, which begins 'sbc-bench v0.9'"
_SYSTEM = re.compile(
    r"Linux (?P<release>\S+) \(.*\)\s+\S+\s+_(?P<machine>\w+)_\s+\((?P<cores>\d+) CPU\)"
)
_MEMORY = re.compile(r"Mem:\s+(?P<size>[0-9.]+)(?P<unit>[KMG])i?\s.*")
_MIB = {"K": 1 / 1024, "M": 1.0, "G": 1024.0}
_PLACE = re.compile(
    r"Executing (?P<work>benchmark|ramlat|benchmark single-threaded) on cpu(?P<cpu>\d{1,4})"
    r"(?: \((?P<core>.*)\))?(?:, results in ns)?:?"
)
_CLUSTER = re.compile(r"Executing benchmark twice on cluster .*")
_ALL_CPUS = re.compile(r"Executing benchmark \d+ times multi-threaded.*")
_CLOCKS = re.compile(r"Checking cpufreq OPP(?: for cpu(?P<low>\d+)(?:-cpu(?P<high>\d+))?)?.*:")
_CLOCK = re.compile(
    r"(?:Cpufreq OPP: +\d+ +(?:ThreadX: +\d+ +)?Measured: +(?P<mhz>\d+)\b.*"
    r"|No cpufreq support available\. Measured on cpu(?P<cpu>\d+): (?P<alone>\d+)(?: [Mm]Hz)?\b.*)"
)
_RULE = re.compile(r"#{20,}")
_RATE = re.compile(r" (?P<label>\S.*?) +: +(?P<value>[0-9.]+) MB/s.*")
_LATENCY = re.compile(r" *(?P<bytes>\d{1,12}) : +(?P<single>[0-9.]+) ns +/ +(?P<dual>[0-9.]+) ns.*")
_RATES = {
    "standard memcpy": "memcpy",
    "libc memcpy copy": "memcpy",
    "standard memset": "memset",
    "libc memset fill": "memset",
    "libc memchr scan": "memchr",
    "C copy": "ccopy",
    "C fill": "cfill",
    "C scan 64": "cscan64",
}
_CHAINS = re.compile(r" +size: +(?P<heads>(?:\d+x\w+ *)+)")
_CHASE = re.compile(r" *(?P<kib>\d{1,9})k: +(?P<cells>[0-9. ]+)")
_ZIP = re.compile(r"Tot: +\d+ +\d+ +(?P<value>\d+)")
_CIPHER = re.compile(r"(?P<name>aes-\d+-cbc) .* (?P<value>[0-9.]+)k")


@dataclass
class _Part:
    """The lines of one measurement: of `work` on the CPU `cpu`, or on all if it is ""."""

    work: str
    cpu: str = ""
    core: str = ""
    lines: list[str] = field(default_factory=list)


def parse(text: str, where: str, cpu: str | None = None) -> ProgramText:
    """Parses a result file that errors call `where`. Raises ProgramTextError.

    Where several CPUs were measured, as of a processor with cores of two kinds, `cpu` is the number
    of the one to take.
    """
    lines = lines_of(text, where)
    heads = (match for line in lines if (match := _HEAD.fullmatch(line)))
    head = next(heads, None)
    if head is None:
        raise foreign(where, lines, _ALLOWED)
    parts = _parts(lines)
    cpus = [part.cpu for part in parts if part.work == "benchmark" and part.cpu]
    if not cpus:
        raise ProgramTextError(
            f"{where}: found no 'Executing benchmark on cpu' of sbc-bench {head['version']}; "
            "allowed: a text of sbc-bench 0.9 or later, with its measurements"
        )
    # The system's state is printed before and after all measurements.
    if sum(line.startswith("Mem:") for line in lines) < 2:
        raise cut(where, lines, "to the system's state after the measurements ('Mem:')")
    chosen = choice(cpus, cpu, "--cpu", where)
    readings = Readings()
    for part in parts:
        if part.cpu in ("", chosen):
            _read(part, readings, is_one_kind=len(set(cpus)) == 1)
    if not readings.rows:
        raise ProgramTextError(f"{where}: found no value of cpu{chosen}; allowed: one or more")
    core = next((part.core for part in parts if part.cpu == chosen and part.core), "")
    return ProgramText(_subject(lines, head, chosen, core), tuple(readings.rows))


def _parts(lines: Sequence[str]) -> list[_Part]:
    """The measurements, in the text's order; each ends at a rule, or where the next begins."""
    parts: list[_Part] = []
    is_open = False
    for line in lines:
        if start := _start(line):
            parts.append(start)
            is_open = True
        elif _RULE.match(line) or line.startswith("Executing "):
            is_open = False
        elif is_open:
            parts[-1].lines.append(line)
    return parts


def _start(line: str) -> _Part | None:
    if match := _PLACE.fullmatch(line):
        return _Part(match["work"], str(int(match["cpu"])), match["core"] or "")
    if _CLUSTER.fullmatch(line):
        return _Part("cluster")
    return _Part("all") if _ALL_CPUS.fullmatch(line) else None


def _read(part: _Part, readings: Readings, *, is_one_kind: bool) -> None:
    if part.work == "benchmark":
        _read_tinymembench(part.lines, readings)
    elif part.work == "ramlat":
        _read_ramlat(part.lines, readings)
    elif part.work == "cluster" and is_one_kind:
        for match in filter(None, map(_CIPHER.fullmatch, part.lines)):
            metric = f"openssl_{metric_word(match['name'])}_16KiB_kBps"
            readings.add(metric, match["value"], "kB/s", f"{match['name']}, 16384 bytes")
    elif part.work in ("benchmark single-threaded", "all"):
        name = "all CPUs" if part.work == "all" else "one thread"
        metric = "7zip_all_MIPS" if part.work == "all" else "7zip_1t_MIPS"
        for match in filter(None, map(_ZIP.fullmatch, part.lines)):
            readings.add(metric, match["value"], "MIPS", f"7-Zip, {name}")


def _read_tinymembench(lines: Sequence[str], readings: Readings) -> None:
    pages = ""
    for line in lines:
        if line.startswith("block size :"):
            pages = "huge_" if line.endswith("[MADV_HUGEPAGE]") else ""
        elif match := _RATE.fullmatch(line):
            name = _RATES.get(match["label"], metric_word(match["label"]))
            readings.add(f"tmb_{name}_MBps", match["value"], "MB/s", match["label"])
        elif (match := _LATENCY.fullmatch(line)) and int(match["bytes"]) >= 1024:
            kib = int(match["bytes"]) // 1024
            for name, cell in (("lat", "single"), ("dual", "dual")):
                metric = f"tmb_{name}_{pages}{kib}KiB_ns"
                label = f"{cell} random read, {kib} KiB{', huge pages' if pages else ''}"
                readings.add(metric, match[cell], "ns", label)


def _read_ramlat(lines: Sequence[str], readings: Readings) -> None:
    heads: list[str] = []
    for line in lines:
        if match := _CHAINS.fullmatch(line):
            heads = match["heads"].split()
        elif match := _CHASE.fullmatch(line):
            for head, cell in zip(heads, match["cells"].split(), strict=False):
                name = metric_word(head.replace("xPTR", "ptr"))
                metric = f"ramlat_{name}_{int(match['kib'])}KiB_ns"
                readings.add(metric, cell, "ns", f"{head}, {int(match['kib'])} KiB")


def _subject(lines: Sequence[str], head: re.Match[str], cpu: str, core: str) -> TextSubject:
    system = next((match for line in lines if (match := _SYSTEM.fullmatch(line))), None)
    memory = next((match for line in lines if (match := _MEMORY.fullmatch(line))), None)
    size = number(memory["size"]) * _MIB[memory["unit"]] if memory else 0.0
    board = re.sub(r"^ *--.*", "", head["board"] or "")
    return TextSubject(
        program=f"sbc-bench {head['version']}",
        processor=fact(core),
        architecture=system["machine"] if system else "",
        board=fact(board),
        kernel=fact(f"Linux {system['release']}") if system else "",
        cores=whole_number(system["cores"]) if system else 0,
        clock_mhz=max(_clocks(lines, int(cpu)), default=0.0),
        is_clock_measured=True,
        memory_mib=int(size) if size < 1e9 else 0,
        date=fact(head["date"] or ""),
    )


def _clocks(lines: Sequence[str], cpu: int) -> Iterator[float]:
    """The clocks in MHz that were measured of the CPU `cpu`."""
    is_of_cpu = True
    for line in lines:
        if match := _CLOCKS.fullmatch(line):
            low, high = whole_number(match["low"] or ""), whole_number(match["high"] or "")
            is_of_cpu = match["low"] is None or low <= cpu <= max(low, high)
        elif (match := _CLOCK.fullmatch(line)) and is_of_cpu:
            yield number(match["mhz"] or match["alone"])
