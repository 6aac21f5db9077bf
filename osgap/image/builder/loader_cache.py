# SPDX-License-Identifier: BSD-3-Clause
"""Makes the content of /etc/ld.so.cache, by which glibc's loader finds libraries.

ldconfig itself takes libraries of the machine that it runs on alone.
"""

import struct
from collections.abc import Iterable
from pathlib import PurePosixPath

# Of glibc: struct cache_file_new and file_entry_new in dl-cache.h, flags in ldconfig.h.
_MAGIC = b"glibc-ld.so.cache1.1"
_HEADER, _ENTRY = struct.Struct("<20sIIB3xI12x"), struct.Struct("<iIIIQ")
_LITTLE_ENDIAN = 2
_FLAG_ELF_LIBC6, _FLAG_RISCV_FLOAT_ABI_DOUBLE = 0x3, 0x1000


def loader_cache(paths: Iterable[str]) -> bytes:
    """Returns the cache of the libraries at `paths` in the guest, of RISC-V's ABI lp64d.

    glibc compares numbers in names as numbers: the order here is its own only where no two names
    differ in a number alone.
    """
    # The loader's binary search expects the largest name first.
    libraries = sorted(paths, key=lambda path: PurePosixPath(path).name, reverse=True)
    begin = _HEADER.size + _ENTRY.size * len(libraries)
    entries, strings = b"", b""
    for path in libraries:
        value = begin + len(strings)
        name = value + len(path) - len(PurePosixPath(path).name)
        entries += _ENTRY.pack(_FLAG_ELF_LIBC6 | _FLAG_RISCV_FLOAT_ABI_DOUBLE, name, value, 0, 0)
        strings += path.encode() + b"\0"
    header = _HEADER.pack(_MAGIC, len(libraries), len(strings), _LITTLE_ENDIAN, 0)
    return header + entries + strings
