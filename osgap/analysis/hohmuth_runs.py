# SPDX-License-Identifier: BSD-3-Clause
"""The lines of Hohmuth's pages from runs: a line a point."""

from collections.abc import Sequence

from osgap.analysis import hohmuth
from osgap.analysis.hohmuth import ABSENT, RATES, Line
from osgap.analysis.hohmuth_layout import MEMORY, SHEETS, page
from osgap.analysis.parts import DEFAULT, DIRECT, Part, Place, machine_labels, values_by_key
from osgap.csvfile import ResultsError

NOTES = (
    "K is 1000 us on the first page and 1024 us on the second, as in the seed.",
    f"{ABSENT} and {hohmuth.UNKNOWN}: not measured, or not above 0 after what is subtracted.",
)
_NS = frozenset(name for name, _ in MEMORY.columns)


def pages(every: Sequence[Place]) -> list[str]:
    """Both pages as lines of text.  Raises ResultsError when no point has a row of them."""
    lines = measured_lines(every)
    if not any(line.values for line in lines):
        raise ResultsError("no finished point has a benchmark of the suite mcvoy")
    first = page(hohmuth.absolute(lines), relative=False)
    second = page(hohmuth.relative(lines), relative=True)
    return [*first, "", "", *second, "", *NOTES]


def measured_lines(every: Sequence[Place]) -> list[Line]:
    """The median of each benchmark on each point; one that is not above 0 is left out."""
    labels = machine_labels(every)
    return [
        Line(labels[place], system(place.part), place.clock_mhz, _values(place)) for place in every
    ]


def system(part: Part) -> str:
    """What to call a run's operating system: its variant and its way to call."""
    told = [part.variant if part.variant != DEFAULT else "", part.calls]
    return " ".join(["Linux", *(name for name in told if name not in ("", DIRECT))])


def _values(place: Place) -> dict[str, float]:
    times = place.part.own["times"]
    own = times[times["key"] == place.key]
    nanoseconds = values_by_key(own).get(place.key, {})
    rates = values_by_key(own, "median").get(place.key, {})
    columns = [name for sheet in SHEETS for name, _ in sheet.columns if name in nanoseconds]
    return {name: _in_unit(name, nanoseconds[name], rates.get(name, 0.0)) for name in columns}


def _in_unit(name: str, nanoseconds: float, rate: float) -> float:
    """MB/s of a rate, ns of a memory's latency, us of others."""
    if name in RATES:
        return rate
    return nanoseconds if name in _NS else nanoseconds / 1e3
