# SPDX-License-Identifier: BSD-3-Clause
"""Loads gem5's statistics in notebooks and scripts: `osgap.load_statistics(paths)`."""

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

import pandas as pd

from osgap.base.errors import OsgapError
from osgap.gem5stats.dumps import DumpView
from osgap.gem5stats.tree import SHOWN, Tree, check, read, tabulated


def load_statistics(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    select: str = SHOWN,
    *,
    dump: int | None = None,
    differences: bool = False,
) -> pd.DataFrame:
    """Reads the statistics of any gem5 in directories and files: a row a dump.

    The columns are file and dump, path before them if `paths` is several, message behind them if a
    dump has one, then the statistics whose names match the regular expression `select`: integers or
    floating-point numbers, NaN where a dump lacks one. `dump` chooses one dump of each file, the
    last with -1; `differences` are counters' changes since the dump before. `attrs["faults"]` has a
    sentence for what could not be read, `attrs["notes"]` one for what was read in an unusual way.
    Raises OsgapError for a bad expression, a path without statistics, and if nothing matches.
    """
    listed = [paths] if isinstance(paths, str | PathLike) else list(paths)
    view = DumpView(dump, differences)
    trees = {str(path): read(Path(path), select, view=view) for path in listed}
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


def over_dumps(trees: Mapping[Path, Tree]) -> pd.DataFrame:
    """Returns a row for each statistic of a dump: file, dump, ticks, statistic, unit and value.

    ticks is finalTick, the simulated time; it is NaN in a dump without it.
    """
    rows = [
        (path / dump.file if path.is_dir() else path, dump.dump, dump.end, name, unit, value)
        for path, tree in trees.items()
        for dump in tree.dumps
        for name, value in dump.values.items()
        for unit in [dump.units.get(name, "")]
    ]
    columns = ["file", "dump", "ticks", "statistic", "unit", "value"]
    frame = pd.DataFrame(rows, columns=columns).astype({"ticks": float, "value": float})
    return frame.assign(file=frame["file"].map(str))


def _numbers(column: pd.Series) -> pd.Series:
    """Returns a column with the type int64 if that holds all of it, else float64."""
    numbers = pd.to_numeric(column)
    return numbers if numbers.dtype == "int64" else column.astype(float)
