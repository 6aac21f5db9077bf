# SPDX-License-Identifier: BSD-3-Clause
"""Reads a run directory (docs/run-directory.md) into pandas frames, checking as it goes."""

import hashlib
import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from osgap.csvfile import Column, ResultsError, read_csv
from osgap.relative import NAN
from osgap.stats import names
from osgap.stats.gem5text import read_dumps
from osgap.told import check_told, read_counters, read_modes

__all__ = ["Axes", "Memory", "Point", "PointRecord", "ResultsError", "Run", "load_run"]

FORMAT = 1

SAMPLE_COLUMNS: tuple[Column, ...] = (
    ("region", int), ("benchmark", str), ("fs", str), ("batch", int), ("count", int),
    ("bytes", int), ("metric", str), ("guest_ns", int), ("timer_irqs", int),
)  # fmt: skip
DISK_COLUMNS: tuple[Column, ...] = (
    ("benchmark", str), ("fs", str), ("reads", int), ("writes", int), ("sectors", int),
    ("seek_ns", int), ("rotation_ns", int), ("transfer_ns", int), ("overhead_ns", int),
    ("queue_ns", int),
)  # fmt: skip
REGION_COLUMNS: tuple[Column, ...] = (
    ("dump", int), ("region", int), ("benchmark", str), ("fs", str), ("batch", int),
)  # fmt: skip

REQUIRED_STATS = tuple(names.REQUIRED)
OPTIONAL_STATS = tuple(names.OPTIONAL)


# They become names of files: none may lead out of the run's directory.
PointKey = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+-]*$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]


