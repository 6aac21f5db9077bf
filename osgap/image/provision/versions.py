# SPDX-License-Identifier: BSD-3-Clause
"""Chooses the newest kernel package, by dpkg's comparison of versions."""

import re
import subprocess
from collections.abc import Mapping

from osgap.base.errors import OsgapError
from osgap.base.processes import environment

OLDEST_KERNEL = "6.1"
KERNEL_NAME = re.compile(r"linux-source-\d[\d.]*")


def newer(left: str, right: str) -> bool:
    """Returns True if `left` is a newer version than `right`."""
    try:
        done = subprocess.run(
            ["dpkg", "--compare-versions", left, "gt", right], check=False, env=environment()
        )
    except FileNotFoundError as error:
        raise OsgapError("dpkg is not on this machine: osgap needs Debian or Ubuntu") from error
    return done.returncode == 0


def newest_kernel(candidates: Mapping[str, str]) -> str:
    """Returns the newest linux-source package. Raises OsgapError if none is new enough."""
    best: str | None = None
    for name, version in sorted(candidates.items()):
        usable = KERNEL_NAME.fullmatch(name) and not newer(OLDEST_KERNEL, version)
        if usable and (best is None or newer(version, candidates[best])):
            best = name
    if best is None:
        raise OsgapError(
            f"apt offers no linux-source package of version {OLDEST_KERNEL} or later: add a "
            "Debian or Ubuntu source to /etc/apt, or give kernel_source=PATH"
        )
    return best
