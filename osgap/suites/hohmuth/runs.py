# SPDX-License-Identifier: BSD-3-Clause
"""The lines of Hohmuth's pages from runs: one line for each point."""

from collections.abc import Sequence

from osgap.analysis.analysed import AnalysedRun, PlacedPoint
from osgap.analysis.runs import DIRECT, machine_labels, values_by_key
from osgap.image.variants import DEFAULT
from osgap.rundir.csvfile import ResultsError
from osgap.suites.hohmuth import cells
from osgap.suites.hohmuth.cells import ABSENT, Line
from osgap.suites.hohmuth.page_format import SHEETS, page, unit

NOTES = (
    "K is 1000 us on the first page and 1024 us on the second, as in the publication.",
    f"{ABSENT} and {cells.UNKNOWN}: not measured, or not above 0 after what is subtracted.",
)


def pages(points: Sequence[PlacedPoint]) -> list[str]:
    """Returns both pages as lines of text.  Raises ResultsError when no point has a row of them."""
    lines = measured_lines(points)
    if not any(line.values for line in lines):
        raise ResultsError("no finished point has a benchmark of the suite mcvoy")
    first = page(cells.absolute(lines), relative=False)
    second = page(cells.relative(lines), relative=True)
    return [*first, "", "", *second, "", *NOTES]


def measured_lines(points: Sequence[PlacedPoint]) -> list[Line]:
    """Returns the median of each benchmark on each point, without those of 0 or less."""
    labels = machine_labels(points)
    return [
        Line(labels[point], system(point.analysed), point.clock_mhz, _values(point))
        for point in points
    ]


def system(analysed: AnalysedRun) -> str:
    """Returns the name of a run's operating system: Linux, its variant and its way to call."""
    variant = [analysed.variant] if analysed.variant != DEFAULT else []
    calls = [analysed.calls] if analysed.calls != DIRECT else []
    return " ".join(["Linux", *variant, *calls])


def _values(point: PlacedPoint) -> dict[str, float]:
    times = point.analysed.machine_time["times"]
    point_times = times[times["key"] == point.key]
    nanoseconds = values_by_key(point_times).get(point.key, {})
    rates = values_by_key(point_times, "median").get(point.key, {})
    columns = [name for sheet in SHEETS for name, _ in sheet.columns if name in nanoseconds]
    return {name: _in_unit(name, nanoseconds[name], rates.get(name, 0.0)) for name in columns}


def _in_unit(name: str, nanoseconds: float, rate: float) -> float:
    if unit(name) == "MB/s":
        return rate
    return nanoseconds if unit(name) == "ns" else nanoseconds / 1e3
