# SPDX-License-Identifier: BSD-3-Clause
"""Where simulated points and measured machines stand among what the sliders predict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from osgap.analysis import relative
from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.constants import higher_is_better
from osgap.analysis.relative import defined, geometric_mean, relative_speed
from osgap.analysis.suite import Suite, sets_for
from osgap.drawing import style
from osgap.predict import grid

Mark = dict[str, object]
_Values = Mapping[str, tuple[float, str]]
"""Benchmark and file system, with a space between -> value and metric."""


def simulated_marks(run: AnalysedRun, reference: str, suites: Sequence[Suite]) -> list[Mark]:
    """Each finished point of the first seed once: its name, MIPS relative to the point
    `reference`, R of every benchmark ("NAME FS") and mean (the set's name) relative to it."""
    tables = {"times": run.tables["times"], "points": run.tables["points"]}
    base, base_mips = _of(tables, reference)
    marks = []
    for point in {one.key: one for one in grid.simulated(run.run)}.values():
        values, mips = _of(tables, point.key)
        label = f"{point.name}, {point.clock_mhz:g} MHz"
        marks.append(
            _mark(label, style.series_label(point.series), values, mips, base, base_mips, suites)
        )
    return marks


def native_marks(
    native: AnalysedRun, run: AnalysedRun, reference: str, suites: Sequence[Suite]
) -> list[Mark]:
    """The same of a measured machine's points, beside the simulated machine on its own time."""
    base, base_mips = _of(run.machine_time, reference)
    keys = native.run.points
    return [
        _mark(native.machine, "measured", *_of(native.machine_time, key), base, base_mips, suites)
        for key in keys
    ]


def _of(tables: Tables, key: str) -> tuple[_Values, float]:
    times, points = tables["times"], tables["points"]
    own = times[times["key"] == key]
    columns = own[["benchmark", "fs", "median", "metric"]].itertuples(index=False, name=None)
    values = {f"{name} {fs}": (float(value), str(metric)) for name, fs, value, metric in columns}
    return values, float(points.loc[points["key"] == key, "mips"].iloc[0])


def _mark(
    label: str,
    series: str,
    values: _Values,
    mips: float,
    base: _Values,
    base_mips: float,
    suites: Sequence[Suite],
) -> Mark:
    """R of what both have; of a measured machine, whose files are of another system, what is
    alike in name."""
    speeds = {
        name: relative_speed(
            value, base[name][0], mips, base_mips, bandwidth=higher_is_better(metric)
        )
        for name, (value, metric) in values.items()
        if name in base
    }
    means = {chosen: _mean(speeds, own) for chosen, own in sets_for(suites, _names(speeds))}
    known = {name: value for name, value in {**speeds, **means}.items() if defined(value)}
    ratio = mips / base_mips if defined(mips) and defined(base_mips) else relative.NAN
    return {"name": label, "label": series, "mips_ratio": ratio, "relative": known}


def _mean(speeds: Mapping[str, float], benchmarks: Sequence[str]) -> float:
    return geometric_mean([v for name, v in speeds.items() if name.split()[0] in benchmarks])


def _names(speeds: Mapping[str, float]) -> set[str]:
    return {name.split()[0] for name in speeds}
