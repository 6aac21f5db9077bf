# SPDX-License-Identifier: BSD-3-Clause
"""Loads gem5's statistics in notebooks and scripts: `osgap.load_statistics(paths)`."""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

import pandas as pd

from osgap.base.errors import OsgapError
from osgap.gem5stats.tree import SHOWN, check, read, tabulated


def load_statistics(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]], select: str = SHOWN
) -> pd.DataFrame:
    """Reads the statistics of any gem5 in directories and files: a row a dump.

    The columns are file and dump, path before them if `paths` is several, message behind them if a
    dump has one, then the statistics whose names match the regular expression `select`: integers or
    floating-point numbers, NaN where a dump lacks one. `attrs["faults"]` has a sentence for what
    could not be read, `attrs["notes"]` one for what was read in an unusual way. Raises OsgapError
    for a bad expression, a path without statistics, and if nothing matches.
    """
    listed = [paths] if isinstance(paths, str | PathLike) else list(paths)
    trees = {str(path): read(Path(path), select) for path in listed}
    if not trees:
        raise OsgapError("paths: found none; allowed: one or several")
    check(", ".join(trees), select, *trees.values())
    frame = tabulated(dump for tree in trees.values() for dump in tree.dumps)
    texts = {"file", "dump", "message"}
    frame = pd.DataFrame({n: c if n in texts else _numbers(c) for n, c in frame.items()})
    frame["dump"] = frame["dump"].astype(int)
    if listed != [paths]:
        frame.insert(0, "path", [path for path, tree in trees.items() for _ in tree.dumps])
    for kind in ("faults", "notes"):
        frame.attrs[kind] = [line for tree in trees.values() for line in getattr(tree, kind)]
    return frame


def _numbers(column: pd.Series) -> pd.Series:
    """Returns a column with the type int64 if that holds all of it, else float64."""
    numbers = pd.to_numeric(column)
    return numbers if numbers.dtype == "int64" else column.astype(float)
