# SPDX-License-Identifier: BSD-3-Clause
"""Parses the output of workloads/native/measure.sh, which may come from any machine."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.guest.console import PREFIX

HEADER = "osgap-native 1"
LARGEST = 8 << 20
"""Bytes of output; 90 benchmarks in 15 rounds print 600,000."""
_VERBS = ("fact", "clock", "instructions", "left-out", "refused", "round", "load", "done")
_HEADERS = re.compile(r"osgap-native( .*)?")
_END = re.compile(r"done( .*)?")
_PROGRESS = re.compile(r"round \d+, \d+ s|finding out how many operations make a batch")
"""The words of measure.sh to people, which are in the file where standard error is."""
_LEFT_OUT = re.compile(r"name=(?P<name>[a-z0-9_.-]+) fs=[a-z]+ reason=(?P<reason>[a-z0-9_.-]+)")


class NativeError(OsgapError):
    """A machine that cannot be measured, or malformed output of measure.sh."""


@dataclass(frozen=True)
class RoundOutput:
    """Output of one process of benchmarks: its round, its file system and its console."""

    round: int
    fs: str
    console: str


@dataclass(frozen=True)
class MeasureOutput:
    """The parsed output of measure.sh: facts by path or name, the instructions of integer_mix with
    the way of counting, and benchmarks left out -> reason.
    """

    text: str
    facts: Mapping[str, str]
    clock_khz: int
    mix: tuple[int, str] | None
    left_out: Mapping[str, str]
    parts: tuple[RoundOutput, ...]
    load_after: str
    rounds: int


def read(path: Path) -> MeasureOutput:
    """Parses the file `path`. Raises NativeError, naming the file, or OsgapError."""
    try:
        content = inputs.read_bytes(path)
    except OSError as error:
        raise NativeError(f"{path}: cannot be read: {error.strerror}") from None
    return parse(decoded(content), str(path))


def decoded(content: bytes) -> str:
    """The text of a file that may come from another system: UTF-8, or UTF-16 with its mark."""
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if wide else "utf-8", "replace")


def parse(text: str, where: str) -> MeasureOutput:
    """Parses `text` with any ends of lines; errors name it as `where`. Raises NativeError.

    What a terminal adds before and after, and the words that measure.sh writes to people, are
    skipped.
    """
    if len(text) > LARGEST:
        raise NativeError(f"{where}: found {len(text)} characters; allowed: {LARGEST}")
    first, lines = _own_lines(text, where)
    by_verb: dict[str, list[str]] = {verb: [] for verb in _VERBS}
    consoles: list[list[str]] = []
    for number, line in enumerate(lines, start=first):
        verb, _, rest = line.partition(" ") if not _PROGRESS.fullmatch(line) else ("", "", "")
        if line.startswith(PREFIX) and consoles:
            consoles[-1].append(line)
        elif verb in by_verb and rest:
            by_verb[verb].append(rest)
            if verb == "round":
                consoles.append([])
        elif line and not _PROGRESS.fullmatch(line):
            allowed = ", ".join(_VERBS)
            raise NativeError(f"{where}:{number}: found {quoted(line)}; allowed: {allowed}")
    if by_verb["refused"]:
        raise NativeError(f"{where}: the benchmarks were refused: {quoted(by_verb['refused'][0])}")
    return MeasureOutput(
        text="".join(f"{line}\n" for line in (HEADER, *lines)),
        facts=dict(fact.partition(" ")[::2] for fact in by_verb["fact"]),
        clock_khz=_number(by_verb, "clock", where),
        mix=_mix(by_verb, where),
        left_out=dict(_left_out(line, where) for line in by_verb["left-out"]),
        parts=tuple(
            _part(line, console, where)
            for line, console in zip(by_verb["round"], consoles, strict=True)
        ),
        load_after="".join(by_verb["load"][-1:]),
        rounds=_number(by_verb, "done", where),
    )


def _own_lines(text: str, where: str) -> tuple[int, list[str]]:
    """The lines between the header and the end, and the number of the first. Raises NativeError."""
    # Not splitlines, which takes more characters for ends of lines than a terminal does.
    lines = re.sub(r"\r+\n?", "\n", text.lstrip("\ufeff")).split("\n")
    starts = [line for line in lines if _HEADERS.fullmatch(line)]
    if starts != [HEADER]:
        first = "; ".join(starts) or next((line for line in lines if line.strip()), "")
        raise NativeError(f"{where}: found {quoted(first)}; allowed: {quoted(HEADER)} first, once")
    header = lines.index(HEADER)
    ends = [index for index, line in enumerate(lines) if index > header and _END.fullmatch(line)]
    if not ends:
        last = next(line for line in reversed(lines) if line)
        raise NativeError(
            f"{where}: is cut: found {quoted(last)} as its last line; allowed: the whole output, "
            "to the line that starts with 'done'"
        )
    return header + 2, lines[header + 1 : ends[-1] + 1]


def _number(lines: Mapping[str, list[str]], verb: str, where: str) -> int:
    """The number, from 1, that starts the only line of a verb. Raises NativeError."""
    words = lines[verb][0].split() if len(lines[verb]) == 1 else []
    if not words or not words[0].isdigit() or not 0 < int(words[0][:12]) < 10**9:
        value = quoted("; ".join(lines[verb]))
        raise NativeError(f"{where}: {verb}: found {value}; allowed: one line with a number from 1")
    return int(words[0])


def _mix(lines: Mapping[str, list[str]], where: str) -> tuple[int, str] | None:
    words = lines["instructions"][0].split() if len(lines["instructions"]) == 1 else []
    if words == ["none"]:
        return None
    if len(words) != 2 or words[1] not in ("perf", "steps"):
        raise NativeError(
            f"{where}: instructions: found {quoted(' '.join(words))}; allowed: none, or a number "
            "and perf or steps"
        )
    return _number(lines, "instructions", where), words[1]


def _left_out(line: str, where: str) -> tuple[str, str]:
    match = _LEFT_OUT.fullmatch(line)
    if match is None:
        raise NativeError(f"{where}: left-out: found {quoted(line)}; allowed: a fail line's words")
    return match["name"], match["reason"]


def _part(line: str, console: list[str], where: str) -> RoundOutput:
    number, _, fs = line.partition(" ")
    if not number.isdigit() or int(number[:6]) > 10**4 or fs not in ("unix", "sprite"):
        raise NativeError(
            f"{where}: round: found {quoted(line)}; allowed: a number and unix or sprite"
        )
    return RoundOutput(int(number), fs, "".join(f"{line}\n" for line in console))
