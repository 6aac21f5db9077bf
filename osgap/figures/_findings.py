# SPDX-License-Identifier: BSD-3-Clause
"""Titles of figures: the finding that the tables give, in words."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from osgap.analysis.layouts.values import MEAN
from osgap.analysis.speed import lacks_rows
from osgap.drawing.display_names import engine_name

READING = "R = speed-up of the operating system / speed-up of the processor"


def scaling_title(tables: Mapping[str, pd.DataFrame], name: str, means: pd.DataFrame) -> str:
    """Returns how much faster the operating system got where the clock alone rose."""
    alone = means[means["series"] == "fixed"].sort_values("mips_ratio")
    if len(alone) < 2:
        return "Speed of the operating system, relative to the processor's"
    last = alone.iloc[-1]
    faster = float(last["mips_ratio"])
    low, high = _ends(tables, name, last)
    gain = _span(faster * low, faster * high)
    return f"A processor {times(faster)} times faster made {subject(last)} {gain} times faster"


def subject(mean: pd.Series) -> str:
    """Returns what a mean is of: the operating system, or some benchmarks where it lacks rows."""
    return "some benchmarks" if lacks_rows(mean) else "the operating system"


def scaling_subtitle(tables: Mapping[str, pd.DataFrame], means: pd.DataFrame) -> str:
    """Returns how to read R, the number of benchmarks and the engine."""
    most = int(means["n"].max()) if "n" in means and means["n"].notna().any() else 0
    many = f"mean of {most} benchmarks" if most > 1 else "mean"
    engine = simulator(tables)
    return f"{READING}; {many}" + (f", simulated on {engine}" if engine else "")


def simulator(tables: Mapping[str, pd.DataFrame]) -> str:
    """Returns the name of the run's engine; "" if it is not known."""
    points = tables.get("points")
    if points is None or "engine" not in points:
        return ""
    engines = [str(engine) for engine in points["engine"].dropna().unique()]
    return engine_name(engines[0]) if len(engines) == 1 else ""


def times(ratio: float) -> str:
    """Returns a ratio in words of a title: "32", "7", "2.6"."""
    return f"{ratio:.0f}" if ratio >= 5 or abs(ratio - round(ratio)) < 0.05 else f"{ratio:.1f}"


def _span(low: float, high: float) -> str:
    first, last = times(low), times(high)
    return first if first == last else f"{first} to {last}"


def _ends(
    tables: Mapping[str, pd.DataFrame], name: str, last: pd.Series[float]
) -> tuple[float, float]:
    """The 95 % interval of the mean of all layouts or of the prediction; without, R twice."""
    mean = float(last["geomean"])
    if {"low", "high"} <= set(last.index) and pd.notna(last["low"]):
        return float(last["low"]), float(last["high"])
    rows = tables.get("layouts", pd.DataFrame(columns=["quantity"]))
    rows = rows[rows["quantity"] == MEAN]
    if len(rows):
        of_clock = (rows["series"] == "fixed") & (rows["clock_mhz"] == last["clock_mhz"])
        rows = rows[of_clock & (rows["set"] == name)].dropna(subset=["low", "high"])
    ends = [mean, *map(float, rows[["low", "high"]].iloc[0])] if len(rows) else [mean]
    return min(ends), max(ends)
