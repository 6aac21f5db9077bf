# SPDX-License-Identifier: BSD-3-Clause
"""Describes an image to SCons: its kernel, parts, layout and added files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from osgap.image.builder import cpio, link_order, steps

Node = Any
"""SCons's for a file."""


@dataclass(frozen=True)
class KernelRule:
    """A kernel without a file system: its record, its files, and its package's record."""

    record: Node
    inputs: steps.KernelInputs
    source: Node


@dataclass(frozen=True)
class GuestFile:
    """A file for the guest: its node, and its path and mode there."""

    node: Node
    path: str
    mode: int


def cpio_entries(files: Sequence[GuestFile], sources: Sequence[Path]) -> list[cpio.CpioEntry]:
    """Returns the archive's entries of the files, which are built as `sources`."""
    pairs = zip(files, sources, strict=True)
    return [cpio.file(file.path, source, file.mode) for file, source in pairs]


@dataclass(frozen=True)
class ImageRule:
    """The image FOLDER/image: its kernel, layout, and the parts built in FOLDER/guest.

    `added` files come behind those of contents.list. `libraries` are records of further packages.
    `manifest` returns the variant's part of image.json.
    """

    folder: str
    kernel: KernelRule
    parts: frozenset[str] = frozenset()
    layout: int = link_order.DEFAULT
    added: Sequence[GuestFile] = ()
    libraries: Sequence[Node] = ()
    manifest: Callable[[], Mapping[str, object]] = dict