class _Record(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


class Axes(_Record):
    """Where a point lies in its sweep; `clock_mhz` in MHz."""

    clock_mhz: float = Field(gt=0)
    memory: str
    disk: str
    seed: int = 0


class Memory(_Record):
    """Main memory as simulated: ns, and MB/s of 10^6 bytes; None where an engine has none.

    With a `model` its own timing is simulated, and the figures are not.
    """

    latency_ns: float | None = None
    bandwidth_mb_s: float | None = None
    model: str | None = None


class Resolved(_Record):
    """The parts of the resolved machine that the analysis reads."""

    clock_mhz: float | None = None
    harts: int = 1
    memory: Memory = Memory()


class PointRecord(_Record):
    """point.json."""

    format: int
    key: str
    engine: str
    machine: str
    axes: Axes
    resolved: Resolved = Resolved()
    time_scale: float = Field(default=1, gt=0)


class DoneRecord(_Record):
    """done.json: SHA-256 of each of the point's files, by name."""

    format: int
    sha256: Mapping[FileName, str]


class RunRecord(_Record):
    """run.json."""

    format: int
    name: str
    points: tuple[PointKey, ...]
    series: Mapping[str, Mapping[str, str]]


Record = TypeVar("Record", RunRecord, PointRecord, DoneRecord)


@dataclass(frozen=True)
class Point:
    """A finished point.

    `samples` has SAMPLE_COLUMNS and one row a region, with the region's statistics beside them
    (REQUIRED_STATS, OPTIONAL_STATS; NaN where the engine gives none); `disk` DISK_COLUMNS;
    `modes` MODE_COLUMNS, a row for each region whose benchmark tells them; `counters`
    COUNTER_COLUMNS, one for each counter of such a region.
    """

    record: PointRecord
    path: Path
    samples: pd.DataFrame
    disk: pd.DataFrame
    modes: pd.DataFrame
    counters: pd.DataFrame


@dataclass(frozen=True)
class Run:
    """A run: its finished points by key, the keys not finished, and series -> clock -> key."""

    path: Path
    name: str
    keys: tuple[str, ...]
    series: Mapping[str, Mapping[float, str]]
    points: Mapping[str, Point]
    unfinished: tuple[str, ...]


def load_run(path: Path) -> Run:
    """Load a run directory.

    A point without done.json is listed in `Run.unfinished`.  Raises ResultsError naming the file
    for whatever is missing, malformed, truncated or contradicts another file.
    """
    record = _load_record(path / "run.json", RunRecord)
    series = _clocks(record, path / "run.json")
    done = {key: (path / "points" / key / "done.json").is_file() for key in record.points}
    points = {key: load_point(path / "points" / key, key) for key in done if done[key]}
    unfinished = tuple(key for key in done if not done[key])
    return Run(path, record.name, record.points, series, points, unfinished)


def load_point(path: Path, key: str) -> Point:
    """Load one finished point.  Raises ResultsError as `load_run` does."""
    record = _load_record(path / "point.json", PointRecord)
    if record.key != key:
        raise ResultsError(f"{path / 'point.json'}: has key {record.key!r}, not {key!r}")
    done = _load_record(path / "done.json", DoneRecord)
    samples = read_csv(path / "samples.csv", SAMPLE_COLUMNS)
    _check_samples(samples, path / "samples.csv")
    stats = _load_stats(path, samples)
    disk = read_csv(path / "disk.csv", DISK_COLUMNS)
    modes, counters = read_modes(path), read_counters(path)
    check_told(modes, [], samples, path / "modes.csv")
    check_told(counters, ["counter"], samples, path / "counters.csv")
    _check_digests(path, done)
    return Point(record, path, pd.concat([samples, stats], axis=1), disk, modes, counters)


def _clocks(record: RunRecord, file: Path) -> dict[str, dict[float, str]]:
    series: dict[str, dict[float, str]] = {}
    for name, keys in record.series.items():
        try:
            series[name] = {float(clock): keys[clock] for clock in sorted(keys, key=float)}
        except ValueError as error:
            raise ResultsError(
                f"{file}: series {name} has a clock that is none: {error}"
            ) from error
        for key in keys.values():
            if key not in record.points:
                raise ResultsError(f"{file}: series {name} names a point {key!r} not in points")
    return series


def _load_json(file: Path) -> object:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ResultsError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{file}: is not complete JSON: {error}") from error


def _load_record(file: Path, model: type[Record]) -> Record:
    try:
        record = model.model_validate(_load_json(file))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the whole"
        raise ResultsError(f"{file}: {field}: {first['msg']}") from error
    if record.format != FORMAT:
        raise ResultsError(f"{file}: has format {record.format}, this program reads {FORMAT}")
    return record


def _check_digests(path: Path, done: DoneRecord) -> None:
    """Finds what parsing cannot, such as a table cut at the end of a line."""
    for name, expected in done.sha256.items():
        file = path / name
        try:
            found = hashlib.sha256(_content(file)).hexdigest()
        except (OSError, lzma.LZMAError, EOFError) as error:
            raise ResultsError(f"{file}: cannot be read: {error}") from error
        if found != expected:
            raise ResultsError(f"{file}: is not the file that done.json was written for")


def _content(file: Path) -> bytes:
    """A file's bytes, or what its compressed twin (.xz) holds."""
    packed = file.with_name(file.name + ".xz")
    if file.exists() or not packed.exists():
        return file.read_bytes()
    return lzma.decompress(packed.read_bytes())


def _check_samples(samples: pd.DataFrame, file: Path) -> None:
    if samples.empty:
        raise ResultsError(f"{file}: has no samples")
    for column in ("count", "guest_ns"):
        bad = samples.index[samples[column] <= 0]
        if len(bad):
            raise ResultsError(f"{file}:{bad[0] + 2}: {column} is not above 0")
    if samples.duplicated(["benchmark", "fs", "batch"]).any():
        raise ResultsError(f"{file}: has a batch of a benchmark twice")


def _load_stats(path: Path, samples: pd.DataFrame) -> pd.DataFrame:
    """One row of statistics for each row of `samples`, in its order."""
    columns = [*REQUIRED_STATS, *OPTIONAL_STATS]
    regions = read_csv(path / "regions.csv", REGION_COLUMNS)
    # An engine without a timing model marks no regions: an empty list, and no stats.txt.
    if regions.empty and not _stats_files(path):
        return pd.DataFrame(float("nan"), index=samples.index, columns=columns)
    keys = ["region", "benchmark", "fs", "batch"]
    if not regions[keys].equals(samples[keys]):
        raise ResultsError(f"{path / 'regions.csv'}: its regions are not those of samples.csv")
    file = _stats_file(path)
    dumps = [_pick(dump.scalars(), f"{file}:{dump.line}") for dump in read_dumps(file)]
    wanted = regions["dump"].tolist()
    if sorted(wanted) != list(range(len(dumps))):
        raise ResultsError(f"{file}: has {len(dumps)} dumps for {len(wanted)} rows of regions.csv")
    return pd.DataFrame([dumps[dump] for dump in wanted], columns=columns, index=samples.index)


def _pick(scalars: Mapping[str, float], where: str) -> dict[str, float]:
    scalars = names.of_all_cores(scalars)
    known = {**names.REQUIRED, **names.OPTIONAL}
    found = {column: names.find(scalars, places) for column, places in known.items()}
    for column, places in names.REQUIRED.items():
        if found[column] is None:
            raise ResultsError(f"{where}: the dump has no {' or '.join(places)}")
    found["cycles"] = names.elapsed_cycles(scalars, found["cycles"] or 0.0)
    if found["stall_cycles"] is None:
        found["stall_cycles"] = names.miss_cycles(scalars, found["clock_ticks"] or NAN)
    return {column: NAN if value is None else value for column, value in found.items()}


def _stats_files(path: Path) -> list[Path]:
    return [path / name for name in ("stats.txt", "stats.txt.xz") if (path / name).is_file()]


def _stats_file(path: Path) -> Path:
    found = _stats_files(path)
    if len(found) != 1:
        problem = "are both there" if found else "are both missing"
        raise ResultsError(f"{path}: stats.txt and stats.txt.xz {problem}")
    return found[0]
