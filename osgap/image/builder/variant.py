# SPDX-License-Identifier: BSD-3-Clause
"""Reads image variants, disk-images/variants/NAME.toml: another kernel, compiler or C library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from osgap.base.config import ConfigError, read_model
from osgap.base.frozen import Frozen
from osgap.base.quoting import quoted
from osgap.image.builder import link_order, steps
from osgap.image.builder.variantparts import VariantDisk, VariantKernel, VariantPrograms
from osgap.image.files import VARIANT_SUITES
from osgap.image.programrecipe import Program
from osgap.image.variants import DEFAULT, VARIANT_NAME


class Variant(Frozen):
    """The content of a variant file; missing keys are as in the default image."""

    description: str = Field(min_length=1, description="one line, shown by `osgap list variants`")
    combines: tuple[str, ...] = Field(
        default=(), description="other variants, whose changes this one has as well"
    )
    layout: int = Field(
        default=link_order.DEFAULT,
        ge=0,
        le=65535,
        description="another order of code, data and pages; 0 is the linker's order",
    )
    kernel: VariantKernel = VariantKernel()
    disk: VariantDisk = VariantDisk()
    programs: VariantPrograms = VariantPrograms()
    period: bool = Field(
        default=False,
        description="the compiler of workloads/period, and a driver that sets kernel entry's cost",
    )
    remote: bool = Field(
        default=False, description="files on a server: what disk-images/remote adds to /init"
    )
    boards: bool = Field(
        default=False, description="the suite workloads/boards: what was published of boards"
    )
    extractions: bool = Field(
        default=False, description="the suite workloads/extractions: many tars from a barrier"
    )
    moves: bool = Field(default=False, description="memcpy of workloads/period, with block moves")
    session: bool = Field(
        default=False, description="/init in a session and a control group, as systemd's users are"
    )

    @property
    def module_words(self) -> tuple[str, ...]:
        """The variables of the disk driver's Kbuild."""
        return (*self.disk.words, *(("OSGAP_PERIOD=y",) if self.period else ()))

    @property
    def suites(self) -> tuple[str, ...]:
        """The suites of the image that others lack (VARIANT_SUITES of workloads/recipe.conf)."""
        return tuple(name for name in VARIANT_SUITES if getattr(self, name))

    @property
    def added(self) -> tuple[Program, ...]:
        """The user's programs in the image."""
        return ()

    @property
    def has_own_kernel(self) -> bool:
        """True if the kernel is not the default image's."""
        return self.kernel.is_own

    @property
    def source_tree(self) -> tuple[str, str]:
        """The path and the digest of a user's kernel source; two empty texts without it."""
        return "", ""

    @property
    def patches(self) -> tuple[Path, ...]:
        """The patches that not all kernels have, in the order to apply them."""
        return self.kernel.patch_files

    @property
    def extends(self) -> str:
        """The variant that a recipe or a receiver extends; "" for a variant with a file."""
        return ""

    @property
    def receives(self) -> bool:
        """True if /init takes a user's programs in after the boot."""
        return False

    def manifest(self, name: str, library: Sequence[Path]) -> Mapping[str, object]:
        """Returns the variant's part of image.json; `library` holds a C library's record."""
        version = steps.package(library[0]).version if library else ""
        return {
            "name": name,
            "layout": self.layout,
            "kernel": self.kernel.manifest(),
            # Left out by default: image.json of older variants stays as it was.
            **({"disk": self.disk.model_dump(mode="json")} if self.disk != VariantDisk() else {}),
            **({"period": True} if self.period else {}),
            **({"moves": True} if self.moves else {}),
            **({"remote": True} if self.remote else {}),
            **dict.fromkeys(self.suites, True),
            **({"session": True} if self.session else {}),
            "programs": self.programs.toolchain.describe(version),
        }


def load_variant(path: Path) -> Variant:
    """Returns the variant that the TOML file at `path` describes, with those that it combines.

    Raises ConfigError.
    """
    return _combined(list(dict(_parts(path, ())).values()))


def extended_fields(directory: Path, extends: str, description: str) -> dict[str, object]:
    """Returns the fields of the variant `extends`; of the default image the `description` alone.

    Raises ConfigError.
    """
    if extends == DEFAULT:
        return {"description": description}
    return load_variant(directory / f"{extends}.toml").model_dump()


def variant_files(path: Path) -> list[Path]:
    """Returns the files of the variants that the one at `path` combines, and its own at the end.

    Raises ConfigError.
    """
    return list(dict(_parts(path, ())))


def described_by(directory: Path, name: str, variant: Variant) -> list[Path]:
    """Returns the files in `directory` that describe a variant; none for the default image.

    Those of a recipe's are of the variant that it extends. Raises ConfigError.
    """
    described = variant.extends or name
    return [] if described == DEFAULT else variant_files(directory / f"{described}.toml")


def _parts(path: Path, above: tuple[Path, ...]) -> Iterator[tuple[Path, Variant]]:
    """The variants that the one at `path` combines, with their files, and itself at the end."""
    variant = read_model(path, Variant)
    for name in variant.combines:
        file = path.parent / f"{name}.toml"
        if not re.fullmatch(VARIANT_NAME, name) or file in (*above, path):
            raise ConfigError(
                f"{path}: combines: found {quoted(name)}; allowed: names of variants that do not "
                "combine this one"
            )
        yield from _parts(file, (*above, path))
    yield path, variant


def _combined(parts: Sequence[Variant]) -> Variant:
    """Returns the last of `parts` with what the others change; the last one decides."""
    fields: dict[str, object] = {}
    for part in parts:
        fields |= part.model_dump(exclude_defaults=True, exclude={"kernel", "combines"})
    options = [option for part in parts for option in part.kernel.options]
    options = list(dict.fromkeys(reversed(options)))[::-1]
    words = dict.fromkeys(part.kernel.command_line for part in parts if part.kernel.command_line)
    packages = [part.kernel.package for part in parts if part.kernel.package]
    patches = dict.fromkeys(patch for part in parts for patch in part.kernel.patches)
    kernel = VariantKernel(
        package=packages[-1] if packages else "",
        patches=tuple(patches),
        options=tuple(options),
        command_line=" ".join(words),
    )
    return Variant.model_validate({**fields, "kernel": kernel})
