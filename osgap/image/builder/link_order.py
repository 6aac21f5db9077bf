# SPDX-License-Identifier: BSD-3-Clause
"""Makes layouts: linker scripts that place the same objects' functions and data elsewhere.

A binary is one sample of its layouts (Mytkowicz and others, ASPLOS 2009; Curtsinger and Berger,
STABILIZER, ASPLOS 2013). Files move by a normal deviate, and a file's sections are shuffled. So the
sections of a file stay together, and calls stay about as far as they were: the linker shortens a
call of less than 1 MiB by one instruction.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from osgap.base.errors import OsgapError

DEFAULT = 0
"""The number of the linker's default layout."""
KINDS = ("text", "rodata", "data", "bss")
"""Kinds of sections that are ordered in the kernel."""
PROGRAM_KINDS = ("text", "rodata")
"""Kinds of sections that are ordered in a program. Its variables keep their places, because the
linker saves an instruction for those near gp."""
SPREAD_BYTES = 256 << 10
"""The standard deviation of a file's move."""
_PAD_STEPS, _PAD_BYTES = 64, 64
"""Each kind begins up to a page later, in lines of 64 bytes, to move unshuffled sections too."""
_NAMED = re.compile(r"^ (\.[\w.$-]+)(?:\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(\S.*))?$")
_PLACED = re.compile(r"^\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(\S.*)$")
_MEMBER = re.compile(r"([^/]+\.a)\(([^()]+)\)$")
# Sections that the linker merges, piece by piece.
_MERGED = re.compile(r"\.rodata\.(str|cst)\d")


@dataclass(frozen=True)
class InputSection:
    """An input section of a linker's map, with its address and file."""

    name: str
    address: int
    file: str

    @property
    def pattern(self) -> str:
        """The section's pattern in a linker script. A library's sections share their names."""
        member = _MEMBER.search(self.file)
        return f"*{member[1]}:{member[2]}({self.name})" if member else f"*({self.name})"


def sections(linker_map: str) -> list[InputSection]:
    """Returns the input sections in a map of GNU ld (-Map) that have an address and a size."""
    return [section for section, size in _rows(linker_map) if size and section.address]


def _rows(linker_map: str) -> Iterator[tuple[InputSection, int]]:
    name = ""  # of a section whose long name has a line of its own
    for line in linker_map.splitlines():
        if named := _NAMED.match(line):
            name = named[1]
            if named[2]:
                yield InputSection(name, int(named[2], 16), named[4]), int(named[3], 16)
                name = ""
        elif name and (position := _PLACED.match(line)):
            yield InputSection(name, int(position[1], 16), position[3]), int(position[2], 16)
            name = ""
        else:
            name = ""


def script(default: str, linker_map: str, layout: int, kinds: Sequence[str] = KINDS) -> str:
    """Returns the linker script `default` with the sections of `linker_map` in a layout's order.

    Raises OsgapError if script or map has no section of one of `kinds`.
    """
    if layout == DEFAULT:
        return default
    all_sections = sections(linker_map)
    changed = default
    for kind in kinds:
        dice = random.Random(f"layout {layout} {kind}")
        matching = [section for section in all_sections if _is_of(section, kind)]
        match = re.search(rf"\*\(\.{kind}[ )]", changed)
        if match is None or not matching:
            raise OsgapError(f"layout: the linker's script or its map has no .{kind} to order")
        pad = f". += {_PAD_BYTES * dice.randrange(1, _PAD_STEPS)};"
        words = " ".join([pad, *_ordered(matching, dice)])
        changed = f"{changed[: match.start()]}{words} {changed[match.start() :]}"
    return changed


def _is_of(section: InputSection, kind: str) -> bool:
    is_named = section.name.startswith(f".{kind}.") and not section.name.startswith(f".{kind}..")
    is_plain = section.name == f".{kind}" and _MEMBER.search(section.file) is not None
    return (is_named or is_plain) and not _MERGED.match(section.name)


def _ordered(unordered: list[InputSection], dice: random.Random) -> list[str]:
    """Returns each pattern once: files by their moved addresses, sections of a file shuffled."""
    files: dict[str, list[InputSection]] = {}
    for section in unordered:
        files.setdefault(section.file, []).append(section)
    addresses = {
        file: min(section.address for section in members) + dice.gauss(0, SPREAD_BYTES)
        for file, members in files.items()
    }
    patterns: dict[str, None] = {}
    for file in sorted(files, key=lambda name: (addresses[name], name)):
        members = sorted(files[file], key=lambda section: (section.address, section.name))
        dice.shuffle(members)
        patterns.update(dict.fromkeys(section.pattern for section in members))
    return list(patterns)
