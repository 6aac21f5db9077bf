# SPDX-License-Identifier: BSD-3-Clause
"""Which commit builds the image of a committed run, where it is not the one that a clone builds."""

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
    """A commit of this repository, and the images that its clone builds: variant -> digest."""

    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
    images: dict[str, _Digest]


class Commits(Frozen):
    """results/locked/images.toml."""

    commits: tuple[Commit, ...]

    def builder(self, digest: str) -> str:
        """The commit that builds the image, "" where the file does not know it."""
        found = (known.commit for known in self.commits if digest in known.images.values())
        return next(found, "")

    def told(self, digest: str) -> str:
        """`commit ... builds it`, "" for an image whose commit is not listed."""
        commit = self.builder(digest)
        return f"commit {commit[:7]} builds it ({FILE})" if commit else ""


def commits() -> Commits:
    """What the clone knows; nothing where it has no such file. Raises ConfigError."""
    path = project_root() / FILE
    return read_model(path, Commits) if path.is_file() else Commits(commits=())
