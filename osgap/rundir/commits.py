# SPDX-License-Identifier: BSD-3-Clause
"""Commits that build the images of committed runs, from results/locked/images.toml.

The file lists only images that a clone of today builds differently.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from osgap.base.config import read_model
from osgap.base.frozen import Frozen
from osgap.base.paths import project_root

FILE = Path("results", "locked", "images.toml")
_Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Commit(Frozen):
    """A commit of this repository, and the images that it builds: variant -> digest."""

    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
    images: dict[str, _Digest]


class Commits(Frozen):
    """The content of results/locked/images.toml."""

    commits: tuple[Commit, ...]

    def builder(self, digest: str) -> str:
        """The commit that builds the image with this digest, "" if no commit is listed."""
        builders = (entry.commit for entry in self.commits if digest in entry.images.values())
        return next(builders, "")

    def hint(self, digest: str) -> str:
        """`commit ... builds it`, "" for an image whose commit is not listed."""
        commit = self.builder(digest)
        return f"commit {commit[:7]} builds it ({FILE})" if commit else ""


def commits() -> Commits:
    """The commits that this clone lists; none if it has no such file. Raises ConfigError."""
    path = project_root() / FILE
    return read_model(path, Commits) if path.is_file() else Commits(commits=())
