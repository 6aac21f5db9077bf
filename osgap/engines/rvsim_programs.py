# SPDX-License-Identifier: BSD-3-Clause
"""Writes a user's programs into a checkpoint of rvsim, for the guest to take in after it.

rvsim changes no memory and no disk of a machine that it restores. So the guest reserves pages and
marks each with its number (disk-images/program/receive.c). They lie as they are in the file of the
checkpoint, in which the archive replaces them.
"""

from __future__ import annotations

import re
import struct

from osgap.base.quoting import counted
from osgap.engines.contract import EngineError

PAGE = 4096
MARK = struct.pack("<QQ", 0x6F73676170726F67, 0x72616D706167E55F)
"""First bytes of a reserved page; its number follows."""
_NUMBER = struct.Struct("<Q")


def with_programs(state: bytes, programs: bytes) -> bytes:
    """Returns the checkpoint `state` with the archive `programs` in the guest's pages.

    Raises EngineError if there are none, or too few.
    """
    places = _places(state)
    pages = [programs[start : start + PAGE] for start in range(0, len(programs), PAGE)]
    changed = bytearray(state)
    for number, page in enumerate(pages):
        if number not in places:
            raise EngineError(
                f"program: found {counted(len(programs), 'byte')}, and "
                f"{counted(len(places), 'page')} for them in rvsim's checkpoint; allowed: "
                "a page each 4096 bytes"
            )
        begin = places[number]
        changed[begin : begin + PAGE] = page.ljust(PAGE, b"\0")
    return bytes(changed)


def _places(state: bytes) -> dict[int, int]:
    """Returns where each marked page begins, by its number."""
    rest = bytes(PAGE - len(MARK) - _NUMBER.size)
    places = {}
    for match in re.finditer(re.escape(MARK), state):
        end = match.end() + _NUMBER.size
        if state[end : end + len(rest)] == rest:
            (number,) = _NUMBER.unpack_from(state, match.end())
            places[number] = match.start()
    return places
