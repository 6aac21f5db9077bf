# SPDX-License-Identifier: BSD-3-Clause
"""Writes a point's directory: whole or not at all."""

from __future__ import annotations

import csv
import dataclasses
import hashlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from osgap.engines.base import Outcome
from osgap.guest import DiskUse, Sample, Transcript
from osgap.points.spec import Spec


def write_point(directory: Path, spec: Spec, outcome: Outcome, transcript: Transcript) -> None:
    """Fills `directory` (which exists) with a finished point's files; done.json comes last."""
    _write_json(directory / "point.json", spec.model_dump(mode="json"))
    (directory / "console.txt").write_text(outcome.console, encoding="utf-8")
    _write_rows(directory / "samples.csv", Sample, transcript.samples)
    _write_rows(directory / "disk.csv", DiskUse, transcript.disk)
    _write_regions(directory / "regions.csv", transcript, bool(outcome.stats))
    texts = {**outcome.files, **({"stats.txt": outcome.stats} if outcome.stats else {})}
    for name, text in texts.items():
        (directory / name).write_text(text, encoding="utf-8")


def write_done(directory: Path, simulator_s: float, total_s: float) -> None:
    """Marks the point as finished, with its files' digests and what it cost the host."""
    names = sorted(p.name for p in directory.iterdir() if p.name != "done.json")
    digests = {name: hashlib.sha256((directory / name).read_bytes()).hexdigest() for name in names}
    cost = {"simulator_s": round(simulator_s, 3), "total_s": round(total_s, 3)}
    _write_json(directory / "done.json", {"format": 1, "host": cost, "sha256": digests})


def publish(finished: Path, target: Path) -> None:
    """Gives a finished temporary directory its name; a leftover without done.json gives way."""
    if target.exists() and not (target / "done.json").exists():
        shutil.rmtree(target)
    finished.rename(target)


def _write_json(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _write_rows(path: Path, kind: type, rows: Iterable[Sample] | Iterable[DiskUse]) -> None:
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
