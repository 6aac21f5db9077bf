# SPDX-License-Identifier: BSD-3-Clause
"""The page format of Hohmuth 1996, section 5.2: two pages of four sheets, cells as text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

HOST, SYSTEM = 9, 13
"""The widths of the first two columns as printed; longer names widen them."""

Cells = Mapping[str, str]


@dataclass(frozen=True)
class Sheet:
    """One of the four tables: its columns (name, width), the lines above its cells without the
    first two columns, and its titles on the two pages.
    """

    name: str
    columns: tuple[tuple[str, int], ...]
    heads: tuple[str, ...]
    absolute: tuple[str, ...]
    relative: tuple[str, ...]


def _columns(**widths: int) -> tuple[tuple[str, int], ...]:
    return tuple(widths.items())


PROCESSES = Sheet(
    "processes",
    _columns(
        mhz=4,
        null_call=7,
        null_process=7,
        simple_process=7,
        sh_process=7,
        mmap_latency=4,
        ctxsw_2=6,
        ctxsw_8=6,
    ),
    (
        "  Mhz    Null    Null  Simple /bin/sh Mmap 2-proc 8-proc",
        "      Syscall Process Process Process  lat  ctxsw  ctxsw",
        " ---- ------- ------- ------- ------- ---- ------ ------",
    ),
    (" " * 12 + "Processor, Processes - times in microseconds", " " * 12 + "-" * 44),
    (" " * 8 + "Processor, Processes - factor slower than the best", " " * 8 + "-" * 50),
)
LATENCIES = Sheet(
    "latencies",
    _columns(
        pipe_latency=7,
        udp_latency=7,
        rpc_udp_latency=7,
        tcp_latency=7,
        rpc_tcp_latency=7,
    ),
    (
        "  Pipe       UDP    RPC/     TCP    RPC/",
        " " * 21 + "UDP             TCP",
        " ------- ------- ------- ------- -------",
    ),
    (" " * 12 + "*Local* Communication latencies in microseconds", " " * 12 + "-" * 47),
    (" " * 8 + "*Local* Communication latencies - factor slower than the best", " " * 8 + "-" * 61),
)
BANDWIDTHS = Sheet(
    "bandwidths",
    _columns(
        pipe_bandwidth=4,
        tcp_bandwidth=4,
        file_reread=6,
        mmap_reread=6,
        bcopy_libc=6,
        bcopy_hand=6,
        memory_read=4,
        memory_write=5,
    ),
    (
        " Pipe  TCP  File   Mmap  Bcopy  Bcopy  Mem   Mem",
        " " * 11 + "reread reread (libc) (hand) read write",
        " ---- ---- ------ ------ ------ ------ ---- -----",
    ),
    (" " * 12 + "*Local* Communication bandwidths in megabytes/second", " " * 12 + "-" * 52),
    (" " * 8 + "*Local* Communication bandwidths - percentage of the best", " " * 8 + "-" * 57),
)
MEMORY = Sheet(
    "memory",
    _columns(mhz=5, latency_l1=5, latency_l2=6, latency_memory=11),
    ("   Mhz  L1 $   L2 $    Main mem    Guesses", "   ---  ----   ----    --------    -------"),
    (
        " " * 12 + "Memory latencies in nanoseconds",
        " " * 12 + "(WARNING - may not be correct, check graphs)",
        " " * 12 + "-" * 44,
    ),
    (
        " " * 12 + "Memory latencies in nanoseconds - factor slower than the best",
        " " * 20 + "(WARNING - may not be correct, check graphs)",
        " " * 12 + "-" * 61,
    ),
)
SHEETS = (PROCESSES, LATENCIES, BANDWIDTHS, MEMORY)
GUESS = "guess"

_SUMMARY = "L M B E N C H  1 . 0   S U M M A R Y"
# The title here: these benchmarks are not lmbench.
_TITLE = "H O H M U T H ' S   R O W S"


@dataclass(frozen=True)
class PageRow:
    """One line in every sheet of a page: `cells` maps sheet -> column -> text."""

    host: str
    system: str
    cells: Mapping[str, Cells]


def unit(benchmark: str) -> str:
    """Returns a column's unit: MB/s of a rate, ns of a memory's latency, us of others."""
    if any(name == benchmark for name, _ in BANDWIDTHS.columns):
        return "MB/s"
    return "ns" if any(name == benchmark for name, _ in MEMORY.columns) else "us"


def page(rows: Sequence[PageRow], *, relative: bool, published: bool = False) -> list[str]:
    """Returns the lines of a page; with `published` under the name of Hohmuth's program."""
    widths = (
        max([HOST, *(len(row.host) for row in rows)]),
        max([SYSTEM, *(len(row.system) for row in rows)]),
    )
    lines = _titles(relative, _SUMMARY if published else _TITLE)
    for sheet in SHEETS:
        lines += ["", *(sheet.relative if relative else sheet.absolute)]
        lines += _heads(sheet, widths)
        lines += [_line(sheet, row, widths) for row in rows]
    return [line.rstrip() for line in lines]


def _titles(relative: bool, name: str) -> list[str]:
    indent = " " * (16 if relative else 20)
    lines = [indent + name, indent + "-" * len(name)]
    if not relative:
        return lines
    best = "Comparison to best of the breed"
    lines += ["", "  " + indent + best, "  " + indent + "-" * len(best)]
    return [*lines, indent + "(Best numbers are starred, i.e., *123)"]


def _heads(sheet: Sheet, widths: tuple[int, int]) -> Iterator[str]:
    host, system = widths
    for number, head in enumerate(sheet.heads):
        if number == 0:
            yield f"{'Host':<{host}} {'OS':>{system}}{head}"
        elif number == len(sheet.heads) - 1:
            yield f"{'-' * host} {'-' * system}{head}"
        else:
            yield " " * (host + 1 + system) + head


def _line(sheet: Sheet, row: PageRow, widths: tuple[int, int]) -> str:
    cells = row.cells[sheet.name]
    values = " ".join(f"{cells[name]:>{width}}" for name, width in sheet.columns)
    guess = f"    {cells[GUESS]}" if cells.get(GUESS) else ""
    return f"{row.host:<{widths[0]}} {row.system:>{widths[1]}} {values}{guess}"
