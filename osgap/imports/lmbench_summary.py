# SPDX-License-Identifier: BSD-3-Clause
"""Reads lmbench 3's summary: tables with a row for each run of each host."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from osgap.base.quoting import counted, quoted
from osgap.imports.program_text import (
    ProgramText,
    ProgramTextError,
    Readings,
    TextSubject,
    choice,
    fact,
    number,
)

PROGRAM = "lmbench 3"


class _Field(NamedTuple):
    """A column: the characters that it is printed in, the metric, the unit, and its label."""

    width: int
    metric: str
    unit: str = ""
    label: str = ""


class _Table(NamedTuple):
    """A table: its title's beginning, the characters before its first field, and its fields."""

    title: str
    start: int
    fields: tuple[_Field, ...]


def _times(*fields: tuple[int, str, str]) -> tuple[_Field, ...]:
    return tuple(_Field(width, f"{name}_us", "us", label) for width, name, label in fields)


def _operations(*names: str) -> tuple[_Field, ...]:
    return tuple(_Field(6, f"{metric}_ns", "ns", metric.replace("_", " ")) for metric in names)


_MHZ = "MHz"
_TABLES = (
    _Table(
        "Processor, Processes",
        24,
        (
            _Field(4, _MHZ),
            *_times(
                (4, "null_syscall", "null call"),
                (4, "null_io", "null I/O"),
                (4, "stat", "stat"),
                (4, "open_close", "open/close"),
                (4, "select_tcp", "select TCP"),
                (4, "sig_install", "signal installed"),
                (4, "sig_handler", "signal handled"),
                (4, "fork_exit", "fork process"),
                (4, "fork_execve", "exec process"),
                (4, "fork_sh", "sh process"),
            ),
        ),
    ),
    _Table(
        "Basic integer operations",
        24,
        _operations("integer_bit", "integer_add", "integer_mul", "integer_div", "integer_mod"),
    ),
    _Table(
        "Basic uint64 operations",
        24,
        _operations("int64_bit", "int64_add", "int64_mul", "int64_div", "int64_mod"),
    ),
    _Table(
        "Basic float operations",
        24,
        _operations("float_add", "float_mul", "float_div", "float_bogomflops"),
    ),
    _Table(
        "Basic double operations",
        24,
        _operations("double_add", "double_mul", "double_div", "double_bogomflops"),
    ),
    _Table(
        "Context switching",
        24,
        _times(
            *((6, f"ctx_{ring}", f"{ring} switch") for ring in ("2p0k", "2p16k", "2p64k")),
            *((6, f"ctx_{ring}", f"{ring} switch") for ring in ("8p16k", "8p64k")),
            *((7, f"ctx_{ring}", f"{ring} switch") for ring in ("16p16k", "16p64k")),
        ),
    ),
    _Table(
        "*Local* Communication latencies",
        24,
        (
            _Field(5, ""),  # the first switch once more
            *_times(
                (5, "pipe_lat", "pipe"),
                (4, "af_unix_lat", "AF UNIX"),
                (5, "udp_lat", "UDP"),
                (5, "rpc_udp_lat", "RPC/UDP"),
                (5, "tcp_lat", "TCP"),
                (5, "rpc_tcp_lat", "RPC/TCP"),
                (4, "tcp_conn", "TCP connection"),
            ),
        ),
    ),
    _Table(
        "File & VM system latencies",
        24,
        _times(
            (6, "create_0k", "0K file create"),
            (6, "delete_0k", "0K file delete"),
            (6, "create_10k", "10K file create"),
            (6, "delete_10k", "10K file delete"),
            (7, "mmap_lat", "mmap latency"),
            (5, "prot_fault", "protection fault"),
            (7, "page_fault", "page fault"),
            (5, "select_100fd", "100fd select"),
        ),
    ),
    _Table(
        "*Local* Communication bandwidths",
        24,
        tuple(
            _Field(width, f"{name}_MBps", "MB/s", label)
            for width, name, label in (
                (4, "bw_pipe", "pipe"),
                (4, "bw_af_unix", "AF UNIX"),
                (4, "bw_tcp", "TCP"),
                (6, "bw_file_reread", "file reread"),
                (6, "bw_mmap_reread", "mmap reread"),
                (6, "bcopy_libc", "bcopy (libc)"),
                (6, "bcopy_hand", "bcopy (hand)"),
                (4, "mem_read", "memory read"),
                (5, "mem_write", "memory write"),
            )
        ),
    ),
    _Table(
        "Memory latencies",
        25,
        (
            _Field(4, _MHZ),
            _Field(6, "l1_ns", "ns", "L1 cache"),
            _Field(6, "l2_ns", "ns", "L2 cache"),
            _Field(6, "mem_ns", "ns", "main memory"),
            _Field(11, "mem_rand_ns", "ns", "random memory"),
        ),
    ),
)
_RULE = re.compile(r"-{9} -{13}(?: .*)?")
_ROW = re.compile(r"\s*(?P<host>\S{1,9})\s+(?P<system>\S+ \S+)(?: .*)?")
_GUESS = re.compile(r" +(?:No L\d cache|Bad mhz)\?$")
_OF_MAKE = re.compile(r"make(?:\[\d+\])?: .*")
_CELL = re.compile(r"(?P<number>[0-9.]+(?:e-?[0-9]{1,2})?)(?P<power>[KM]?)")
_POWERS = {"": 1.0, "K": 1e3, "M": 1e6}


