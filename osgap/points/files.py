# SPDX-License-Identifier: BSD-3-Clause
"""Writes a point's directory: whole or not at all."""

from __future__ import annotations

import csv
import dataclasses
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from osgap import durable
from osgap.engines.base import Outcome
from osgap.points.spec import Spec
from osgap.transcript import CounterValue, DiskUse, ModeTimes, Sample, Transcript

_DONE = "done.json"
_ALWAYS = {"point.json", "samples.csv", "regions.csv", "disk.csv", "console.txt"}


def write_point(directory: Path, spec: Spec, outcome: Outcome, transcript: Transcript) -> None:
    """Fills `directory` (which exists) with a finished point's files; done.json comes last."""
    _write_json(directory / "point.json", spec.model_dump(mode="json"))
    (directory / "console.txt").write_text(outcome.console, encoding="utf-8")
    _write_rows(directory / "samples.csv", Sample, transcript.samples)
    _write_rows(directory / "disk.csv", DiskUse, transcript.disk)
    if transcript.modes:
        _write_rows(directory / "modes.csv", ModeTimes, transcript.modes)
    if transcript.counters:
        _write_rows(directory / "counters.csv", CounterValue, transcript.counters)
    _write_regions(directory / "regions.csv", transcript, bool(outcome.stats))
    texts = {**outcome.files, **({"stats.txt": outcome.stats} if outcome.stats else {})}
    for name, text in texts.items():
        (directory / name).write_text(text, encoding="utf-8")


def write_done(directory: Path) -> None:
    """Marks the point as finished, with its files' digests."""
    digests = durable.digests(directory, leave_out=_DONE)
    _write_json(directory / _DONE, {"format": 1, "sha256": digests})


def publish(finished: Path, target: Path) -> None:
    """Gives a finished directory its name, once it is on the disk; anything unfinished gives way.

    Raises OSError, leaving both as they were.
    """
    durable.sync(finished)
    if target.exists() and not (target / _DONE).exists():
        shutil.rmtree(target)
    finished.rename(target)
    durable.sync_one(target.parent)


def is_done(run: Path, key: str) -> bool:
    """Whether point `key` of `run` is finished."""
    return (run / "points" / key / _DONE).is_file()


def damage(directory: Path) -> str:
    """What is wrong with a finished point, in one sentence; "" for nothing."""
    try:
        recorded = json.loads((directory / _DONE).read_text(encoding="utf-8"))["sha256"]
        expected = {name: str(digest) for name, digest in recorded.items()}
    except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError) as error:
        return f"{directory / _DONE} cannot be read: {error!r}"
    if not expected.keys() >= _ALWAYS or any(Path(name).name != name for name in expected):
        return f"{directory / _DONE} does not name the files of a point"
    wrong = durable.damaged(directory, expected)
    return f"{directory / wrong[0]} is not the file that done.json names" if wrong else ""


def _write_json(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _write_rows(
    path: Path, kind: type, rows: Iterable[Sample | DiskUse | ModeTimes | CounterValue]
) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([field.name for field in dataclasses.fields(kind)])
        writer.writerows(dataclasses.astuple(row) for row in rows)


def _write_regions(path: Path, transcript: Transcript, has_stats: bool) -> None:
    rows = transcript.samples if has_stats else ()
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["dump", "region", "benchmark", "fs", "batch"])
        writer.writerows((s.region, s.region, s.benchmark, s.fs, s.batch) for s in rows)
