# SPDX-License-Identifier: BSD-3-Clause
"""Tables of a scaled machine in the original machine's time.

A machine file with a time scale simulates a machine that is `time_scale` times as fast as the
original (docs/method/overview.md); here its times are multiplied by the scale again.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from osgap.analysis.constants import higher_is_better
from osgap.machines.axes import FIGURES
from osgap.rundir.load import Run

_IN_METRIC = ["cold", "best", "median"]
_MIPS = ["mips", "mips_user", "dhrystone_mips"]


def machine_time(run: Run, tables: Mapping[str, pd.DataFrame]) -> Mapping[str, pd.DataFrame]:
    """The tables `times`, `modes` and `points` in the original machine's time."""
    scales = {key: point.record.time_scale for key, point in run.points.items()}
    times, modes, points = (tables[name] for name in ("times", "modes", "points"))
    scale = times["key"].map(scales)
    rates = times["metric"].map(higher_is_better).astype(bool)
    results = {name: (times[name] * scale).mask(rates, times[name] / scale) for name in _IN_METRIC}
    by_mode = [name for name in modes.columns if name.endswith("_ns_per_op")]
    return {
        "times": times.assign(**results, ns_per_op=times["ns_per_op"] * scale),
        "modes": modes.assign(**modes[by_mode].mul(modes["key"].map(scales), axis=0)),
        "points": _points(points, points["key"].map(scales)),
    }


def _points(points: pd.DataFrame, scale: pd.Series) -> pd.DataFrame:
    """Ratings of finished points; figures of the machine where the table has them."""
    scaled = {name: points[name] / scale for name in _MIPS if name in points}
    scaled |= {
        axis.key: axis.on_own_time(points[axis.key], scale)
        for axis in FIGURES
        if axis.key in points
    }
    return points.assign(**scaled)
