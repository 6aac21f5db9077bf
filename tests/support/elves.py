# SPDX-License-Identifier: BSD-3-Clause
"""Writes ELF files that nothing could run."""

import struct

RISC_V, X86_64 = 243, 62


def elf(machine: int = RISC_V, segments: tuple[int, ...] = (1,), kind: int = 2) -> bytes:
    """An ELF file of 64 bits with these segments, which nothing could run."""
    head = struct.pack(
        "<4sBBBB8xHHIQQQIHHHHHH",
        b"\x7fELF",
        2,
        1,
        1,
        0,
        kind,
        machine,
        1,
        0,
        64,
        0,
        0,
        64,
        56,
        len(segments),
        0,
        0,
        0,
    )
    return head + b"".join(struct.pack("<I52x", segment) for segment in segments)
