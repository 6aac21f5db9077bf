# SPDX-License-Identifier: BSD-3-Clause
"""Layouts: a linker script that puts the same objects' functions and data elsewhere.

A binary is one sample of its layouts (Mytkowicz and others, ASPLOS 2009; Curtsinger and Berger,
STABILIZER, ASPLOS 2013). Files lose their places by a normal deviate, and what is in each of them
is shuffled; so what a compiler keeps together stays together, and calls are about as far as they
were: the linker shortens a call of less than 1 MiB by one instruction.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from osgap.base.errors import OsgapError

DEFAULT = 0
"""The number of the layout that is the linker's own."""
KINDS = ("text", "rodata", "data", "bss")
"""What is ordered in the kernel."""
PROGRAM_KINDS = ("text", "rodata")
"""What is ordered in a program. The linker reaches what lies near gp by an instruction less, so
its variables keep their places."""
SPREAD_BYTES = 256 << 10
"""The standard deviation of a file's move."""
_PAD_STEPS, _PAD_BYTES = 64, 64
"""Each kind begins up to a page later, in lines of 64 bytes: what is not shuffled moves too."""
_NAMED = re.compile(r"^ (\.[\w.$-]+)(?:\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(\S.*))?$")
_PLACED = re.compile(r"^\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(\S.*)$")
_MEMBER = re.compile(r"([^/]+\.a)\(([^()]+)\)$")
# Sections that the linker merges, piece by piece.
_MERGED = re.compile(r"\.rodata\.(str|cst)\d")


@dataclass(frozen=True)
class Section:
    """An input section of a linker's map: where it came to lie, and its file there."""

    name: str
    address: int
    file: str

    @property
    def pattern(self) -> str:
        """What names it in a linker script. A library's sections share their names."""
        member = _MEMBER.search(self.file)
        return f"*{member[1]}:{member[2]}({self.name})" if member else f"*({self.name})"


def sections(linker_map: str) -> list[Section]:
    """The input sections in a map of GNU ld (-Map) that have an address and a size."""
    return [section for section, size in _rows(linker_map) if size and section.address]


def _rows(linker_map: str) -> Iterator[tuple[Section, int]]:
    name = ""  # of a section whose long name has a line of its own
    for line in linker_map.splitlines():
        if named := _NAMED.match(line):
            name = named[1]
            if named[2]:
                yield Section(name, int(named[2], 16), named[4]), int(named[3], 16)
                name = ""
        elif name and (placed := _PLACED.match(line)):
            yield Section(name, int(placed[1], 16), placed[3]), int(placed[2], 16)
            name = ""
        else:
            name = ""


def script(default: str, linker_map: str, layout: int, kinds: Sequence[str] = KINDS) -> str:
    """The linker script `default`, with what `linker_map` found placed as in layout `layout`.

    The same number gives the same order, 0 the script as it is. Raises OsgapError for a script
    without a place for one of `kinds`, and for a map that holds none of its sections.
    """
    if layout == DEFAULT:
        return default
    found = sections(linker_map)
    changed = default
    for kind in kinds:
        dice = random.Random(f"layout {layout} {kind}")
        own = [one for one in found if _is_of(one, kind)]
        place = re.search(rf"\*\(\.{kind}[ )]", changed)
        if place is None or not own:
            raise OsgapError(f"layout: the linker's script or its map has no .{kind} to order")
        pad = f". += {_PAD_BYTES * dice.randrange(1, _PAD_STEPS)};"
        words = " ".join([pad, *_ordered(own, dice)])
        changed = f"{changed[: place.start()]}{words} {changed[place.start() :]}"
    return changed


def _is_of(section: Section, kind: str) -> bool:
    is_named = section.name.startswith(f".{kind}.") and not section.name.startswith(f".{kind}..")
    is_plain = section.name == f".{kind}" and _MEMBER.search(section.file) is not None
    return (is_named or is_plain) and not _MERGED.match(section.name)


def _ordered(own: list[Section], dice: random.Random) -> list[str]:
    """The patterns, each once: files by their moved places, each file's own in any order."""
    files: dict[str, list[Section]] = {}
    for section in own:
        files.setdefault(section.file, []).append(section)
    places = {
        file: min(one.address for one in held) + dice.gauss(0, SPREAD_BYTES)
        for file, held in files.items()
    }
    found: dict[str, None] = {}
    for file in sorted(files, key=lambda name: (places[name], name)):
        held = sorted(files[file], key=lambda one: (one.address, one.name))
        dice.shuffle(held)
        found.update(dict.fromkeys(one.pattern for one in held))
    return list(found)
