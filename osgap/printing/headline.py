# SPDX-License-Identifier: BSD-3-Clause
"""Summarises a run in a sentence: the mean of R from the slowest clock to the fastest."""

from collections.abc import Mapping, Sequence

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.constants import series_rank
from osgap.machines.series import parse_series
from osgap.printing.intervals import NO_BANDS, Bands
from osgap.printing.means import averaged_sets
from osgap.suites import main_sets

# Parts that scale with the clock: as subjects of the sentence, and as additions to "clock alone".
_SUBJECTS = {
    "fixed": "Clock alone",
    "memory": "Clock and memory",
    "disk": "Clock and disk",
    "both": "Clock, memory and disk",
}
_BESIDE = {"memory": "memory", "disk": "the disk", "both": "both"}
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
    subject = _SUBJECTS.get(first, f"Series {first}")
    sentence = (
        f"{subject} from {low:g} to {high:g} MHz: the mean MIPS-relative speed (R){of} "
        f"{_moves(_at_fastest_clock(curves[first]))} {_fastest_mean(curves[first], bands)}"
    )
    rest = [
        _further_series(first, {name: curves[name] for name in further}, high, bands),
        _range([_at_fastest_clock(curves[name]) for name in apart]),
    ]
    return "; ".join([sentence, *filter(None, rest)]) + "."


def _is_apart(name: str) -> bool:
    """Whether the series has another latency or bandwidth of memory than the machine file."""
    return bool(parse_series(name).values)


def _range(means: Sequence[float]) -> str:
    """The range over all series of other latencies and bandwidths, which may be dozens."""
    if not means:
        return ""
    return f"with other latencies or bandwidths of memory {min(means):.2f} to {max(means):.2f}"


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
    if first != "fixed" or name not in _BESIDE:
        return _SUBJECTS.get(name, f"series {name}").lower()
    parts = _BESIDE[name]
    if name == "both" and not {"memory", "disk"} <= set(curves):
        parts = "memory and the disk"
    return f"with {parts} scaled too" if is_next else f"with {parts}"


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