@dataclass(frozen=True)
class _HostRow:
    """A row of a table: its host, its operating system, and its cells."""

    table: _Table
    host: str
    system: str
    cells: tuple[str, ...]


def parse(lines: Sequence[str], where: str, host: str | None) -> ProgramText:
    """Parses the lines of a summary that errors call `where`. Raises ProgramTextError.

    Several rows of the host are repeats.
    """
    rows = list(_rows(lines, where))
    if not rows:
        raise ProgramTextError(f"{where}: found no row of a table; allowed: one or more")
    chosen = choice([row.host for row in rows], host, "--host", where)
    readings, clock = Readings(), 0.0
    rows = [row for row in rows if row.host == chosen]
    for row in rows:
        for place, cell in zip(row.table.fields, row.cells, strict=True):
            value, factor = _value(cell)
            if place.metric == _MHZ:
                clock = max(clock, number(value) if number(value) > 0 else 0.0)
            elif place.metric:
                readings.add(place.metric, value, place.unit, place.label, factor)
    if not readings.rows:
        raise ProgramTextError(f"{where}: found no value of {chosen}; allowed: one or more")
    subject = TextSubject(
        PROGRAM, kernel=fact(rows[0].system), clock_mhz=clock, is_clock_measured=True
    )
    return ProgramText(subject, tuple(readings.rows))


def _rows(lines: Sequence[str], where: str) -> Iterator[_HostRow]:
    table: _Table | None = None
    is_open = False
    for line_number, line in enumerate(lines, 1):
        title = next((each for each in _TABLES if line.strip().startswith(each.title)), None)
        if title is not None or not line.strip() or _OF_MAKE.fullmatch(line):
            table, is_open = title, False
        elif table is not None and _RULE.fullmatch(line):
            is_open = True
        elif is_open and table is not None:
            yield _row(line, table, f"{where}:{line_number}")


def _row(line: str, table: _Table, where: str) -> _HostRow:
    match = _ROW.fullmatch(line)
    if match is not None:
        words = _GUESS.sub("", line[match.end("system") :]).split()
        for cells in (_by_width(line, table), tuple(words)):
            if len(cells) == len(table.fields) and all(map(_is_cell, cells)):
                return _HostRow(table, match["host"], match["system"], cells)
    raise ProgramTextError(
        f"{where}: found {quoted(line)}; allowed: a row of {quoted(table.title)}: a host, its "
        f"system, and {counted(len(table.fields), 'value')}"
    )


def _by_width(line: str, table: _Table) -> tuple[str, ...]:
    """The cells by the widths in which they are printed, some empty; () where widths cut words."""
    cells, start = [], table.start
    for place in table.fields:
        cells.append(line[start : start + place.width].strip())
        start += place.width + 1
    words = line[table.start : start].split()
    is_cut = line[table.start - 1 : table.start].strip() != ""
    return () if is_cut or [cell for cell in cells if cell] != words else tuple(cells)


def _is_cell(cell: str) -> bool:
    return cell in ("", "-", "-1") or _CELL.fullmatch(cell) is not None


def _value(cell: str) -> tuple[str, float]:
    """The digits of a cell, and the factor that its suffix or its exponent stands for."""
    match = _CELL.fullmatch(cell)
    if match is None:
        return "", 1.0
    digits, _, exponent = match["number"].partition("e")
    return digits, _POWERS[match["power"]] * 10.0 ** int(exponent or 0)
