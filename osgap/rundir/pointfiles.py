# SPDX-License-Identifier: BSD-3-Clause
"""Writes a point's directory, whole or not at all; reads the output of the user's programs.

The output of a program is in output.txt; of several programs each has NAME.output.txt.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from osgap.base import durable
from osgap.engines.contract import Outcome
from osgap.guest import records
from osgap.guest.protocol import Transcript
from osgap.image.programrecipe import SUITE
from osgap.rundir.csvfile import Column
from osgap.rundir.directory import DONE
from osgap.rundir.files import PointFiles
from osgap.rundir.frames import csv_text, record_text
from osgap.rundir.point import CONSOLE, POINT, REGIONS, STATS, Done, Spec

OUTPUT = "output.txt"
REGION_COLUMNS: tuple[Column, ...] = (
    ("dump", int),
    ("region", int),
    ("benchmark", str),
    ("fs", str),
    ("batch", int),
)
"""Columns of regions.csv, which maps each dump of stats.txt to its region."""


def write_point(directory: Path, spec: Spec, outcome: Outcome) -> None:
    """Fills `directory` (which exists) with a finished point's files, but for done.json."""
    _write_json(directory / POINT, spec.model_dump(mode="json"))
    transcript = outcome.transcript
    texts = {CONSOLE: outcome.console, REGIONS: _regions(transcript, bool(outcome.stats))}
    for record in records.RECORDS:
        if record.always or transcript.of(record):
            texts[records.file_name(record)] = record_text(record, transcript.of(record))
    texts |= outcome.files
    texts |= output_texts(spec.orders.run, transcript.printed)
    if outcome.stats:
        texts[STATS] = outcome.stats
    for name, text in texts.items():
        (directory / name).write_text(text, encoding="utf-8", newline="")


def write_done(directory: Path) -> None:
    """Marks the point as finished, with its files' digests."""
    done = Done(sha256=durable.digests(directory, leave_out=DONE))
    _write_json(directory / DONE, done.model_dump(mode="json"))


def publish(finished: Path, target: Path) -> None:
    """Renames a finished directory to `target`, or raises OSError and leaves both as they were."""
    durable.sync_tree(finished)
    if target.exists() and not (target / DONE).exists():
        shutil.rmtree(target)
    durable.rename(finished, target)
    durable.sync_path(target.parent)


def output_files(run: Sequence[str]) -> dict[str, str]:
    """Program -> the file of a point that holds its output, for the orders' benchmarks `run`."""
    names = [name.partition("/")[2] for name in run if name.startswith(f"{SUITE}/")]
    return {name: OUTPUT if len(names) == 1 else f"{name}.{OUTPUT}" for name in names}


def output_texts(run: Sequence[str], printed: Mapping[str, str]) -> dict[str, str]:
    """File -> text for each program of `run` that has output in `printed`."""
    files = output_files(run)
    return {files[name]: text for name, text in printed.items() if name in files}


def read_outputs(files: PointFiles, run: Sequence[str]) -> dict[str, str]:
    """Program -> its output, for each program of `run` that has a file. Raises ResultsError."""
    return {
        name: files.read(file).decode("utf-8", "replace")
        for name, file in output_files(run).items()
        if file in files
    }


def _write_json(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _regions(transcript: Transcript, has_stats: bool) -> str:
    rows = transcript.samples if has_stats else ()
    names = [name for name, _ in REGION_COLUMNS]
    return csv_text(names, ((s.region, s.region, s.benchmark, s.fs, s.batch) for s in rows))
