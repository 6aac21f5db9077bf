# SPDX-License-Identifier: BSD-3-Clause
"""Lines of two runs: solid with filled marks, and dashed with white ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.artist import Artist
from matplotlib.lines import Line2D

from osgap.drawing import style

SOLID, DASHED = "-", (0, (3, 1.5))


def first(look: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the look of a series' line in the first run."""
    return {**look, "linestyle": SOLID}


def second(look: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the look of a series' line in the second run, without a label."""
    plain = {key: value for key, value in look.items() if key != "label"}
    return {**plain, "linestyle": DASHED, "markerfacecolor": "white"}


def entries(names: Sequence[str]) -> tuple[list[Artist], list[str]]:
    """Returns a legend's handles and texts: each run's line."""
    grey = {"color": style.GREY, "marker": "o", "markersize": 5.0}
    lines = [Line2D([], [], **first(grey)), Line2D([], [], **second(grey))]
    return [*lines], [*names]
