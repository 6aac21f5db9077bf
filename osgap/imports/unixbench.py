# SPDX-License-Identifier: BSD-3-Clause
"""Reads a report of UnixBench 5 or 6: the text that its Run prints and keeps in results/."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from osgap.imports.program_text import (
    ProgramText,
    ProgramTextError,
    Readings,
    TextSubject,
    cut,
    fact,
    foreign,
    lines_of,
    metric_word,
    number,
    whole_number,
)

_HEAD = re.compile(r" *BYTE UNIX Benchmarks \(Version (?P<version>[\w.]{1,20})\)")
_ALLOWED = "a report of UnixBench, which begins 'BYTE UNIX Benchmarks (Version 5'"
_RUN = re.compile(
    r" *(?P<cpus>\d+) CPUs? in system; running (?P<copies>\d{1,6}) parallel cop(?:y|ies) of tests"
)
_DATE = re.compile(r" *Benchmark Run: (?P<date>\S.*?) - .*")
_ROW = re.compile(
    r" *(?P<label>\S.*?)  +(?P<value>[0-9.]+) (?P<unit>[A-Za-z]{2,8}) +"
    r"\((?P<time>[0-9.]+) s, \d+ samples?\)"
)
# After the values of a run comes its index, or the sentence that there is none.
_END = re.compile(r" *(?:System Benchmarks (?:Partial )?Index|No index results available).*")
_UNITS = {"lps": "loops/s", "lpm": "loops/min", "KBps": "KiB/s", "MWIPS": "MWIPS"}
_METRICS = {
    "Dhrystone 2 using register variables": "dhry2",
    "Double-Precision Whetstone": "whet",
    "Execl Throughput": "ub_execl",
    "File Copy 256 bufsize 500 maxblocks": "ub_fcopy256",
    "File Copy 1024 bufsize 2000 maxblocks": "ub_fcopy1024",
    "File Copy 4096 bufsize 8000 maxblocks": "ub_fcopy4096",
    "Pipe Throughput": "ub_pipe",
    "Pipe-based Context Switching": "ub_ctx",
    "Process Creation": "ub_spawn",
    "Shell Scripts (1 concurrent)": "ub_shell1",
    "Shell Scripts (8 concurrent)": "ub_shell8",
    "System Call Overhead": "ub_syscall",
}
_FACTS = {
    "kernel": re.compile(r" *OS: (?:GNU/)?(?P<fact>\S+ -- \S+) -- .*"),
    "architecture": re.compile(r" *Machine: (?P<fact>\S+).*"),
    "processor": re.compile(r" *CPU 0: (?P<fact>.*?) *\([0-9.]+ bogomips\)"),
}
_RATED = re.compile(r"@ *(?P<value>[0-9.]{1,9}) ?(?P<unit>[GM])Hz")
_MHZ = {"G": 1000.0, "M": 1.0}


@dataclass
class _Run:
    """One run of the tests: the CPUs of the system, the copies at once, the date, the rows."""

    cpus: int
    copies: int
    date: str
    rows: list[re.Match[str]] = field(default_factory=list)
    is_complete: bool = False


def parse(text: str, where: str) -> ProgramText:
    """Parses a report that errors call `where`. Raises ProgramTextError.

    Metrics of a run of several copies end in _xN; the run of one copy comes first.
    """
    lines = lines_of(text, where)
    head = next((match for line in lines if (match := _HEAD.fullmatch(line))), None)
    if head is None:
        raise foreign(where, lines, _ALLOWED)
    if not head["version"].startswith(("5.", "6.")):
        raise ProgramTextError(f"{where}: found version {head['version']}; allowed: 5 or 6")
    runs = _runs(lines)
    if not runs or not all(run.is_complete for run in runs):
        raise cut(where, lines, "to the index of each run ('System Benchmarks Index')")
    readings = Readings()
    for run in sorted(runs, key=lambda run: run.copies):
        for row in run.rows:
            _read(row, run.copies, readings)
    if not readings.rows:
        raise ProgramTextError(f"{where}: found no values of a run; allowed: one or more")
    return ProgramText(_subject(lines, head["version"], runs[0]), tuple(readings.rows))


def _runs(lines: Sequence[str]) -> list[_Run]:
    runs: list[_Run] = []
    date = ""
    for line in lines:
        if match := _DATE.fullmatch(line):
            date = match["date"]
        elif match := _RUN.fullmatch(line):
            runs.append(_Run(whole_number(match["cpus"]), int(match["copies"]), date))
        elif runs and (match := _ROW.fullmatch(line)):
            runs[-1].rows.append(match)
        elif runs and _END.fullmatch(line):
            runs[-1].is_complete = True
    return runs


def _read(row: re.Match[str], copies: int, readings: Readings) -> None:
    label, unit = row["label"], row["unit"]
    name = _METRICS.get(label, f"ub_{metric_word(label)}")
    at_once = "" if copies == 1 else f"_x{copies}"
    title = label if copies == 1 else f"{label}, {copies} copies"
    readings.add(f"{name}_{unit}{at_once}", row["value"], _UNITS.get(unit, unit), title)


def _subject(lines: Sequence[str], version: str, run: _Run) -> TextSubject:
    facts = {
        name: next((match["fact"] for line in lines if (match := pattern.fullmatch(line))), "")
        for name, pattern in _FACTS.items()
    }
    clock = _RATED.search(facts["processor"])
    return TextSubject(
        program=f"UnixBench {version}",
        cores=run.cpus,
        clock_mhz=number(clock["value"]) * _MHZ[clock["unit"]] if clock else 0.0,
        date=fact(run.date),
        kernel=fact(facts["kernel"].replace(" -- ", " ")),
        architecture=fact(facts["architecture"]),
        processor=fact(facts["processor"]),
    )
