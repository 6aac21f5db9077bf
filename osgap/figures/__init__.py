# SPDX-License-Identifier: BSD-3-Clause
"""Figures of a run, one module each, of two runs in compare/, of gem5's statistics in
statistics/ (see osgap.drawing.figure)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from osgap.drawing.figure import FigureModule

OF_A_RUN = Path(__file__).parent
OF_TWO_RUNS = OF_A_RUN / "compare"
OF_STATISTICS = OF_A_RUN / "statistics"


def run_figures() -> dict[str, FigureModule]:
    """Returns the figures of a run by name, also the suites' with ENGINES. Raises FigureError."""
    from osgap.drawing.figure import discover
    from osgap.suites import suites

    figures = discover(OF_A_RUN)
    for folder in (suite.figures for suite in suites() if suite.figures):
        figures |= {name: figure for name, figure in discover(folder).items() if figure.engines}
    return dict(sorted(figures.items()))
