# SPDX-License-Identifier: BSD-3-Clause
"""Summarises a run in plain words: how many times faster the processor and the benchmarks got."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.constants import series_rank
from osgap.analysis.speed import lacks_rows
from osgap.machines.series import clock_and_parts, figures_text, parse_series, scaled_parts
from osgap.printing.intervals import NO_BANDS, Bands
from osgap.printing.means import averaged_sets
from osgap.suites import main_sets

_COUNTS = {2: "Both", 3: "All three", 4: "All four"}
_FEW = 5
"""A factor below it, or one with an interval, has a digit behind the point."""
_MANY = 10
"""No factor above it has one."""
_NO_CHANGE = 0.05
"""A factor as near to 1 is no change."""


@dataclass(frozen=True)
class Gain:
    """A series at its fastest clock: how many times faster the processor and the benchmarks got.

    `interval` are the ends of the benchmarks' factor, None if they are not known. `is_partial`
    is true where the run lacks benchmarks of the set.
    """

    set_name: str
    series: str
    clock_mhz: float
    processor: float
    relative: float
    interval: tuple[float, float] | None
    is_partial: bool = False

    @property
    def benchmarks(self) -> float:
        """The factor by which the benchmarks got faster: R times the processor's factor."""
        return self.relative * self.processor


def headline(tables: Tables, bands: Bands = NO_BANDS) -> str | None:
    """The result in a few sentences, of the first suite with a mean of R at two clocks, or None."""
    gains = gains_of(tables, bands)
    if not gains:
        return None
    apart = {name: gain for name, gain in gains.items() if parse_series(name).values}
    first, *further = [name for name in gains if name not in apart] or list(apart)
    sentences = [_first(gains[first])]
    sentences += [_further(first, gains[name], gains, name == further[0]) for name in further]
    ranged = {name: gain for name, gain in apart.items() if name != first}
    return " ".join([*sentences, *([_range(ranged)] if ranged else [])])


def gains_of(tables: Tables, bands: Bands = NO_BANDS) -> dict[str, Gain]:
    """The gains of the first suite with a mean above the slowest clock, by series in order."""
    geomeans = tables["geomean"]
    for name in averaged_sets(geomeans):
        means = geomeans[(geomeans["set"] == name) & geomeans["geomean"].notna()]
        faster = means[means["clock_mhz"] > means["clock_mhz"].min()]
        if len(faster):
            series = sorted(map(str, faster["series"].unique()), key=series_rank)
            return {each: _gain(faster[faster["series"] == each], bands) for each in series}
    return {}


def explanation(gain: Gain) -> str:
    """A definition of R, with the numbers of a gain as its example."""
    return (
        "R, the MIPS-relative speed, is how many times faster a benchmark got, divided by how many "
        "times faster the processor's MIPS rating got. 1 means that it kept up. With a faster "
        f"{_parts(gain.series)} the mean of R is {gain.benchmarks:.1f} / {gain.processor:.1f} = "
        f"{gain.relative:.2f}."
    )


def _gain(means: pd.DataFrame, bands: Bands) -> Gain:
    row = means.sort_values("clock_mhz").iloc[-1]
    processor, name = float(row["mips_ratio"]), str(row["set"])
    ends = bands.ends_of_mean(name, row["series"], row["clock_mhz"])
    return Gain(
        name,
        str(row["series"]),
        float(row["clock_mhz"]),
        processor,
        float(row["geomean"]),
        (ends[0] * processor, ends[1] * processor) if ends else None,
        is_partial=lacks_rows(row),
    )


def _first(gain: Gain) -> str:
    subject = f"A {_parts(gain.series)} {_number(gain.processor)} times faster"
    return f"{subject} {_effect(gain)}."


def _parts(series: str) -> str:
    """The parts that a series speeds up: "processor", "processor and memory"."""
    parts = clock_and_parts(parse_series(series).policies)
    return parts.replace("clock", "processor", 1) or f"machine of series {series}"


def _effect(gain: Gain) -> str:
    """The verb phrase of the first sentence: what the faster parts did."""
    interval = _interval(gain)
    if abs(gain.benchmarks - 1) < _NO_CHANGE:
        return f"did not make {_subject(gain)} faster{interval}"
    if gain.benchmarks < 1:
        return f"made {_subject(gain)} slower: {gain.benchmarks:.2f} of the speed{interval}"
    return f"made {_subject(gain)} {_factor(gain)} times faster{interval}"


def _subject(gain: Gain) -> str:
    """The operating system, for which the first suite's rows stand together, or some benchmarks."""
    first, *_ = sets = main_sets()
    if gain.set_name == first and not gain.is_partial:
        return "the operating system"
    return f"{'some' if gain.is_partial else 'the'} benchmarks of {sets[gain.set_name].title}"


def _further(first: str, gain: Gain, gains: Mapping[str, Gain], is_next: bool) -> str:
    """The sentence of another series, named by the parts that it speeds up beside the first's."""
    lead = gains[first]
    text = f"{_factor(gain)} times{_interval(gain)}"
    if gain.clock_mhz != lead.clock_mhz:
        text += f" (with a processor {_number(gain.processor)} times faster)"
    is_whole = len(scaled_parts(gain.series)) > 1
    if is_whole and _number(gain.benchmarks) == _number(gain.processor):
        text += " - nothing is left"
    return f"{_condition(first, gain.series, gains, is_next)}: {text}."


def _condition(first: str, series: str, gains: Mapping[str, Gain], is_next: bool) -> str:
    parts = scaled_parts(series)
    if first != "fixed" or not parts:
        words = _parts(series)
        return words[0].upper() + words[1:]
    alone = {name for name in gains if len(scaled_parts(name)) == 1}
    if len(parts) > 1 and alone == {axis.key for axis in parts}:
        return _COUNTS.get(len(parts) + 1, "All")
    subjects = " and ".join(axis.subject for axis in parts)
    if is_next:
        return f"Speed up {subjects} too"
    return f"{subjects[0].upper()}{subjects[1:]} {'too' if len(parts) > 1 else 'instead'}"


def _range(gains: Mapping[str, Gain]) -> str:
    """The range over all series of other figures, which may be dozens."""
    factors = sorted(gains.values(), key=lambda gain: gain.benchmarks)
    figures = figures_text(map(parse_series, gains))
    return f"With other {figures}: {_factor(factors[0])} to {_factor(factors[-1])} times."


def _factor(gain: Gain) -> str:
    """The factor by which the benchmarks got faster, in the digits that the interval allows."""
    return _digits(gain.benchmarks, gain)


def _interval(gain: Gain) -> str:
    """The interval in brackets; "" where it is not known or its ends print as the number does."""
    if gain.interval is None:
        return ""
    low, high = (_digits(end, gain) for end in gain.interval)
    return "" if low == high == _factor(gain) else f" [{low}, {high}]"


def _digits(value: float, gain: Gain) -> str:
    least = _MANY if gain.interval else _FEW
    return f"{value:.0f}" if gain.benchmarks >= least else f"{value:.1f}"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= _MANY else f"{value:.2g}"
