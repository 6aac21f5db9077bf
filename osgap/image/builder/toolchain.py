# SPDX-License-Identifier: BSD-3-Clause
"""Compilers and C libraries of the guest's programs, which the cross gcc links."""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.base.processes import program_path
from osgap.image.builder.loader_cache import loader_cache
from osgap.image.builder.recipe import recipe
from osgap.image.builder.run import output, run
from osgap.image.builder.userland import CROSS, unpack

GCC = f"{CROSS}gcc"
# An attribute that clang does not need (it keeps the order of objects), and gcc's extension.
_QUIET = ("-Wno-unknown-attributes", "-Wno-gnu-variable-sized-type-not-at-end")
_CLANG = ("--target=riscv64-linux-gnu", *_QUIET)
# The file that musl's gcc wrapper reads. musl has none of the kernel's headers.
SPECS = "lib/musl-gcc.specs"
MUSL_FILES = (SPECS, "lib/libc.a", "lib/crt1.o", "lib/crti.o", "lib/crtn.o")
_KERNEL_HEADERS = ("asm", "asm-generic", "linux")
SHARED = {
    "ld-linux-riscv64-lp64d.so.1": "/lib",
    "libc.so.6": "/lib/riscv64-linux-gnu",
    "libm.so.6": "/lib/riscv64-linux-gnu",
}
"""glibc's loader and libraries, and their folders on Debian, which the loader knows; each program
names the loader's path."""
LOADER_CACHE = "ld.so.cache"


@dataclass(frozen=True)
class Toolchain:
    """A compiler, its optimisation and a C library; `musl` is musl's folder, None for glibc.

    With `dynamic`, programs are linked with glibc's shared libraries.
    """

    compiler: str = "gcc"
    optimise: str = "-O2"
    musl: str | None = None
    dynamic: bool = False

    @property
    def objects(self) -> "Toolchain":
        """The toolchain that makes the same objects, and links them statically."""
        return replace(self, dynamic=False)

    @property
    def library(self) -> tuple[str, ...]:
        """The files of musl; none for glibc, which is Debian's."""
        return tuple(f"{self.musl}/{name}" for name in MUSL_FILES) if self.musl else ()

    @property
    def cc(self) -> str:
        return GCC if self.compiler == "gcc" else "clang"

    @property
    def ccflags(self) -> tuple[str, ...]:
        return (self.optimise, *recipe()["STANDARD"], *self._target(), *self._headers())

    @property
    def linkflags(self) -> tuple[str, ...]:
        return (*self._specs(), *recipe()["DYNAMIC_LINK" if self.dynamic else "LINK"])

    def version(self) -> str:
        """Returns the compiler's version line. Raises OsgapError if it is not installed."""
        if self.compiler == "clang" and not program_path(self.cc):
            raise OsgapError("clang is not installed: apt-get install clang, or osgap variants")
        return output([self.cc, "--version"]).splitlines()[0]

    def describe(self, musl_version: str) -> Mapping[str, str]:
        """Returns the toolchain's part of a manifest."""
        return {
            "compiler": self.version(),
            "flags": " ".join((self.optimise, *recipe()["STANDARD"], *self._target())),
            "libc": f"musl {musl_version}" if self.musl else _glibc_version(),
            # Left out by default: image.json of older variants stays as it was.
            **({"linking": "dynamic"} if self.dynamic else {}),
        }

    def _target(self) -> tuple[str, ...]:
        return _CLANG if self.compiler == "clang" else ()

    def _headers(self) -> tuple[str, ...]:
        if self.musl and self.compiler == "clang":
            return ("-nostdlibinc", "-isystem", f"{self.musl}/include")
        return self._specs()

    def _specs(self) -> tuple[str, ...]:
        return (f"-specs={self.musl}/{SPECS}",) if self.musl else ()


def _glibc_version() -> str:
    macros = output([GCC, "-dM", "-E", "-include", "features.h", "-x", "c", "/dev/null"])
    numbers = dict(re.findall(r"^#define (__GLIBC(?:_MINOR)?__) (\d+)$", macros, re.MULTILINE))
    if len(numbers) != 2:
        raise OsgapError(f"{GCC}: its C library is no glibc")
    return f"glibc {numbers['__GLIBC__']}.{numbers['__GLIBC_MINOR__']}"


def copy_shared(targets: Sequence[Path]) -> None:
    """Copies files of SHARED, named like `targets`, from the cross compiler's C library.

    Writes their LOADER_CACHE too, the last target.
    """
    *copies, cache = targets
    cache.write_bytes(loader_cache(f"{folder}/{name}" for name, folder in SHARED.items()))
    for target in copies:
        path = Path(output([GCC, f"-print-file-name={target.name}"]).strip())
        if not path.is_absolute():
            raise OsgapError(f"{GCC}: has no {target.name}; install libc6-riscv64-cross")
        shutil.copyfile(path, target)


def build_musl(dsc: Path, work: Path, target: Path, jobs: int) -> None:
    """Builds musl from its package into `target` (include/, lib/), with the kernel's headers."""
    log, source = work / "musl.log", work / "musl-src"
    unpack(dsc, source, log)
    options = ["--target=riscv64-linux-musl", "--disable-shared", "--enable-wrapper=gcc"]
    options += [f"--prefix={target}", f"--syslibdir={target}/lib", f"CC={GCC}"]
    run(["./configure", *options, f"CROSS_COMPILE={CROSS}"], log=log, cwd=source)
    shutil.rmtree(target, ignore_errors=True)
    make = ["make", "-s", f"-j{jobs}"]
    run([*make, "install-headers", "install-libs"], log=log, cwd=source)
    headers = _kernel_headers()
    for name in _KERNEL_HEADERS:
        shutil.copytree(headers / name, target / "include" / name)


def _kernel_headers() -> Path:
    """Returns the cross compiler's folder of the kernel's headers."""
    rule = output([GCC, "-M", "-include", "linux/version.h", "-x", "c", "/dev/null"])
    (header,) = [word for word in rule.split() if word.endswith("/linux/version.h")]
    return Path(header).parents[1]
