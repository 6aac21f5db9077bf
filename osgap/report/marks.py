# SPDX-License-Identifier: BSD-3-Clause
"""Marks of simulated points and measured machines on the sliders' chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from osgap.analysis import relative
from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.constants import higher_is_better
from osgap.analysis.relative import defined, geometric_mean, relative_speed
from osgap.analysis.suite import Suite, sets_for
from osgap.drawing.display_names import series_name
from osgap.predict import grid

Mark = dict[str, object]
_Values = Mapping[str, tuple[float, str]]
"""Key "BENCHMARK FS" -> value and metric."""


Origin = tuple[AnalysedRun, str]
"""A run and the key of its point to which R is relative."""


def simulated_marks(run: AnalysedRun, origin: Origin, suites: Sequence[Suite]) -> list[Mark]:
    """A mark for each finished point of start 0, relative to `origin`, on the machines' own time.

    It has the point's name, its ratio of MIPS, and R by benchmark ("NAME FS") and by set.
    """
    tables = run.machine_time
    base, base_mips = _values(origin[0].machine_time, origin[1])
    marks = []
    for point in {point.key: point for point in grid.simulated(run.run)}.values():
        values, mips = _values(tables, point.key)
        label = f"{point.name}, {point.clock_mhz:g} MHz"
        marks.append(_mark(label, series_name(point.series), values, mips, base, base_mips, suites))
    return marks


def native_marks(
    native: AnalysedRun, run: AnalysedRun, reference: str, suites: Sequence[Suite]
) -> list[Mark]:
    """A mark for each point of a measured machine, relative to `reference` on its own time."""
    base, base_mips = _values(run.machine_time, reference)
    return [
        _mark(
            native.machine, "measured", *_values(native.machine_time, key), base, base_mips, suites
        )
        for key in native.run.points
    ]


def base_values(run: AnalysedRun, key: str) -> Mark:
    """The values and MIPS of a point, on its own time, as native_marks relates machines to them.

    A script that reads a measured machine's tables computes the same marks from them.
    """
    values, mips = _values(run.machine_time, key)
    return {"mips": mips, "values": {name: list(value) for name, value in values.items()}}


def _values(tables: Tables, key: str) -> tuple[_Values, float]:
    """The medians of a point's benchmarks, and its MIPS."""
    times, points = tables["times"], tables["points"]
    rows = times.loc[times["key"] == key, ["benchmark", "fs", "median", "metric"]]
    values = {
        f"{name} {fs}": (float(value), str(metric))
        for name, fs, value, metric in rows.itertuples(index=False, name=None)
    }
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
    """A mark with R of the benchmarks that both have under one name and file system."""
    speeds = {
        name: relative_speed(
            value, base[name][0], mips, base_mips, bandwidth=higher_is_better(metric)
        )
        for name, (value, metric) in values.items()
        if name in base
    }
    means = {
        name: _mean(speeds, benchmarks) for name, benchmarks in sets_for(suites, _names(speeds))
    }
    relative_speeds = {name: value for name, value in {**speeds, **means}.items() if defined(value)}
    ratio = mips / base_mips if defined(mips) and defined(base_mips) else relative.NAN
    return {"name": label, "label": series, "mips_ratio": ratio, "relative": relative_speeds}


def _mean(speeds: Mapping[str, float], benchmarks: Sequence[str]) -> float:
    return geometric_mean([v for name, v in speeds.items() if name.split()[0] in benchmarks])


def _names(speeds: Mapping[str, float]) -> set[str]:
    return {name.split()[0] for name in speeds}
