# SPDX-License-Identifier: BSD-3-Clause
"""A text table of the paper's suite: values with the ends of their intervals."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import pandas as pd

from osgap.analysis.relative import NAN
from osgap.drawing import text
from osgap.drawing.display_names import benchmark_name, column_name, engine_name
from osgap.drawing.text_table import TextTable


def interval_table(
    frame: pd.DataFrame, plain: list[str], with_interval: list[str], title: str, unknown: str
) -> TextTable:
    """A text table of the columns `plain`, then of `with_interval` with their ends in brackets.

    An undefined value is `unknown`. A file system stands behind its benchmark.
    """
    numeric = frame.select_dtypes("number").columns
    left = [name for name in plain if name not in (*numeric, "fs")]
    right = [name for name in plain if name not in (*left, "fs")]
    headings = [list(map(column_name, names)) for names in (left, [*right, *with_interval])]
    table = text.table(title, *headings)
    for row in frame.to_dict("records"):
        cells = [_named(row, name) for name in left]
        cells += [text.ratio(n) if isinstance(n := row[name], float) else str(n) for name in right]
        for name in with_interval:
            low, high = row[f"{name}_low"], row[f"{name}_high"]
            defined = row[name] == row[name]
            within = f" [{low:.2f}, {high:.2f}]" if low == low else ""
            half = row.get(f"{name}_layouts", NAN)
            beside = f" ± {half:.2f}" if half == half else ""
            cells.append(f"{row[name]:.2f}{within}{beside}" if defined else unknown)
        table.add_row(*cells)
    return table


def _named(row: Mapping[Hashable, object], name: str) -> str:
    if name == "benchmark":
        return benchmark_name(row[name], row.get("fs", "none"))
    is_engine = name in ("engine", "model")
    return engine_name(str(row[name])) if is_engine else str(row[name])
