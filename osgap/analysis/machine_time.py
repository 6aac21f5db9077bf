# SPDX-License-Identifier: BSD-3-Clause
"""A scaled machine's tables on its own time: what it simulates is `time_scale` times as fast."""

from __future__ import annotations

import pandas as pd

from osgap.analysis import Tables
from osgap.analysis.constants import higher_is_better
from osgap.rundir.load import Run

_IN_METRIC = ["cold", "best", "median"]
_MIPS = ["mips", "mips_user", "dhrystone_mips"]


def own_time(run: Run, tables: Tables) -> Tables:
    """`times`, `modes` and `points` of analyze(run), times multiplied by each point's time scale
    (osgap.machine.Machine), rates and MIPS divided by it.  Clocks are the machine's own as ever.
    """
    scales = {key: point.record.time_scale for key, point in run.points.items()}
    return {
        "times": _times(tables["times"], scales),
        "modes": _modes(tables["modes"], scales),
        "points": _points(tables["points"], scales),
    }


def _times(times: pd.DataFrame, scales: dict[str, float]) -> pd.DataFrame:
    scale = times["key"].map(scales)
    rates = times["metric"].map(higher_is_better).astype(bool)
    own = {name: (times[name] * scale).mask(rates, times[name] / scale) for name in _IN_METRIC}
    return times.assign(**own, ns_per_op=times["ns_per_op"] * scale)


def _modes(modes: pd.DataFrame, scales: dict[str, float]) -> pd.DataFrame:
    scale = modes["key"].map(scales)
    return modes.assign(
        **{name: modes[name] * scale for name in modes.columns if name.endswith("_ns_per_op")}
    )


def _points(points: pd.DataFrame, scales: dict[str, float]) -> pd.DataFrame:
    """Points that are not finished have no ratings; few runs have memory's figures here."""
    scale = points["key"].map(scales)
    own = {name: points[name] / scale for name in (*_MIPS, "bandwidth_mb_s") if name in points}
    if "latency_ns" in points:
        own["latency_ns"] = points["latency_ns"] * scale
    return points.assign(**own)
