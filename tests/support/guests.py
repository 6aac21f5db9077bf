# SPDX-License-Identifier: BSD-3-Clause
"""The guest image with another /init, or with a broken system call, and nothing else changed."""

import subprocess
from dataclasses import replace
from pathlib import Path

from osgap.image.files import Image

_COMPILE = [
    "riscv64-linux-gnu-gcc",
    "-O2",
    "-static",
    "-nostdlib",
    "-ffreestanding",
    "-fno-builtin",
    "-march=rv64imac",
    "-mabi=lp64",
    "-fno-stack-protector",
    "-Wl,--build-id=none",
    "-s",
]
_NAME = b"00000000init\0"
"""The end of a cpio header, and the name after it."""
_HEADER, _SIZE = 110, slice(54, 62)


def with_init(image: Image, source: Path, directory: Path, *options: str) -> Image:
    """The image, its /init the program of a C source. It must be no larger than the image's own.

    The first file system is part of the kernel and is not packed, so its file is overwritten there.
    """
    program = directory / "init"
    subprocess.run([*_COMPILE, *options, str(source), "-o", str(program)], check=True)
    data = bytearray(image.kernel.read_bytes())
    assert data.count(_NAME) == 1
    header = data.index(_NAME) + len(_NAME) - len(b"init\0") - _HEADER
    size = int(data[header:][_SIZE], 16)
    begin = header + (_HEADER + len(b"init\0") + 3) // 4 * 4
    own = program.read_bytes()
    assert data[begin : begin + 4] == own[:4] == b"\x7fELF" and len(own) <= size
    data[begin : begin + size] = own.ljust(size, b"\0")
    return _with_kernel(image, bytes(data), directory)


def with_broken_call(image: Image, instruction: int, directory: Path) -> Image:
    """The image, its kernel's getppid beginning with a 32-bit instruction."""
    listed = subprocess.run(
        ["riscv64-linux-gnu-nm", str(image.kernel_elf)], capture_output=True, text=True, check=True
    ).stdout
    symbols = {
        words[2]: int(words[0], 16) for line in listed.splitlines() if (words := line.split())
    }
    at = symbols["__riscv_sys_getppid"] - symbols["_start"]
    data = bytearray(image.kernel.read_bytes())
    data[at : at + 4] = instruction.to_bytes(4, "little")
    return _with_kernel(image, bytes(data), directory)


def _with_kernel(image: Image, kernel: bytes, directory: Path) -> Image:
    """`digest` differs, so that no checkpoint of another guest is taken."""
    path = directory / "Image"
    path.write_bytes(kernel)
    return replace(image, kernel=path, digest=f"{image.digest}-{directory.name}")
