# SPDX-License-Identifier: BSD-3-Clause
"""Notes on images: kernels that differ between two runs, and the commit that builds an image."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from osgap.rundir import commits, manifest
from osgap.rundir.directory import runs_below


def notes(path_a: Path, path_b: Path) -> list[str]:
    """`another kernel: ...` where the sides' kernels are of other versions. Raises OsgapError."""
    a, b = (_kernels(path) for path in (path_a, path_b))
    if not a or not b or a == b:
        return []
    return [f"another kernel: {_listed(a)} in A, {_listed(b)} in B"]


def older(runs: Iterable[Path]) -> list[str]:
    """`image ... is an earlier one: commit ...` for each such image. Raises OsgapError."""
    digests = dict.fromkeys(str(manifest.read(run).image.get("digest", "")) for run in runs)
    by_commit = commits.commits()
    return [
        f"image {digest[:12]} is an earlier one: {commit}"
        for digest in digests
        if (commit := by_commit.hint(digest))
    ]


def _kernels(path: Path) -> set[str]:
    records = (manifest.read(run).image.get("kernel") for run in runs_below(path))
    return {str(kernel["version"]) for kernel in records if kernel and "version" in kernel}


def _listed(versions: Iterable[str]) -> str:
    return ", ".join(sorted(versions))
