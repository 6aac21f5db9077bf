# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a file is a program for the guest: static, for RISC-V, of 64 bits."""

from __future__ import annotations

import struct

from osgap.base.errors import OsgapError
from osgap.base.quoting import counted

MAGIC = b"\x7fELF"
_HEADER = struct.Struct("<4sBBBB8xHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<I")
_CLASS_64, _LITTLE_ENDIAN, _EXECUTABLE, _SHARED, _RISC_V = 2, 1, 2, 3, 243
_INTERPRETER = 3
_MACHINES = {3: "x86", 40: "ARM", 62: "x86-64", 183: "AArch64", _RISC_V: "RISC-V"}
_TYPES = {1: "an object file", _SHARED: "a shared library", 4: "a core dump"}


def check_program(content: bytes, where: str) -> None:
    """Raises OsgapError, which calls the file `where`, unless `content` is such a program."""
    if not content.startswith(MAGIC):
        raise OsgapError(f"{where}: is no ELF file; allowed: a static RISC-V program, or C (.c)")
    if len(content) < _HEADER.size:
        raise OsgapError(
            f"{where}: is an ELF file of {counted(len(content), 'byte')}, which is cut short"
        )
    header = _HEADER.unpack_from(content)
    _, width, order, _, _, kind, machine, _, _, offset, _, _, _, size, number, *_ = header
    if (width, order, machine) != (_CLASS_64, _LITTLE_ENDIAN, _RISC_V):
        bits = {1: "32 bits", 2: "64 bits"}.get(width, "an unknown width")
        name = _MACHINES.get(machine, f"machine {machine}")
        raise OsgapError(
            f"{where}: is for {name}, {bits}; allowed: RISC-V, 64 bits, as "
            "riscv64-linux-gnu-gcc -static makes it"
        )
    if kind not in (_EXECUTABLE, _SHARED):
        name = _TYPES.get(kind, f"of type {kind}")
        raise OsgapError(f"{where}: is {name}; allowed: a linked program")
    if number and (size < _SEGMENT.size or offset + size * number > len(content)):
        raise OsgapError(f"{where}: is an ELF file whose segments lie beyond its end")
    segments = [_SEGMENT.unpack_from(content, offset + size * index)[0] for index in range(number)]
    if _INTERPRETER in segments:
        raise OsgapError(
            f"{where}: is linked dynamically, and the guest has no libraries; allowed: a static "
            "program (gcc -static)"
        )
    if kind == _SHARED and 1 not in segments:
        raise OsgapError(f"{where}: is {_TYPES[_SHARED]}; allowed: a linked program")
