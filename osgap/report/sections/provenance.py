# SPDX-License-Identifier: BSD-3-Clause
"""Section of the versions and inputs of each run, with the commands to repeat it."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from osgap.base.quoting import counted
from osgap.base.version import VERSION
from osgap.drawing.display_names import engine_name, machine_name
from osgap.points.record import State
from osgap.report.blocks import Block, PageSection, TableBlock, Text
from osgap.report.subject import Subject, shown_path, sweep_description
from osgap.rundir import manifest
from osgap.rundir.manifest import Manifest

PROVENANCE = "provenance"


def section(subject: Subject) -> PageSection:
    """The section, which every page has."""
    return PageSection(
        "provenance", "Provenance, and how to replay", list(_blocks(subject)), "Provenance"
    )


def _blocks(subject: Subject) -> Iterator[Block]:
    yield Text(_description(subject))
    rows = provenance(subject)
    if len(rows):
        yield TableBlock(PROVENANCE, "What each run is made of", rows, PROVENANCE)
    path = shown_path(subject.path)
    if subject.is_one and subject.is_simulated:
        yield Text("Simulate again, and compare every number:")
        yield Text(f"osgap replay {path}", "code")
        yield Text("Analyse and draw it again:")
        yield Text(f"osgap analyze {path}\nosgap plot {path}", "code")
    yield Text("Make this page again:")
    beside = f" {shown_path(subject.beside)}" if subject.beside else ""
    native = f" {shown_path(subject.native[0].path)}" if subject.native else ""
    yield Text(f"osgap report {path}{beside}{native}", "code")
    yield Text(f"Made by osgap {VERSION}.", "note")


def _description(subject: Subject) -> str:
    """Counts of points, engines, machines and image, in sentences."""
    total = sum(len(progress.records) for progress in subject.states)
    done = sum(progress.counts[State.DONE] for progress in subject.states)
    runs = len(subject.states)
    parts = [
        f"{done} of {counted(total, 'point')} finished" + (f", in {runs} runs" if runs > 1 else "")
    ]
    if subject.analysed:
        engines = dict.fromkeys(engine_name(run.engine) for run in subject.analysed)
        machines = list(dict.fromkeys(machine_name(run.machine) for run in subject.analysed))
        more = f" and {len(machines) - 6} more" if len(machines) > 6 else ""
        word = "machine" if len(machines) == 1 else "machines"
        parts += [f"simulated by {' and '.join(engines)}" if subject.is_simulated else "measured"]
        parts += [f"{word}: {', '.join(machines[:6])}{more}"]
        if subject.is_simulated:
            parts.append(f"image: {', '.join(sorted({run.variant for run in subject.analysed}))}")
    sweeps = {sweep_description(progress) for progress in subject.states}
    described = f" {sweeps.pop()}." if len(sweeps) == 1 and sweeps != {""} else ""
    return f"{'; '.join(parts)}.{described}".replace("..", ".")


def provenance(subject: Subject) -> pd.DataFrame:
    """A row for each fact about a run: columns run, what and value."""
    rows = [
        (progress.run.name, name, value)
        for progress in subject.states
        for name, value in _facts(manifest.read(progress.run))
        if value
    ]
    return pd.DataFrame(rows, columns=["run", "what", "value"])


def _facts(run: Manifest) -> Iterator[tuple[str, str]]:
    """Names and values of the facts in a run's manifest; a value may be ""."""
    image = run.image
    yield "image", str(image.get("digest", ""))[:16]
    yield "compiler", str(image.get("compiler", ""))
    yield "kernel", str((image.get("kernel") or {}).get("version", ""))
    for name, package in sorted((image.get("packages") or {}).items()):
        yield f"package {name}", str(package.get("version", ""))
    for name, version in sorted(run.versions.items()):
        yield f"version of {name}", version
    for path, digest in sorted(run.inputs.items()):
        if path.startswith("machines/"):
            yield path, digest[:16]
    for start in run.starts:
        yield "started", start.when
        yield "command", " ".join(start.command)
        cores = f", {counted(start.host.cores, 'core')}" if start.host.cores else ""
        yield "processor", f"{start.host.processor}{cores}"
