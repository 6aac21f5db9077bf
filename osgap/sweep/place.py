# SPDX-License-Identifier: BSD-3-Clause
"""Watches whether a run directory that is swept keeps its place, and is this sweep's."""

from __future__ import annotations

import errno
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.base.quoting import counted
from osgap.points.record import State
from osgap.rundir.directory import MANIFEST
from osgap.sweep.host import Host
from osgap.sweep.jobs import update_records
from osgap.sweep.locking import SweepError, is_followed, owner
from osgap.sweep.progress import survey

_AWAY = (errno.ENOENT, errno.ENOTDIR, errno.ESTALE)


class Displaced(SweepError):
    """End of a sweep whose directory was renamed, deleted, or taken over by another sweep."""


@dataclass(frozen=True)
class Place:
    """A run directory's path, and a path to the same directory whatever its name becomes."""

    run: Path
    same: Path

    def is_lost(self) -> bool:
        """True if this sweep may write nothing to `run` any more."""
        return not self._is_at(self.run) or is_followed(self.same)

    def error(self, host: Host, keys: Sequence[str] = ()) -> Displaced:
        """The reason, and what goes on; `keys` are counted, and recorded, at the new place."""
        lost = f"{self.run}: this sweep has stopped, because its directory was"
        if is_followed(self.same):
            return Displaced(f"{lost} taken over while it was silent: {owner(self.same)} goes on")
        present = Path(os.readlink(self.same))
        if not self._is_at(present) or not (present / MANIFEST).is_file():
            return Displaced(
                f"{lost} deleted or moved; go on with osgap resume at its new place, or repeat "
                "the command for a new run"
            )
        update_records(present, keys)
        done = survey(present, keys).counts[State.DONE]
        count = f"{done} of {counted(len(keys), 'point')} are finished and kept; " if keys else ""
        profile = ("--profile", str(host.profile)) if host.profile else ()
        again = shlex.join(["osgap", "resume", str(present), *profile])
        return Displaced(f"{lost} moved to {present}; {count}go on with: {again}")

    def _is_at(self, path: Path) -> bool:
        """True if `path` is the directory, or cannot be looked at for now."""
        try:
            return path.samefile(self.same)
        except OSError as error:
            return error.errno not in _AWAY
