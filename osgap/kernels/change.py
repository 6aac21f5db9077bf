# SPDX-License-Identifier: BSD-3-Clause
"""Reads a change of the kernel: patches, or a Linux source tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.quoting import counted
from osgap.image.builder.kernel import source_digest
from osgap.image.kernelrecipe import (
    KernelChange,
    KernelPatch,
    KernelRecipe,
    KernelSource,
    patch_of,
    plain_stem,
    write_kernel_recipe,
)

LARGEST = 16 << 20
"""Most bytes of a patch."""
MOST_PATCHES = 100
_DIFF = re.compile(rb"^--- .*\n\+\+\+ .*\n@@ ", re.MULTILINE)
"""The start of a file's first hunk in a unified diff."""
_MARKS = ("Kbuild", "arch/riscv/Kconfig", "Makefile")
"""Files that a Linux source tree has."""


@dataclass(frozen=True)
class Change:
    """A kernel as a change of a variant's: the change, and the contents of its patches."""

    kernel: KernelChange
    patches: tuple[bytes, ...] = ()

    def write(self, layout: int) -> None:
        """Writes the recipe of a layout. Raises OSError."""
        write_kernel_recipe(KernelRecipe(change=self.kernel, layout=layout), self.patches)

    @property
    def stem(self) -> str:
        """The name of its last patch, or of its tree, without what is not plain."""
        source = self.kernel.source
        names = [Path(source.path).name] if source else ["kernel"]
        last = [*names, *(patch.name for patch in self.kernel.patches)][-1]
        return plain_stem(last)

    def texts(self) -> list[tuple[str, str]]:
        """Name and text of each patch."""
        pairs = zip(self.kernel.patches, self.patches, strict=True)
        return [(patch.name, data.decode("utf-8", "replace")) for patch, data in pairs]

    @property
    def label(self) -> str:
        """The names of its source and patches, for people; "" for a variant's own kernel."""
        tree = [Path(self.kernel.source.path).name] if self.kernel.source else []
        return " + ".join([*tree, *(patch.name for patch in self.kernel.patches)])


def read_change(paths: Sequence[Path], extends: str, option: str) -> Change:
    """Returns the change at `paths`: patches in their order, or one source tree.

    `extends` is the variant, `option` what messages call the paths. Raises OsgapError.
    """
    trees = [path for path in paths if path.is_dir()]
    if trees and len(paths) > 1:
        raise OsgapError(f"{option}: found {trees[0]} among others; allowed: patches, or one tree")
    if trees:
        return Change(KernelChange(extends=extends, source=_source(trees[0])))
    if len(paths) > MOST_PATCHES:
        count = counted(len(paths), "patch")
        raise OsgapError(f"{option}: found {count}; allowed: {MOST_PATCHES}")
    contents = [_patch(path) for path in paths]
    patches = tuple(patch_of(data, path.name) for path, data in zip(paths, contents, strict=True))
    return Change(KernelChange(extends=extends, patches=patches), tuple(contents))


def apply_change(base: Change, change: Change) -> Change:
    """Returns `base` with the patches of `change`; a tree stands in its place. Raises OsgapError
    where both are the same kernel.
    """
    if change.kernel.source:
        result = change
    else:
        patches: tuple[KernelPatch, ...] = (*base.kernel.patches, *change.kernel.patches)
        kernel = base.kernel.model_copy(update={"patches": patches})
        result = Change(kernel, (*base.patches, *change.patches))
    if result.kernel.variant(0) == base.kernel.variant(0):
        raise OsgapError(f"{change.label}: is the base itself; allowed: another kernel")
    return result


def _source(tree: Path) -> KernelSource:
    for mark in _MARKS:
        if not (tree / mark).is_file():
            raise OsgapError(f"{tree}: has no {mark}; allowed: a Linux source tree, or a patch")
    resolved = tree.resolve()
    return KernelSource(path=str(resolved), digest=source_digest(resolved))


def _patch(path: Path) -> bytes:
    try:
        data = inputs.read_bytes(path, largest=LARGEST)
    except OSError as error:
        raise OsgapError(f"{path}: cannot be read: {error.strerror}") from None
    if not _DIFF.search(data.replace(b"\r\n", b"\n")):
        raise OsgapError(
            f"{path}: is no patch; allowed: unified diffs, as git format-patch and diff -u write "
            "them, or a Linux source tree"
        )
    return data
