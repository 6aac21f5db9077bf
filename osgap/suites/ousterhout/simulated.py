# SPDX-License-Identifier: BSD-3-Clause
"""The simulated machines' results in their own time, and their MIPS-relative speeds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.columns import BENCHMARK, ENGINE, FS, MACHINE, METRIC, MIPS, SERIES
from osgap.analysis.constants import higher_is_better
from osgap.analysis.relative import NAN, relative_speed
from osgap.analysis.table import Column, Table
from osgap.base.quoting import counted
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.ousterhout.andrew import with_missing_work
from osgap.suites.ousterhout.published import REFERENCE_MACHINE

PERIODS = frozenset({"period", "period-1989", "hypotheses"})
"""The folders of configs/machines whose machines spend as much time as kernels of 1990."""
REFERENCE = REFERENCE_MACHINE[1990]
SIMULATED = Table(
    "predicted",
    "what each engine's machines do: every benchmark and series",
    (
        ENGINE,
        MACHINE,
        SERIES,
        BENCHMARK,
        FS,
        METRIC,
        Column("value", "the simulated value in the machine's own time", "metric"),
        MIPS,
        Column("relative", "R against the paper's reference machine"),
    ),
)
"""The committed table's name; `osgap predict` computes another table "predicted"."""
_OWN = ["machine", "series", "benchmark", "fs", "metric", "value", "mips"]
_WHERE = ["benchmark", "fs"]


def simulated_values(directory: Path, source: int = 1990) -> pd.DataFrame:
    """The rows of all runs below `directory`, each of one machine. Raises ResultsError."""
    return simulated_values_of(load_runs([directory]), source)


def simulated_values_of(runs: Sequence[AnalysedRun], source: int = 1990) -> pd.DataFrame:
    """One row for each machine, series, benchmark and file system (SIMULATED), in its own time.

    R is against the reference machine of the paper of `source`. If all machines are of the folders
    PERIODS, Andrew has the work that `with_missing_work` adds: a mark in points would change keys.
    Raises ResultsError.
    """
    frames = [_machine(run) for run in runs]
    frame = pd.concat(frames, ignore_index=True).drop_duplicates(_OWN[:4])
    if {folder_of(run) for run in runs} <= PERIODS:
        frame = with_missing_work(frame)
    return frame.assign(relative=_relative(frame, source))[SIMULATED.names[1:]]


def folder_of(analysed: AnalysedRun) -> str:
    """Returns the folder of a run's machine in configs/machines; without one the machine's name."""
    return analysed.machine.partition("/")[0]


def machine_of(analysed: AnalysedRun) -> str:
    """Returns the machine's name in the paper's tables. Raises ResultsError unless it is one."""
    names = {point.record.machine for point in analysed.run.points.values()}
    if len(names) != 1:
        raise ResultsError(f"{analysed.path}: is of {len(names)} machines, not of one")
    return next(iter(names)).rpartition("/")[2]


def _machine(analysed: AnalysedRun) -> pd.DataFrame:
    missing = analysed.run.unfinished
    if missing:
        raise ResultsError(f"{analysed.path}: has {counted(len(missing), 'unfinished point')}")
    places = analysed.machine_time["points"][["series", "key", "mips"]]
    frame = analysed.machine_time["times"].merge(places, on="key")
    return frame.assign(machine=machine_of(analysed), value=frame["median"])[_OWN]


def _relative(frame: pd.DataFrame, source: int) -> list[float]:
    machine = REFERENCE_MACHINE[source]
    base_rows = frame[(frame["machine"] == machine) & (frame["series"] == "fixed")]
    if base_rows.empty:
        raise ResultsError(f"no run of {machine}, to which the others are relative")
    columns = [*_WHERE, "metric", "value", "mips"]
    reference = {
        (name, fs): (value, mips)
        for name, fs, _, value, mips in base_rows[columns].itertuples(index=False, name=None)
    }
    speeds = []
    for name, fs, metric, value, mips in frame[columns].itertuples(index=False, name=None):
        places = [fs, "unix", "none"] if source == 1989 else ["unix", "none"]
        values = [reference[name, place] for place in places if (name, place) in reference]
        base = values[0] if values else (NAN, NAN)
        rate = higher_is_better(metric)
        speeds.append(relative_speed(value, base[0], mips, base[1], bandwidth=rate))
    return speeds
