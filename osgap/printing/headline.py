# SPDX-License-Identifier: BSD-3-Clause
"""Summarises a run in a sentence: the mean of R from the slowest clock to the fastest."""

from collections.abc import Mapping

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.constants import series_rank
from osgap.machines.series import clock_and_parts, figures_text, parse_series, scaled_parts
from osgap.printing.intervals import NO_BANDS, Bands
from osgap.printing.means import averaged_sets
from osgap.suites import main_sets

_SAME = 0.005
"""Means closer to 1 are printed as 1.00."""


def headline(tables: Tables, bands: Bands = NO_BANDS) -> str | None:
    """One sentence from the means of the first suite that the run has; None without any mean.

    Each mean is followed by its interval of `bands`.
    """
    geomeans = tables["geomean"]
    for name in averaged_sets(geomeans):
        means = geomeans[(geomeans["set"] == name) & geomeans["geomean"].notna()]
        if len(means):
            return _sentence(means, _of(name), bands)
    return None


def _of(name: str) -> str:
    """The suite whose rows the mean is of; "" for the first suite."""
    first, *_ = sets = main_sets()
    return "" if name == first else f" of the rows of {sets[name].title}"


def _sentence(means: pd.DataFrame, of: str, bands: Bands) -> str:
    series = sorted(means["series"].unique(), key=series_rank)
    by_series = {name: means[means["series"] == name] for name in series}
    curves = {name: rows for name, rows in by_series.items() if rows["clock_mhz"].nunique() > 1}
    if not curves:
        return _one_clock(means, of, bands)
    first, *further = curves
    apart = [name for name in further if _is_apart(name)]
    further = [name for name in further if name not in apart]
    low, high = (float(end(curves[first]["clock_mhz"])) for end in (min, max))
    subject = _subject(first).capitalize() if clock_and_parts(first) else f"Series {first}"
    sentence = (
        f"{subject} from {low:g} to {high:g} MHz: the mean MIPS-relative speed (R){of} "
        f"{_moves(_at_fastest_clock(curves[first]))} {_fastest_mean(curves[first], bands)}"
    )
    rest = [
        _further_series(first, {name: curves[name] for name in further}, high, bands),
        _range({name: _at_fastest_clock(curves[name]) for name in apart}),
    ]
    return "; ".join([sentence, *filter(None, rest)]) + "."


def _is_apart(name: str) -> bool:
    """True if the series has figures that are not the machine's own, such as a latency."""
    return bool(parse_series(name).values)


def _range(means: Mapping[str, float]) -> str:
    """The range over all series of other figures, which may be dozens."""
    if not means:
        return ""
    figures = figures_text(map(parse_series, means))
    return f"with other {figures} {min(means.values()):.2f} to {max(means.values()):.2f}"


def _subject(policies: str) -> str:
    parts = clock_and_parts(policies)
    return "clock alone" if parts == "clock" else parts or f"series {policies}".lower()


def _one_clock(means: pd.DataFrame, of: str, bands: Bands) -> str:
    clocks = sorted(means["clock_mhz"].unique())
    if len(clocks) == 1:
        return (
            f"One clock alone, {clocks[0]:g} MHz: the MIPS-relative speed (R){of} compares with a "
            "slower clock, and there is none."
        )
    fastest = means[means["clock_mhz"] == clocks[-1]]
    return (
        f"At {clocks[-1]:g} MHz (series {fastest['series'].iloc[0]}), beside {clocks[0]:g} MHz: "
        f"the mean MIPS-relative speed (R){of} is {_fastest_mean(fastest, bands)}."
    )


def _further_series(
    first: str, curves: Mapping[str, pd.DataFrame], clock: float, bands: Bands
) -> str:
    """The other series' means, each at its fastest clock, named where it is not `clock`."""
    texts: list[str] = []
    for name, rows in curves.items():
        fastest = float(rows["clock_mhz"].max())
        suffix = "" if fastest == clock else f" (at {fastest:g} MHz)"
        label = _beside(first, name, curves, not texts)
        texts.append(f"{label} {_fastest_mean(rows, bands)}{suffix}")
    return ", ".join(texts)


def _beside(first: str, name: str, curves: Mapping[str, pd.DataFrame], is_next: bool) -> str:
    parts = scaled_parts(name)
    if first != "fixed" or not parts:
        return _subject(name)
    is_both = len(parts) == 2 and all(axis.key in curves for axis in parts)
    subjects = "both" if is_both else " and ".join(axis.subject for axis in parts)
    return f"with {subjects} scaled too" if is_next else f"with {subjects}"


def _fastest_mean(means: pd.DataFrame, bands: Bands) -> str:
    """The mean at the fastest clock, and its interval."""
    row = means.sort_values("clock_mhz").iloc[-1]
    band = bands.of_mean(row["set"], row["series"], row["clock_mhz"])
    return f"{row['geomean']:.2f}{band}"


def _at_fastest_clock(means: pd.DataFrame) -> float:
    return float(means.sort_values("clock_mhz")["geomean"].iloc[-1])


def _moves(mean: float) -> str:
    if abs(mean - 1) < _SAME:
        return "stays at"
    return "falls to" if mean < 1 else "rises to"
