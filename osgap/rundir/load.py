# SPDX-License-Identifier: BSD-3-Clause
"""Loads a run directory (docs/reference/run-directory.md) as pandas frames, checks its files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from osgap.base.quoting import counted, quoted
from osgap.gem5stats import names
from osgap.gem5stats.figures import figures
from osgap.gem5stats.scalars import figure_scalars, read_scalars
from osgap.machines.host import is_simulator
from osgap.rundir import manifest
from osgap.rundir.csvfile import ResultsError, parse_csv
from osgap.rundir.directory import MANIFEST
from osgap.rundir.files import PointFiles, finished_points
from osgap.rundir.frames import read_records
from osgap.rundir.point import POINT, REGIONS, STATS, Spec, damage, parse_spec, read_done
from osgap.rundir.pointfiles import REGION_COLUMNS, read_outputs

__all__ = ["Point", "ResultsError", "Run", "load_point", "load_run"]

REQUIRED_STATS = tuple(names.REQUIRED)
OPTIONAL_STATS = tuple(names.OPTIONAL)


@dataclass(frozen=True)
class Point:
    """A finished point.

    `samples` has a row for each region: the columns of records.Sample, then the region's statistics
    (NaN if the engine gives none). `records` has the frames of the guest's other records by name,
    `printed` the output of the user's programs.
    """

    record: Spec
    path: Path
    samples: pd.DataFrame
    records: Mapping[str, pd.DataFrame]
    printed: Mapping[str, str] = field(default_factory=dict)

    @property
    def disk(self) -> pd.DataFrame:
        """The disk's work: a row for each benchmark and file system (records.DiskUse)."""
        return self.records["disk"]

    @property
    def network(self) -> pd.DataFrame:
        """Calls to the file server: a row for each benchmark with one (records.NetworkUse)."""
        return self.records["network"]

    @property
    def requests(self) -> pd.DataFrame:
        """Single requests to the disk, if its driver reports them (records.DiskRequest)."""
        return self.records["requests"]

    @property
    def modes(self) -> pd.DataFrame:
        """User, kernel and idle time of each region that reports them (records.ModeTimes)."""
        return self.records["modes"]

    @property
    def counters(self) -> pd.DataFrame:
        """The counters of each region that reports them (records.CounterValue)."""
        return self.records["counters"]


@dataclass(frozen=True)
class Run:
    """A run: finished points in the order of `keys`, unfinished keys, series -> clock -> key."""

    path: Path
    name: str
    keys: tuple[str, ...]
    series: Mapping[str, Mapping[float, str]]
    points: Mapping[str, Point]
    unfinished: tuple[str, ...]
    patterns: tuple[str, ...] = ()

    @property
    def is_simulated(self) -> bool:
        """True if a simulator made the points; False for a machine that was measured."""
        return all(is_simulator(point.record.engine) for point in self.points.values())

    def check_finished(self) -> None:
        """Raises ResultsError if no point is finished."""
        if not self.points:
            raise ResultsError(
                f"{self.path}: of {counted(len(self.keys), 'point')} none is finished"
            )


def load_run(path: Path) -> Run:
    """Loads a run directory; an accepted run's archive is read in place.

    Raises ResultsError or ConfigError, naming a file that is damaged or contradicts another.
    """
    record = manifest.read(path)
    series = {
        name: {float(clock): keys[clock] for clock in sorted(keys, key=float)}
        for name, keys in record.series.items()
    }
    loaded = {key: load_point(files, key) for key, files in finished_points(path, record.points)}
    points = {key: loaded[key] for key in record.points if key in loaded}
    _check_series(series, points, path / MANIFEST)
    unfinished = tuple(key for key in record.points if key not in loaded)
    patterns = record.request(path).pattern
    return Run(path, record.name, record.points, series, points, unfinished, patterns)


def load_point(files: PointFiles, key: str) -> Point:
    """Loads one finished point. Raises ResultsError or ConfigError as `load_run` does."""
    where = files.path / POINT
    record = parse_spec(files.read(POINT), key, str(where))
    read_done(files)
    frames = read_records(files)
    samples = frames.pop("samples")
    _check_samples(samples, files.path / "samples.csv")
    wrong = damage(files)
    # The points of an accepted run were read as a whole when it was accepted.
    stats = _load_stats(files, samples, is_whole=files.packed is not None and not wrong)
    # After parsing, whose errors say more: finds for example a table that was cut at a line's end.
    if wrong:
        raise ResultsError(wrong)
    printed = read_outputs(files, record.orders.run)
    return Point(record, files.path, pd.concat([samples, stats], axis=1), frames, printed)


def _check_series(
    series: Mapping[str, Mapping[float, str]], points: Mapping[str, Point], file: Path
) -> None:
    for name, keys in series.items():
        for clock, key in keys.items():
            actual = points[key].record.axes.clock_mhz if key in points else clock
            if f"{actual:g}" != f"{clock:g}":
                raise ResultsError(
                    f"{file}: series {quoted(name)}: found {clock:g} MHz for point {key}; allowed: "
                    f"its own {actual:g} MHz"
                )


def _check_samples(samples: pd.DataFrame, file: Path) -> None:
    if samples.empty:
        raise ResultsError(f"{file}: has no samples")
    for column in ("count", "guest_ns"):
        bad = samples.index[samples[column] <= 0]
        if len(bad):
            raise ResultsError(f"{file}:{bad[0] + 2}: {column} is not above 0")
    if samples.duplicated(["benchmark", "fs", "batch"]).any():
        raise ResultsError(f"{file}: has a batch of a benchmark twice")


def _load_stats(files: PointFiles, samples: pd.DataFrame, *, is_whole: bool) -> pd.DataFrame:
    """One row of statistics for each row of `samples`, in its order.

    With `is_whole`, the file has no error.
    """
    columns = [*REQUIRED_STATS, *OPTIONAL_STATS]
    regions = parse_csv(files.read(REGIONS), REGION_COLUMNS, files.path / REGIONS)
    # An engine without a timing model writes an empty list of regions, and no stats.txt.
    if regions.empty and STATS not in files:
        return pd.DataFrame(float("nan"), index=samples.index, columns=columns)
    keys = ["region", "benchmark", "fs", "batch"]
    if not regions[keys].equals(samples[keys]):
        raise ResultsError(f"{files.path / REGIONS}: its regions are not those of samples.csv")
    file = files.path / STATS
    if is_whole:
        dumps = [figures(dump, str(file)) for dump in figure_scalars(files.read(STATS).decode())]
    else:
        dumps = [
            figures(scalars, f"{file}:{line}")
            for line, scalars in read_scalars(lambda: files.open(STATS), str(file))
        ]
    numbers = regions["dump"].tolist()
    if sorted(numbers) != list(range(len(dumps))):
        raise ResultsError(
            f"{file}: has {counted(len(dumps), 'dump')} for "
            f"{counted(len(numbers), 'row')} of regions.csv"
        )
    return pd.DataFrame([dumps[number] for number in numbers], columns=columns, index=samples.index)
