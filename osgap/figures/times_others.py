# SPDX-License-Identifier: BSD-3-Clause
"""Time of one operation against the clock: the benchmarks that the figure `times` leaves out."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from osgap.figures import _rows, times

TABLES = times.TABLES


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws a small panel for each benchmark.  Raises FigureError without one."""
    return times.draw_panels(
        _rows.appendix_rows(times.timed(tables), "times_others"), 3, (2.5, 1.8)
    )
