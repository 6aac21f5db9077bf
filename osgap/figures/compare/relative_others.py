# SPDX-License-Identifier: BSD-3-Clause
"""R against the clock on two simulators: the benchmarks that the figure `relative` leaves out."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from osgap.figures import _rows
from osgap.figures.compare import relative

TABLES = relative.TABLES


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws a small panel for each benchmark.  Raises FigureError without one."""
    rows = _rows.appendix_rows(relative.common(tables), "relative_others")
    return relative.draw_panels(tables, rows, 3, (2.5, 1.75))
