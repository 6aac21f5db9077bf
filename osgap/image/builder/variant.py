# SPDX-License-Identifier: BSD-3-Clause
"""A variant's file, disk-images/variants/NAME.toml: another kernel, compiler or C library.

A variant with a user's programs is a recipe (osgap/image/programrecipe.py) over another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from osgap.base.config import ConfigError, read_model
from osgap.base.errors import OsgapError
from osgap.base.frozen import Frozen
from osgap.base.quoting import quoted
from osgap.image.builder import kconfig, link_order, steps
from osgap.image.builder.toolchain import Toolchain
from osgap.image.programrecipe import Program, Recipe, is_recipe, load_recipe
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
    layout: int = Field(default=link_order.DEFAULT, ge=0, le=65535)
    kernel: Kernel = Kernel()
    disk: Disk = Disk()
    programs: Programs = Programs()
    # The compiler of workloads/period, and a disk driver that sets what patch 0006 spends.
    period: bool = False
    # The copy of workloads/period, in /init.
    moves: bool = False

    @property
    def module_words(self) -> tuple[str, ...]:
        """The variables of the disk driver's Kbuild."""
        return (*self.disk.words, *(("OSGAP_PERIOD=y",) if self.period else ()))

    @property
    def added(self) -> tuple[Program, ...]:
        """The user's programs that its image has."""
        return ()

    def manifest(self, name: str, library: Sequence[Path]) -> Mapping[str, object]:
        """What image.json says of it; `library` holds the record of a C library's package."""
        version = steps.package_version(library[0]) if library else ""
        return {
            "name": name,
            "layout": self.layout,
            "kernel": self.kernel.model_dump(mode="json"),
            # Only where it says something: image.json of the others stays as it was.
            **({"disk": self.disk.model_dump(mode="json")} if self.disk != Disk() else {}),
            **({"period": True} if self.period else {}),
            **({"moves": True} if self.moves else {}),
            "programs": self.programs.toolchain.describe(version),
        }


class WithPrograms(Variant):
    """A variant with a user's programs in its image."""

    recipe: Recipe

    @property
    def added(self) -> tuple[Program, ...]:
        return self.recipe.program

    def manifest(self, name: str, library: Sequence[Path]) -> Mapping[str, object]:
        """What image.json says of it, with the programs' names, arguments and digests."""
        told = [program.model_dump(mode="json") for program in self.added]
        return {**super().manifest(name, library), "program": told}


def load_variant(path: Path) -> Variant:
    """The variant described by the TOML file at `path`. Raises ConfigError."""
    return read_model(path, Variant)


def _named(directory: Path, name: str, known: Sequence[str]) -> Variant:
    path = directory / f"{name}.toml"
    return load_variant(path) if name in known else _extended(directory, name)


def _extended(directory: Path, name: str) -> Variant:
    """The variant of a recipe. Raises ConfigError."""
    recipe = load_recipe(name)
    base = {"description": "the default image, with programs"}
    if recipe.extends != DEFAULT:
        base = load_variant(directory / f"{recipe.extends}.toml").model_dump()
    return WithPrograms.model_validate({**base, "recipe": recipe})


def asked(directory: Path, wanted: str) -> dict[str, Variant]:
    """The variants that `variant=NAMES` asks for, by name: comma-separated, or `all`.

    A recipe's name is allowed too. DEFAULT is skipped: it is no file. Raises ConfigError for an
    unknown or a broken one.
    """
    known = names(directory)
    if DEFAULT in known:
        raise ConfigError(f"{directory / DEFAULT}.toml: the name is the default image's own")
    chosen = known if wanted == _ALL else wanted.split(",")
    for name in chosen:
        known_one = name in (*known, DEFAULT) or is_recipe(name)
        if not re.fullmatch(VARIANT_NAME, name) or not known_one:
            allowed = ", ".join((DEFAULT, *known, _ALL))
            raise ConfigError(f"variant={wanted}: found {quoted(name)}; allowed: {allowed}")
    return {
        name: load_variant(directory / f"{name}.toml")
        if name in known
        else _extended(directory, name)
        for name in chosen
        if name != DEFAULT
    }
