# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of one layout, one in each row: times, R, means, elasticities, shares of log R."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.constants import CHECKS, SERIES
from osgap.analysis.layouts.groups import LayoutGroup, LayoutSample
from osgap.analysis.relative import NAN

TIME, SPEED, MEAN, ELASTICITY = "time", "R", "mean_R", "elasticity"
SHARES = ("memory_share", "disk_share", "rest_share")
IN_LOGS = (TIME, SPEED, MEAN)
"""Quantities that vary by factors: their logarithms are averaged."""
ROUNDING = 1e-12
"""Above the rounding errors of four logarithms of R (each logarithm below 10, its error 2e-15)."""
KEYS = ["quantity", "set", "series", "reference_mhz", "clock_mhz", "benchmark", "fs"]
VALUE_COLUMNS = [*KEYS, "value", "whole"]
_POINT = ["series", "clock_mhz"]
_BENCHMARK = ["benchmark", "fs"]


SampleValues = Mapping[LayoutSample, pd.DataFrame]
"""The result of `values` for each sample."""


def sample_values(group: LayoutGroup) -> SampleValues:
    """The values of each sample of the group."""
    return {sample: values(sample) for sample in group.samples}


def group_values(group: LayoutGroup, by_sample: SampleValues | None = None) -> pd.DataFrame:
    """Every sample's defined values (the first run's of a layout and start): VALUE_COLUMNS last.

    `by_sample` has the values of all its samples, where the caller needs them several times.
    """
    by_sample = by_sample or sample_values(group)
    frames = [
        by_sample[sample].assign(layout=sample.layout, start=sample.start)
        for sample in group.samples
    ]
    rows = pd.concat(frames, ignore_index=True)[["layout", "start", *VALUE_COLUMNS]]
    rows = rows[np.isfinite(rows["value"].astype(float))]
    return rows.drop_duplicates(["layout", "start", *KEYS], ignore_index=True)


def values(sample: LayoutSample) -> pd.DataFrame:
    """One row for each number (columns VALUE_COLUMNS), its natural logarithm for those in IN_LOGS.

    Elasticities are from the slowest clock to `clock_mhz`. A share's `value` is a part of log R,
    its `whole` is log R. R at the reference clock, which is 1, and of the checks has no row.
    """
    tables = sample.tables
    in_series, reference = _in_series(tables), reference_mhz(tables)
    speeds = tables["relative"]
    speeds = speeds[(speeds["clock_mhz"] != reference) & ~speeds["benchmark"].isin(CHECKS)]
    means = tables["geomean"][tables["geomean"]["clock_mhz"] != reference]
    fits = tables["elasticity"][tables["elasticity"]["kind"] == "fit"]
    fits = fits[~fits["benchmark"].isin(CHECKS)]
    finished = in_series[in_series["finished"] == "yes"][[*_POINT, "key"]]
    times = finished.merge(tables["times"][["key", *_BENCHMARK, "ns_per_op"]], on="key")
    relative = {"reference_mhz": reference}
    frames = [
        times.assign(quantity=TIME, value=_log(times["ns_per_op"])),
        speeds.assign(quantity=SPEED, value=_log(speeds["relative"]), **relative),
        means.assign(quantity=MEAN, value=_log(means["geomean"]), **relative),
        fits.assign(
            quantity=ELASTICITY,
            value=fits["elasticity"].astype(float),
            reference_mhz=fits["clock_low_mhz"],
            clock_mhz=fits["clock_high_mhz"],
        ),
        _shares(speeds, "relative", _BENCHMARK).assign(**relative),
        _shares(means, "geomean", ["set"]).assign(**relative),
    ]
    return pd.concat([_completed(frame) for frame in frames if len(frame)] or [_completed(times)])


def reference_mhz(tables: Tables) -> float:
    """The clock to which R is relative."""
    return float(_in_series(tables)["clock_mhz"].min())


def _in_series(tables: Tables) -> pd.DataFrame:
    points: pd.DataFrame = tables["points"]
    rows: pd.DataFrame = points[points["series"] != ""]
    return rows


def log_parts(speeds: pd.DataFrame, column: str, keys: list[str]) -> pd.DataFrame:
    """The parts of log R, R in `column`, by `keys`: `log_relative` = `memory` + `disk` + `rest`.

    The loss to memory and to the disk are each the mean of adding it first and adding it last. A
    loss below ROUNDING is 0: processors differ in the last bit of a logarithm.
    """
    logs = speeds.assign(log=_log(speeds[column]))
    table = logs.pivot_table(index=keys, columns="series", values="log")
    table = table.reindex(columns=list(SERIES)).dropna()
    fixed, memory, disk, both = (table[name] for name in SERIES)
    parts = {
        "log_relative": fixed,
        "memory": _without_rounding(-((memory - fixed) + (both - disk)) / 2),
        "disk": _without_rounding(-((disk - fixed) + (both - memory)) / 2),
        "rest": both,
    }
    return pd.DataFrame(parts, index=table.index)


def _without_rounding(loss: pd.Series) -> pd.Series:
    return loss.where(loss.abs() >= ROUNDING, 0.0)


def _shares(speeds: pd.DataFrame, column: str, name: list[str]) -> pd.DataFrame:
    parts = log_parts(speeds, column, ["clock_mhz", *name])
    log = parts.pop("log_relative")
    frames = [
        part.to_frame("value").assign(whole=log, quantity=quantity).reset_index()
        for quantity, (_, part) in zip(SHARES, parts.items(), strict=True)
    ]
    return pd.concat(frames, ignore_index=True).assign(series="fixed")


def _log(numbers: pd.Series) -> pd.Series:
    values = numbers.astype(float)
    return pd.Series(np.log(values.where(values > 0)), index=numbers.index)


def _completed(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with all of VALUE_COLUMNS, a missing column empty."""
    texts = {name: "" for name in ("set", *_BENCHMARK) if name not in frame}
    numbers = {name: NAN for name in ("reference_mhz", "whole", "value") if name not in frame}
    return frame.assign(
        **{"quantity": TIME} if "quantity" not in frame else {}, **texts, **numbers
    )[VALUE_COLUMNS]
