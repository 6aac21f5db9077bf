# SPDX-License-Identifier: BSD-3-Clause
"""Writes a point's directory: whole or not at all."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from osgap.base import durable
from osgap.engines.contract import Outcome
from osgap.guest import records
from osgap.guest.protocol import Transcript
from osgap.rundir.directory import DONE
from osgap.rundir.files import PointFiles, is_done
from osgap.rundir.frames import csv_text, record_text
from osgap.rundir.point import CONSOLE, POINT, REGIONS, STATS, Done, Spec
from osgap.rundir.point import damage as damage_of
from osgap.rundir.printed import texts_of

__all__ = ["REGION_COLUMNS", "damage", "is_done", "publish", "write_done", "write_point"]

REGION_COLUMNS: tuple[tuple[str, type[int] | type[str]], ...] = (
    ("dump", int),
    ("region", int),
    ("benchmark", str),
    ("fs", str),
    ("batch", int),
)
"""regions.csv: which dump of stats.txt is of which region."""


def write_point(directory: Path, spec: Spec, outcome: Outcome) -> None:
    """Fills `directory` (which exists) with a finished point's files, but for done.json."""
    _write_json(directory / POINT, spec.model_dump(mode="json"))
    transcript = outcome.transcript
    texts = {CONSOLE: outcome.console, REGIONS: _regions(transcript, bool(outcome.stats))}
    for record in records.RECORDS:
        if record.always or transcript.of(record):
            texts[records.file_name(record)] = record_text(record, transcript.of(record))
    texts |= outcome.files
    texts |= texts_of(spec.orders.run, transcript.printed)
    if outcome.stats:
        texts[STATS] = outcome.stats
    for name, text in texts.items():
        (directory / name).write_text(text, encoding="utf-8", newline="")


def write_done(directory: Path) -> None:
    """Marks the point as finished, with its files' digests."""
    done = Done(sha256=durable.digests(directory, leave_out=DONE))
    _write_json(directory / DONE, done.model_dump(mode="json"))


def publish(finished: Path, target: Path) -> None:
    """Gives a finished directory its name, once it is on the disk; anything unfinished gives way.

    Raises OSError, leaving both as they were.
    """
    durable.sync(finished)
    if target.exists() and not (target / DONE).exists():
        shutil.rmtree(target)
    durable.rename(finished, target)
    durable.sync_one(target.parent)


def damage(directory: Path) -> str:
    """What is wrong with a finished point's folder, in one sentence; "" for nothing."""
    return damage_of(PointFiles(directory))


def _write_json(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _regions(transcript: Transcript, has_stats: bool) -> str:
    rows = transcript.samples if has_stats else ()
    names = [name for name, _ in REGION_COLUMNS]
    return csv_text(names, ((s.region, s.region, s.benchmark, s.fs, s.batch) for s in rows))
