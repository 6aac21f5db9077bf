# SPDX-License-Identifier: BSD-3-Clause
"""What a command said on standard error: its stages, and its sentences about what is wrong."""

import re

_STAGE = re.compile(r"^\d\d:\d\d:\d\d ")


def sentences(errors: str) -> list[str]:
    """The lines that are no stage."""
    return [line for line in errors.strip().splitlines() if not _STAGE.match(line)]


def stages(errors: str) -> list[str]:
    """What follows the time in the lines that are stages."""
    return [_STAGE.sub("", line) for line in errors.splitlines() if _STAGE.match(line)]
