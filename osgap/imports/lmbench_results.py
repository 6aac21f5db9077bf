# SPDX-License-Identifier: BSD-3-Clause
"""Reads a file of lmbench 3's results, results/SYSTEM/HOST.N: lines and blocks of one run.

Values are those that lmbench's own summary takes: of a block by sizes the largest size's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from osgap.imports.lmbench_summary import PROGRAM
from osgap.imports.program_text import (
    ProgramText,
    ProgramTextError,
    Readings,
    TextSubject,
    cut,
    fact,
    metric_word,
    number,
)

_NUMBER = r"(?P<value>[0-9.]+)"
_TIME = re.compile(
    rf"(?P<label>[A-Za-z0-9][^:]*(?::[^:]+)?): +{_NUMBER} (?P<unit>micro|nano)seconds"
)
_RATE = re.compile(rf"(?P<label>[A-Za-z0-9][^:]*): +{_NUMBER} (?P<unit>[KM])B/sec.*")
_UNITS = {"micro": "us", "nano": "ns"}
_TIMES = {
    "Simple syscall": "null_syscall",
    "Simple read": "syscall_read",
    "Simple write": "syscall_write",
    "Simple stat": "stat",
    "Simple fstat": "fstat",
    "Simple open/close": "open_close",
    "Select on 100 fd's": "select_100fd",
    "Select on 100 tcp fd's": "select_tcp",
    "Signal handler installation": "sig_install",
    "Signal handler overhead": "sig_handler",
    "Protection fault": "prot_fault",
    "Pagefaults": "page_fault",
    "Pipe latency": "pipe_lat",
    "AF_UNIX sock stream latency": "af_unix_lat",
    "Process fork+exit": "fork_exit",
    "Process fork+execve": "fork_execve",
    "Process fork+/bin/sh -c": "fork_sh",
    "UDP latency using localhost": "udp_lat",
    "TCP latency using localhost": "tcp_lat",
    "RPC/udp latency using localhost": "rpc_udp_lat",
    "RPC/tcp latency using localhost": "rpc_tcp_lat",
    "TCP/IP connection cost to localhost": "tcp_conn",
}
_RATES = {"Pipe bandwidth": "bw_pipe", "AF_UNIX sock stream bandwidth": "bw_af_unix"}
# The head of a block of "SIZE VALUE" lines, in MB; the summary takes the largest size.
_BLOCKS = {
    "Socket bandwidth using localhost": ("bw_tcp_MBps", "MB/s"),
    '"mappings': ("mmap_lat_us", "us"),
    '"read bandwidth': ("bw_file_reread_MBps", "MB/s"),
    '"Mmap read bandwidth': ("bw_mmap_reread_MBps", "MB/s"),
    '"libc bcopy unaligned': ("bcopy_libc_MBps", "MB/s"),
    '"unrolled bcopy unaligned': ("bcopy_hand_MBps", "MB/s"),
    "Memory read bandwidth": ("mem_read_MBps", "MB/s"),
    "Memory write bandwidth": ("mem_write_MBps", "MB/s"),
}
_PAIR = re.compile(rf"(?P<size>[0-9.]+)\s+{_NUMBER}(?: MB/sec)?\s*")
_SWITCHES = re.compile(r'"size=(?P<kib>\d{1,6})k ovr=[0-9.]+')
_FILES = re.compile(r"(?P<kib>\d{1,6})k\s+\d+\s+(?P<create>-?[0-9.]+)\s+(?P<delete>-?[0-9.]+)\s*")
_FILES_HEAD = '"File system latency'
_LADDERS = ("Memory load latency", "Random load latency")
_STRIDE = re.compile(r'"stride=(?P<bytes>\d{1,9})')
_L1_MB, _L2_MB = "0.00098", "0.12500"
_KEY = re.compile(r"\[(?P<key>[A-Za-z_ ]+): ?(?P<value>.*?)\]?")
_CLOCK = re.compile(r"(?P<value>[0-9.]+) M[Hh][Zz]\b.*")
_DATE = re.compile(r"\[(?P<date>[^][: ]{2,5} .*\d{4}|\d{4}.*)\]")


def parse(lines: Sequence[str], where: str) -> ProgramText:
    """Parses the lines of a file of results that errors call `where`. Raises ProgramTextError."""
    keys: dict[str, str] = {}
    for match in filter(None, map(_KEY.fullmatch, lines)):
        keys.setdefault(match["key"], match["value"].strip())
    dates = [match["date"] for match in filter(None, map(_DATE.fullmatch, lines))]
    # lmbench writes the date when it begins, and once more as its last line.
    if len(dates) < 2:
        raise cut(where, lines, "to its second date, in brackets")
    readings = Readings()
    for line in lines:
        _read_line(line, readings)
    for head, block in _blocks(lines):
        _read_block(head, block, readings)
    _read_ladders(lines, readings)
    if not readings.rows:
        raise ProgramTextError(f"{where}: found no value; allowed: one or more")
    return ProgramText(_subject(keys, dates[0]), tuple(readings.rows))


def _subject(keys: dict[str, str], date: str) -> TextSubject:
    clock = _CLOCK.fullmatch(keys.get("MHZ", ""))
    system = f"{keys.get('SYSNAME', '')} {keys.get('RELEASE', '')}"
    processor = keys.get("PROCESSOR", "")
    return TextSubject(
        PROGRAM,
        processor="" if processor == "unknown" else fact(processor),
        architecture=fact(keys.get("MACHINE", "")),
        board=fact(keys.get("MOTHERBOARD", "")),
        kernel=fact(system),
        clock_mhz=number(clock["value"]) if clock and number(clock["value"]) > 0 else 0.0,
        is_clock_measured=True,
        date=fact(date),
    )


def _read_line(line: str, readings: Readings) -> None:
    if match := _TIME.fullmatch(line):
        label, unit = match["label"], _UNITS[match["unit"]]
        # The file's name follows, which is no part of the metric.
        label = "Pagefaults" if label.startswith("Pagefaults on ") else label
        metric = f"{_TIMES.get(label, metric_word(label))}_{unit}"
        readings.add(metric, match["value"], unit, label)
    elif match := _RATE.fullmatch(line):
        label = match["label"]
        if label in _RATES:
            readings.add(f"{_RATES[label]}_MBps", match["value"], "MB/s", label)
        elif label.startswith("File ") and label.endswith(" write bandwidth"):
            readings.add("file_write_KBps", match["value"], f"{match['unit']}B/s", "file write")


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each head of a block with its lines: those to the next empty one, or to the next head."""
    head, block = "", list[str]()
    for line in [*lines, ""]:
        is_head = line in _BLOCKS or line == _FILES_HEAD or _SWITCHES.fullmatch(line) is not None
        if head and (is_head or not line.strip()):
            yield head, block
            head = ""
        if is_head:
            head, block = line, []
        elif head:
            block.append(line)


