# SPDX-License-Identifier: BSD-3-Clause
"""What workloads/native/measure.sh prints, line by line: it may come from anywhere."""

from __future__ import annotations

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
"""Bytes of such a text; one of 90 benchmarks in 15 rounds has 600,000."""
_VERBS = ("fact", "clock", "instructions", "left-out", "refused", "round", "load", "done")
_LEFT_OUT = re.compile(r"name=(?P<name>[a-z0-9_.-]+) fs=[a-z]+ reason=(?P<reason>[a-z0-9_.-]+)")


class NativeError(OsgapError):
    """A machine that cannot be measured, or a text that is no measurement."""


@dataclass(frozen=True)
class Part:
    """One process of benchmarks: its round, its file system's word, and what it said."""

    round: int
    fs: str
    console: str


@dataclass(frozen=True)
class Returned:
    """A measurement as it was printed.

    `facts` are by path or word. `clock_khz` was measured, `mix` is instructions of one operation
    of integer_mix and how they were counted (none: None). `left_out` is benchmark -> why.
    """

    text: str
    facts: Mapping[str, str]
    clock_khz: int
    mix: tuple[int, str] | None
    left_out: Mapping[str, str]
    parts: tuple[Part, ...]
    load_after: str
    rounds: int


def read(path: Path) -> Returned:
    """The measurement in the file `path`. Raises NativeError, naming it, or OsgapError."""
    try:
        content = inputs.read_bytes(path)
    except OSError as error:
        raise NativeError(f"{path}: cannot be read: {error.strerror}") from None
    return parse(content.decode("utf-8", "replace"), str(path))


def parse(text: str, where: str) -> Returned:
    """The measurement that `text` is; `where` names it. Raises NativeError."""
    if len(text) > LARGEST:
        raise NativeError(f"{where}: found {len(text)} characters; allowed: {LARGEST}")
    lines = text.split("\n")
    if lines[0] != HEADER:
        raise NativeError(f"{where}: found {quoted(lines[0])}; allowed: {quoted(HEADER)} first")
    own: dict[str, list[str]] = {verb: [] for verb in _VERBS}
    consoles: list[list[str]] = []
    for number, line in enumerate(lines[1:], start=2):
        verb, _, rest = line.partition(" ")
        if line.startswith(PREFIX) and consoles:
            consoles[-1].append(line)
        elif verb in own and rest:
            own[verb].append(rest)
            if verb == "round":
                consoles.append([])
        elif line:
            allowed = ", ".join(_VERBS)
            raise NativeError(f"{where}:{number}: found {quoted(line)}; allowed: {allowed}")
    if own["refused"]:
        raise NativeError(f"{where}: the benchmarks were refused: {quoted(own['refused'][0])}")
    return Returned(
        text=text,
        facts=dict(fact.partition(" ")[::2] for fact in own["fact"]),
        clock_khz=_number(own, "clock", where),
        mix=_mix(own, where),
        left_out=dict(_left_out(line, where) for line in own["left-out"]),
        parts=tuple(
            _part(words, console, where)
            for words, console in zip(own["round"], consoles, strict=True)
        ),
        load_after="".join(own["load"][-1:]),
        rounds=_number(own, "done", where),
    )


def _number(own: Mapping[str, list[str]], verb: str, where: str) -> int:
    """The first word behind the only line of a verb, from 1."""
    words = own[verb][0].split() if len(own[verb]) == 1 else []
    if not words or not words[0].isdigit() or not 0 < int(words[0][:12]) < 10**9:
        told = quoted("; ".join(own[verb]))
        raise NativeError(f"{where}: {verb}: found {told}; allowed: one line with a number from 1")
    return int(words[0])


def _mix(own: Mapping[str, list[str]], where: str) -> tuple[int, str] | None:
    words = own["instructions"][0].split() if len(own["instructions"]) == 1 else []
    if words == ["none"]:
        return None
    if len(words) != 2 or words[1] not in ("perf", "steps"):
        raise NativeError(
            f"{where}: instructions: found {quoted(' '.join(words))}; allowed: none, or a number "
            "and perf or steps"
        )
    return _number(own, "instructions", where), words[1]


def _left_out(line: str, where: str) -> tuple[str, str]:
    match = _LEFT_OUT.fullmatch(line)
    if match is None:
        raise NativeError(f"{where}: left-out: found {quoted(line)}; allowed: a fail line's words")
    return match["name"], match["reason"]


def _part(words: str, console: list[str], where: str) -> Part:
    number, _, fs = words.partition(" ")
    if not number.isdigit() or int(number[:6]) > 10**4 or fs not in ("unix", "sprite"):
        raise NativeError(
            f"{where}: round: found {quoted(words)}; allowed: a number and unix or sprite"
        )
    return Part(int(number), fs, "".join(f"{line}\n" for line in console))
