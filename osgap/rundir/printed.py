# SPDX-License-Identifier: BSD-3-Clause
"""What programs of the user's printed at a point: output.txt, and numbers in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from osgap.image.programrecipe import SUITE
from osgap.rundir.files import PointFiles

OUTPUT = "output.txt"


def output_files(run: Sequence[str]) -> dict[str, str]:
    """Program -> the file of a point with what it printed, for the benchmarks `run` of its orders.

    That is OUTPUT where there is one program; of several each has NAME.output.txt.
    """
    names = [name.partition("/")[2] for name in run if name.startswith(f"{SUITE}/")]
    return {name: OUTPUT if len(names) == 1 else f"{name}.{OUTPUT}" for name in names}


def texts_of(run: Sequence[str], printed: Mapping[str, str]) -> dict[str, str]:
    """The files that a point of these orders has, with their texts."""
    files = output_files(run)
    return {files[name]: text for name, text in printed.items() if name in files}


def read_printed(files: PointFiles, run: Sequence[str]) -> dict[str, str]:
    """Program -> what it printed, where the point has it. Raises ResultsError."""
    known = output_files(run)
    return {
        name: files.read(file).decode("utf-8", "replace")
        for name, file in known.items()
        if file in files
    }
