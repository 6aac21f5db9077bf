# SPDX-License-Identifier: BSD-3-Clause
"""Kernels and file systems of tests/kernel/test_giant_vfs.py, and runs of them in QEMU."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from osgap.base.paths import cache_directory, project_root
from osgap.image.builder import cpio, kernel
from osgap.image.builder.variant import load_variant
from osgap.image.provision import sources
from osgap.image.variants import DEFAULT

ROOT = project_root()
GUEST = Path(__file__).parent / "guest"
IMAGES = ROOT / "disk-images"
_COMPILE = ["riscv64-linux-gnu-gcc", "-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-static"]

# Of 193 boots on 8 harts, 2 said nothing for ever: a hart ran from the kernel's first instruction
# while the first hart booted, as if OpenSBI 1.1 had started it before it had noted where.
_BOOTS = 3
_SILENT_S = 90.0
_POLL_S = 0.1
_KERNEL_SPEAKS = b"Linux version"

# What a kernel prints when it has seen something wrong, and the stress test when it has.
_COMPLAINT = re.compile(
    r"WARNING:|BUG:|INFO: |Oops|Kernel panic|Call Trace:|unhandled signal|suspicious|"
    r"soft lockup|rcu_sched|turning off the locking|@\w+ fail"
)


def complaints(console: str) -> list[str]:
    """The lines in which kernel or test complain."""
    return [line for line in console.splitlines() if _COMPLAINT.search(line)]


def fragment(variant: str = DEFAULT, more: str = "") -> str:
    """The options of a variant's kernel, and option lines over them."""
    text = (IMAGES / "kernel" / "osgap.config").read_text(encoding="utf-8")
    if variant != DEFAULT:
        text = load_variant(IMAGES / "variants" / f"{variant}.toml").kernel.fragment(text)
    return text + more


def build_kernel(scratch: Path, options: str) -> Path:
    """The Image of our kernel with the options of a fragment.

    It is built in the shared cache: minutes at first, then nothing. An image's own kernel is there.
    """
    file = scratch / "options.config"
    file.write_text(options, encoding="utf-8")
    package = sources.resolve(cache_directory(), ["linux"])["linux"]
    tree = kernel.KernelTree(
        package.path(cache_directory()),
        package.sha256,
        tuple(sorted((IMAGES / "kernel" / "patches").glob("*.patch"))),
        file,
        cache_directory(),
        len(os.sched_getaffinity(0)),
    )
    image = tree.build / "arch" / "riscv" / "boot" / "Image"
    with kernel.locked(tree):
        kernel.ensure(tree)
        kernel.make(tree, "Image")
        return Path(shutil.copy(image, scratch / "Image"))


def build_initrd(scratch: Path, *programs: str) -> Path:
    """A first file system with a program of tests/kernel/guest as /init, and busybox."""
    init = scratch / "init"
    files = [str(GUEST / name) for name in programs]
    subprocess.run([*_COMPILE, "-pthread", "-s", *files, "-o", str(init)], check=True)
    entries = [
        cpio.file("/init", init, 0o755),
        cpio.file("/bin/busybox", ROOT / "build" / "guest" / "busybox", 0o755),
        cpio.CpioEntry("/dev/console", "char", 0o600, device=(5, 1)),
    ]
    archive = scratch / "initrd.cpio"
    archive.write_bytes(cpio.archive(cpio.complete(entries)))
    return archive


@dataclass(frozen=True)
class Guest:
    """What QEMU boots, and on how many harts."""

    image: Path
    initrd: Path
    harts: int
    timeout_s: float

    def run(self, *words: str, qemu: tuple[str, ...] = ()) -> str:
        """The console of a run with `words` on the kernel's command line, to the power off."""
        argv = [
            *("qemu-system-riscv64", "-M", "virt", "-m", "256", "-smp", str(self.harts)),
            *("-nographic", "-no-reboot", "-kernel", str(self.image), "-initrd", str(self.initrd)),
            *("-append", " ".join(["ignore_loglevel", "panic=-1", *words]), *qemu),
        ]
        for _ in range(_BOOTS):
            console = _until_off(argv, self.timeout_s)
            if console is not None:
                return console
        raise AssertionError(f"the kernel said nothing in {_BOOTS} boots")


def _until_off(argv: list[str], timeout_s: float) -> str | None:
    """The console to the power off; None where the kernel says nothing for _SILENT_S."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as file:
        process = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT
        )
        try:
            while process.poll() is None:
                time.sleep(_POLL_S)
                spent_s = time.monotonic() - began
                if spent_s > _SILENT_S and _KERNEL_SPEAKS not in _content(file):
                    return None
                if spent_s > timeout_s:
                    raise subprocess.TimeoutExpired(argv, timeout_s, _content(file))
        finally:
            process.kill()
            process.wait()
        assert process.returncode == 0, _content(file)
        return _content(file).decode("utf-8", "replace").replace("\r\n", "\n")


def _content(file: BinaryIO) -> bytes:
    # Not read: the place in the file is QEMU's too.
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0)


def marked(console: str, mark: str) -> list[str]:
    """The rest of each line that begins with `@mark `."""
    return re.findall(rf"^@{mark} (.*)$", console, re.MULTILINE)


@dataclass(frozen=True)
class Counters:
    """/proc/giant_vfs: a row of counters for each hart, and the row that sums them."""

    mode: str
    ticks_per_second: int
    harts: list[dict[str, int]]
    total: dict[str, int]

    @classmethod
    def read(cls, console: str) -> "Counters":
        rows = [line.split() for line in marked(console, "giant")]
        (_, mode), (_, ticks), (_, *names), *counts, last = rows
        assert last[0] == "total" and [row[0] for row in counts] == [
            str(hart) for hart in range(len(counts))
        ]
        named = [dict(zip(names, map(int, row[1:]), strict=True)) for row in [*counts, last]]
        return cls(mode, int(ticks), named[:-1], named[-1])
