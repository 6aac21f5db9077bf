# SPDX-License-Identifier: BSD-3-Clause
"""A real machine as another benchmark program's output describes it (osgap.imports reads it)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from osgap.base.frozen import Frozen

ClockOrigin = Literal["measured", "rated", "given"]
"""A program measured the clock, or only names it; or the user gave it."""


class ReportedMachine(Frozen):
    """A machine in another program's output; "" and 0 for what the output does not tell.

    `program` is the program with its version, `measured` the date in its output, `sha256` that of
    the file that was read.
    """

    kind: Literal["reported"] = "reported"
    program: str
    processor: str = ""
    architecture: str = ""
    board: str = ""
    kernel: str = ""
    cores: int = Field(default=0, ge=0)
    clock_mhz: float = Field(gt=0)
    clock_origin: ClockOrigin
    memory_mib: int = Field(default=0, ge=0)
    measured: str = ""
    sha256: str

    @property
    def harts(self) -> int:
        """The number of CPUs whose times are in the output: those of one copy of each program."""
        return 1
