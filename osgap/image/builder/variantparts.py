# SPDX-License-Identifier: BSD-3-Clause
"""The tables of a variant file: [kernel], [disk] and [programs]."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator
from pydantic_core.core_schema import ValidationInfo

from osgap.base.errors import OsgapError
from osgap.base.frozen import Frozen
from osgap.base.paths import project_root
from osgap.image.builder import kconfig
from osgap.image.builder.toolchain import Toolchain
from osgap.image.kernelrecipe import patch_of
from osgap.image.provision.versions import KERNEL_NAME

MUSL = "build/musl"
"""The folder, below the checkout, in which SCons builds the library musl."""
PATCHES = "disk-images/kernel/variant-patches"
"""The folder, below the checkout, of patches that only variants have."""
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


def _patch(name: str) -> str:
    folder = project_root() / PATCHES
    names = sorted(path.stem for path in folder.glob("*.patch"))
    if name not in names:
        raise ValueError(f"names in {PATCHES}, without .patch: {', '.join(names)}")
    return name


Option = Annotated[str, AfterValidator(_option)]
Patch = Annotated[str, AfterValidator(_patch)]


class VariantKernel(Frozen):
    """Another source, patches, options in place of osgap.config's, words for CONFIG_CMDLINE."""

    package: str = Field(
        default="",
        pattern=rf"^({KERNEL_NAME.pattern})?$",
        description="Debian's package with the kernel source; without it the newest linux-source",
    )
    patches: tuple[Patch, ...] = Field(
        default=(),
        description=f"names of files in `{PATCHES}`, applied after the patches of all images",
    )
    options: tuple[Option, ...] = Field(
        default=(), description="`CONFIG_NAME=value` or `# CONFIG_NAME is not set`"
    )
    command_line: str = Field(
        default="", pattern=_WORDS, description="words to add to the kernel's command line"
    )

    @property
    def is_own(self) -> bool:
        """True if it is another kernel than the default image's."""
        return bool(self.options or self.command_line or self.package or self.patches)

    @property
    def patch_files(self) -> tuple[Path, ...]:
        """The paths of its patches, in the order to apply them."""
        return tuple(project_root() / PATCHES / f"{name}.patch" for name in self.patches)

    @property
    def patch_records(self) -> list[dict[str, object]]:
        """Name and SHA-256 of each patch, as image.json has them."""
        return [patch_of(path.read_bytes(), path.name).model_dump() for path in self.patch_files]

    def manifest(self) -> Mapping[str, object]:
        """Returns its part of image.json, in which older images have no package and no patches."""
        record = self.model_dump(mode="json") | {"patches": self.patch_records}
        absent = [key for key in ("package", "patches") if not record[key]]
        return {key: value for key, value in record.items() if key not in absent}

    def fragment(self, base: str) -> str:
        """Returns `base`, the text of kernel/osgap.config, with these. Raises OsgapError."""
        options = kconfig.parse("\n".join(self.options), "options")
        if self.command_line:
            line = kconfig.parse(base, "the base").get("CONFIG_CMDLINE", "")
            if not line.endswith('"'):
                raise OsgapError("kernel.command_line: the kernel's fragment has no CONFIG_CMDLINE")
            options["CONFIG_CMDLINE"] = f'{line[:-1]} {self.command_line}"'
        return kconfig.overlaid(base, options)


class VariantDisk(Frozen):
    """Build options of the disk driver; with `log` it reports each request, after the timing."""

    log: bool = Field(
        default=False, description="report each request of the disk, after the timing"
    )

    @property
    def words(self) -> tuple[str, ...]:
        """The variables of its Kbuild."""
        return ("OSGAP_DISK_LOG=y",) if self.log else ()


class VariantPrograms(Frozen):
    """Compiler and C library of /init (runner, harness, benchmarks) and disk-images/programs."""

    compiler: Literal["gcc", "clang"] = Field(default="gcc", description="the compiler")
    optimise: Literal["-O2", "-O1", "-O0"] = Field(default="-O2", description="its level")
    libc: Literal["glibc", "musl"] = Field(default="glibc", description="the C library")
    linking: Literal["static", "dynamic"] = Field(
        default="static", description="`dynamic`, of glibc alone, adds its loader and libraries"
    )

    @field_validator("linking")
    @classmethod
    def _check_library(cls, linking: str, info: ValidationInfo) -> str:
        if linking == "dynamic" and info.data.get("libc") == "musl":
            raise ValueError("'static' with libc = 'musl'")
        return linking

    @property
    def toolchain(self) -> Toolchain:
        """The compiler, C library and linking as a toolchain."""
        musl = MUSL if self.libc == "musl" else None
        return Toolchain(self.compiler, self.optimise, musl, self.linking == "dynamic")
