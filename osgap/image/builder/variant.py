# SPDX-License-Identifier: BSD-3-Clause
"""A variant's file, disk-images/variants/NAME.toml: another kernel, compiler or C library."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from osgap.base.config import ConfigError, read_model
from osgap.base.errors import OsgapError
from osgap.base.frozen import Frozen
from osgap.base.shown import found
from osgap.image.builder import kconfig, layout, steps
from osgap.image.builder.toolchain import Toolchain
from osgap.image.variants import DEFAULT, VARIANT_NAME, names

MUSL = "build/musl"
"""Where SCons builds that library, from the checkout."""
_ALL = "all"
_WORDS = r"^([A-Za-z0-9_.,:=/-]+( [A-Za-z0-9_.,:=/-]+)*)?$"
_RESERVED = {"CONFIG_CMDLINE": "kernel.command_line for it", "CONFIG_INITRAMFS_SOURCE": "no value"}


def _option(line: str) -> str:
    try:
        parsed = kconfig.parse(line, "")
    except OsgapError:
        parsed = {}
    if len(parsed) != 1:
        raise ValueError('"CONFIG_NAME=value" or "# CONFIG_NAME is not set"')
    (name,) = parsed
    if name in _RESERVED:
        raise ValueError(_RESERVED[name])
    return line


Option = Annotated[str, AfterValidator(_option)]


class Kernel(Frozen):
    """What the kernel has over kernel/osgap.config; `command_line` is added to CONFIG_CMDLINE."""

    options: tuple[Option, ...] = ()
    command_line: str = Field(default="", pattern=_WORDS)

    @property
    def is_own(self) -> bool:
        """Whether it is another kernel than the default image's."""
        return bool(self.options or self.command_line)

    def fragment(self, base: str) -> str:
        """`base`, the text of kernel/osgap.config, with this kernel's options in it.

        Raises OsgapError when there is no CONFIG_CMDLINE to add to.
        """
        options = kconfig.parse("\n".join(self.options), "options")
        if self.command_line:
            known = kconfig.parse(base, "the base").get("CONFIG_CMDLINE", "")
            if not known.endswith('"'):
                raise OsgapError("kernel.command_line: the kernel's fragment has no CONFIG_CMDLINE")
            options["CONFIG_CMDLINE"] = f'{known[:-1]} {self.command_line}"'
        return kconfig.overlaid(base, options)


class Disk(Frozen):
    """How the disk driver is built; with `log` it tells each request, outside what is timed."""

    log: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The variables of its Kbuild."""
        return ("OSGAP_DISK_LOG=y",) if self.log else ()


class Programs(Frozen):
    """How /init (runner, harness, benchmarks) and disk-images/programs are built."""

    compiler: Literal["gcc", "clang"] = "gcc"
    optimise: Literal["-O2", "-O1", "-O0"] = "-O2"
    libc: Literal["glibc", "musl"] = "glibc"

    @property
    def toolchain(self) -> Toolchain:
        """What builds them."""
        return Toolchain(self.compiler, self.optimise, MUSL if self.libc == "musl" else None)


class Variant(Frozen):
    """A variant file; what it leaves out is as in the default image."""

    description: str = Field(min_length=1)
    layout: int = Field(default=layout.DEFAULT, ge=0, le=65535)
    kernel: Kernel = Kernel()
    disk: Disk = Disk()
    programs: Programs = Programs()

    def manifest(self, name: str, library: Sequence[Path]) -> Mapping[str, object]:
        """What image.json says of it; `library` holds the record of a C library's package."""
        version = steps.package_version(library[0]) if library else ""
        return {
            "name": name,
            "layout": self.layout,
            "kernel": self.kernel.model_dump(mode="json"),
            # Only where it says something: image.json of the others stays as it was.
            **({"disk": self.disk.model_dump(mode="json")} if self.disk != Disk() else {}),
            "programs": self.programs.toolchain.describe(version),
        }


def load_variant(path: Path) -> Variant:
    """The variant described by the TOML file at `path`. Raises ConfigError."""
    return read_model(path, Variant)


def asked(directory: Path, wanted: str) -> dict[str, Variant]:
    """The variants that `variant=NAMES` asks for, by name: comma-separated, or `all`.

    DEFAULT is skipped: it is no file. Raises ConfigError for an unknown or a broken one.
    """
    known = names(directory)
    if DEFAULT in known:
        raise ConfigError(f"{directory / DEFAULT}.toml: the name is the default image's own")
    chosen = known if wanted == _ALL else wanted.split(",")
    for name in chosen:
        if not re.fullmatch(VARIANT_NAME, name) or name not in (*known, DEFAULT):
            allowed = ", ".join((DEFAULT, *known, _ALL))
            raise ConfigError(f"variant={wanted}: found {found(name)}; allowed: {allowed}")
    return {name: load_variant(directory / f"{name}.toml") for name in chosen if name != DEFAULT}
