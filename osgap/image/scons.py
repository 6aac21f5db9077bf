# SPDX-License-Identifier: BSD-3-Clause
"""Runs SCons, and the shell functions that install system packages."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from osgap.base import durable
from osgap.base.errors import OsgapError, about
from osgap.base.paths import project_root
from osgap.base.processes import environment
from osgap.base.progress import is_watched, say

_ROOM = 1 << 20
# SCons lines hidden when standard error is no terminal: there are hundreds of compilers' lines.
_HIDDEN = ("  CC ", "  AS ", "Retrieved ", "scons: ")


class BuildError(OsgapError):
    """A build or an installation failed; its output has been printed."""


def scons(*words: str) -> None:
    """Builds in the checkout and prints the steps on standard error. Raises BuildError, OSError."""
    _check_room(project_root() / "build")
    program = Path(sys.executable).with_name("scons")
    # SCons would otherwise run a site_scons/ in the checkout or at home.
    command = [str(program), "-Q", "--no-site-dir", *words]
    watched = is_watched()
    try:
        with subprocess.Popen(
            command,
            cwd=project_root(),
            text=True,
            stdout=None if watched else subprocess.PIPE,
            env=environment(),
        ) as process:
            for line in process.stdout or ():
                if not line.startswith(_HIDDEN):
                    say(line.rstrip("\n"))
    except FileNotFoundError:
        raise BuildError(f"{program}: not there; SCons is one of osgap's packages") from None
    if process.returncode:
        raise BuildError(f"scons {' '.join(words)} ended with status {process.returncode}")


def _check_room(folder: Path) -> None:
    """Raises OSError if `folder` has no room, for which SCons prints tracebacks."""
    with about(folder), durable.scratch("osgap-build", folder) as scratch:
        (scratch / "room").write_bytes(bytes(_ROOM))


def ensure_packages(scopes: Sequence[str]) -> None:
    """Installs the system packages of scripts/packages.list that are missing. Raises BuildError."""
    code = 'set -euo pipefail; source scripts/lib.sh; ensure_packages "$@"'
    done = subprocess.run(
        ["bash", "-c", code, "osgap", *scopes], cwd=project_root(), env=environment()
    )
    if done.returncode:
        raise BuildError("system packages are missing")