def _read_block(head: str, block: Sequence[str], readings: Readings) -> None:
    if head == _FILES_HEAD:
        for match in filter(None, map(_FILES.fullmatch, block)):
            for work in ("create", "delete"):
                _add_period(f"{work}_{match['kib']}k_us", match[work], readings)
    elif rings := _SWITCHES.fullmatch(head):
        for pair in filter(None, map(_PAIR.fullmatch, block)):
            ring = f"{pair['size']}p{rings['kib']}k"
            readings.add(f"ctx_{metric_word(ring)}_us", pair["value"], "us", f"{ring} switch")
    else:
        pairs = [match for match in map(_PAIR.fullmatch, block) if match is not None]
        if pairs:
            metric, unit = _BLOCKS[head]
            label = head.strip('"')
            readings.add(metric, pairs[-1]["value"], unit, f"{label}, {pairs[-1]['size']} MB")


def _add_period(metric: str, rate: str, readings: Readings) -> None:
    """Adds the us of one file of a rate of files in a second."""
    if number(rate) > 0:
        label = metric.removesuffix("_us").replace("_", " file ")
        readings.add(metric, f"{1e6 / number(rate):.6f}", "us", label)


def _read_ladders(lines: Sequence[str], readings: Readings) -> None:
    """Adds what the summary takes of the loads' times by size: two sizes, and the last one's."""
    ladder, stride, last = "", 0, ""
    for line in [*lines, ""]:
        if line in _LADDERS:
            ladder = line
        elif head := _STRIDE.fullmatch(line):
            stride, last = int(head["bytes"]), ""
        elif stride and (pair := _PAIR.fullmatch(line)):
            size, last = pair["size"], line
            level = {_L1_MB: "l1", _L2_MB: "l2"}.get(size)
            if level and ladder == _LADDERS[0] and stride == 128:
                readings.add(f"{level}_ns", pair["value"], "ns", f"stride 128, {size} MB")
        elif stride:
            _read_end(ladder, stride, last, readings)
            stride, last = 0, ""


def _read_end(ladder: str, stride: int, last: str, readings: Readings) -> None:
    pair = _PAIR.fullmatch(last)
    name = {(_LADDERS[0], 128): "mem", (_LADDERS[1], 16): "mem_rand"}.get((ladder, stride))
    if pair and name:
        label = f"{'random' if name == 'mem_rand' else 'stride 128'}, {pair['size']} MB"
        readings.add(f"{name}_ns", pair["value"], "ns", label)
