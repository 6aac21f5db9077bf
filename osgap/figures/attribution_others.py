# SPDX-License-Identifier: BSD-3-Clause
"""Stacked bars of cycles: the benchmarks that the figure `attribution` leaves out."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from osgap.figures import _rows, attribution

TABLES = attribution.TABLES


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws a panel for each benchmark.  Raises FigureError without one."""
    rows = _rows.appendix_rows(attribution.attributed(tables), "attribution_others")
    return attribution.draw_panels(rows, attribution.COLUMNS, attribution.SIZE)
