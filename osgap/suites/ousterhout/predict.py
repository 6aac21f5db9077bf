# SPDX-License-Identifier: BSD-3-Clause
"""What the simulated machines do, on their own time, and their MIPS-relative speeds."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from osgap.analysis.names import higher_is_better
from osgap.analysis.owntime import own_time
from osgap.analysis.relative import NAN, relative_speed
from osgap.base.progress import each
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.layout import runs_below
from osgap.rundir.load import load_run
from osgap.suites import analyze

REFERENCE = "MVAX2"
PREDICTED_COLUMNS = [
    "machine", "series", "benchmark", "fs", "metric", "value", "mips", "relative",
]  # fmt: skip
_OWN = ["machine", "series", "benchmark", "fs", "metric", "value", "mips"]
_WHERE = ["benchmark", "fs"]


def predicted(directory: Path) -> pd.DataFrame:
    """One row a machine, series, benchmark and file system (columns PREDICTED_COLUMNS).

    All runs below `directory` are read, a run being of one machine.  `value` (in `metric`) and
    `mips` are those of the machine itself: simulated times by its time scale.  `relative` is
    against the MicroVAX II alone, for files on `unix`: its only system was Ultrix.
    Raises ResultsError.
    """
    runs = runs_below(directory)
    if not runs:
        raise ResultsError(f"{directory}: has no run of a machine below it")
    frames = [_machine(path) for path in each(runs, "Reading and analysing")]
    frame = pd.concat(frames, ignore_index=True).drop_duplicates(_OWN[:4])
    return frame.assign(relative=_relative(frame))[PREDICTED_COLUMNS]


def _machine(path: Path) -> pd.DataFrame:
    run = load_run(path)
    if run.unfinished:
        raise ResultsError(f"{path}: {len(run.unfinished)} points are not finished")
    tables = own_time(run, analyze(run))
    places = tables["points"][["series", "key", "mips"]]
    frame = tables["times"].merge(places, on="key")
    names = {point.record.machine.rpartition("/")[2] for point in run.points.values()}
    if len(names) != 1:
        raise ResultsError(f"{path}: is of {len(names)} machines, not of one")
    (name,) = names
    return frame.assign(machine=name, value=frame["median"])[_OWN]


def _relative(frame: pd.DataFrame) -> list[float]:
    own = frame[(frame["machine"] == REFERENCE) & (frame["series"] == "fixed")]
    if own.empty:
        raise ResultsError(f"no run of {REFERENCE}, to which the others are relative")
    columns = [*_WHERE, "metric", "value", "mips"]
    reference = {
        (name, fs): (value, mips)
        for name, fs, _, value, mips in own[columns].itertuples(index=False, name=None)
    }
    speeds = []
    for name, _, metric, value, mips in frame[columns].itertuples(index=False, name=None):
        base = reference.get((name, "unix")) or reference.get((name, "none"), (NAN, NAN))
        rate = higher_is_better(metric)
        speeds.append(relative_speed(value, base[0], mips, base[1], bandwidth=rate))
    return speeds
