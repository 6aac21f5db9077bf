# SPDX-License-Identifier: BSD-3-Clause
"""The papers' rows of files on a server, beside the simulated machines and the null models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from osgap.analysis.columns import ENGINE, FS, MACHINE, text
from osgap.analysis.reference import load_reference
from osgap.analysis.relative import NAN, relative_speed
from osgap.analysis.table import Column, Table
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.ousterhout.andrew import missing_work, with_work
from osgap.suites.ousterhout.cells import BENCHMARKS, PLACE
from osgap.suites.ousterhout.published import SPRITE, Paper
from osgap.suites.ousterhout.remotecounts import Counts, Place, counted
from osgap.suites.ousterhout.remotenull import informed_value, null_value
from osgap.suites.ousterhout.simulated import simulated_values_of

REMOTE = Table(
    "remote",
    "every row of the papers' tables on a server's files, simulated, and by the null models",
    (
        *PLACE,
        Column("paper", "the printed value", "unit"),
        Column("simulated", "the simulated value; of Andrew a fifth, the size of the tree", "unit"),
        Column("null", "the null model's value", "unit"),
        Column("informed", "the informed null model's value", "unit"),
        Column("relative_paper", "R of the printed value against the reference's remote one"),
        Column("relative_simulated", "R of the simulated value"),
        Column("relative_null", "R of the null model"),
        Column("relative_informed", "R of the informed null model"),
        Column("messages", "calls to the server for an operation, as counted"),
        Column("writes", "writes of the server's disk for an operation, as counted"),
    ),
)
PENALTIES = Table(
    "penalties",
    "Table 8: what a server adds to Andrew's local time",
    (
        ENGINE,
        MACHINE,
        text("os", "the operating system of the row"),
        FS,
        Column("mips", "the machine's rating in Table 1", "MIPS"),
        Column("paper", "the printed penalty", "%"),
        Column("simulated", "the simulated penalty", "%"),
        Column("null", "the null model's penalty over its local time", "%"),
        Column("informed", "the informed null model's", "%"),
    ),
)
TABLES = (7, 9, 10)
VARIANTS = ("nfs", "afs", "diskless", "remote")
_TOTAL = "andrew_total"


def file_system(variant: str, os: str) -> str:
    """The simulated file system of a printed variant; "remote" is each system's own protocol."""
    if os == SPRITE:
        return "diskless"
    return "nfs" if variant == "remote" else variant


def remote_tables(directories: Mapping[str, Path], source: int = 1990) -> dict[str, pd.DataFrame]:
    """The tables REMOTE and PENALTIES: a row for each engine and printed cell. Raises ResultsError.

    `directories` maps engines to runs.
    """
    if not directories:
        raise ResultsError("remote: no runs; allowed: ENGINE=DIR of sweep remote-nfs")
    parts: dict[str, list[dict[str, Any]]] = {REMOTE.name: [], PENALTIES.name: []}
    for name, directory in directories.items():
        engine = _Engine(directory, source)
        rows = list(engine.rows())
        parts[REMOTE.name] += [{"engine": name, **row} for row in rows]
        parts[PENALTIES.name] += [{"engine": name, **row} for row in engine.penalties(rows)]
    return {table.name: table.frame(parts[table.name]) for table in (REMOTE, PENALTIES)}


class _Engine:
    """One engine's runs beside one paper."""

    def __init__(self, directory: Path, source: int) -> None:
        reference = load_reference("ousterhout_tables")
        self._paper = Paper(reference, source)
        printed = reference[(reference["source"] == source) & (reference["value"] != "--")]
        self._printed = printed[
            printed["table"].isin(TABLES)
            & printed["variant"].isin(VARIANTS)
            & printed["metric"].isin(BENCHMARKS)
        ]
        self._penalties = printed[printed["metric"] == "remote_penalty"]
        runs = load_runs([directory])
        self._counts = counted(runs)
        self._values = _values(simulated_values_of(runs))

    def rows(self) -> Iterator[dict[str, Any]]:
        cells = [self._row(row) for row in self._printed.to_dict("records")]
        bases = {row["metric"]: row for row in cells if self._is_reference(row)}
        mips = self._paper.mips
        base_mips = mips(self._paper.reference_machine)
        for row in cells:
            base = bases.get(row["metric"], {})
            speeds = {
                f"relative_{name}": relative_speed(
                    row[name], base.get(name, NAN), mips(row["machine"]), base_mips, bandwidth=False
                )
                for name in ("paper", "simulated", "null", "informed")
            }
            yield {**row, **speeds}

    def _is_reference(self, row: Mapping[str, Any]) -> bool:
        return bool(row["machine"] == self._paper.reference_machine)

    def _row(self, printed: Mapping[Any, Any]) -> dict[str, Any]:
        machine, os, metric = (str(printed[name]) for name in ("machine", "os", "metric"))
        fs, unit = file_system(str(printed["variant"]), os), str(printed["unit"])
        place = (machine, BENCHMARKS[metric], fs)
        remote, local = self._counts.get(place), self._local_counts(place)
        models = (NAN, NAN)
        if remote:
            null = null_value(self._paper, metric, unit, machine, os, remote, local)
            models = (null, informed_value(self._paper, metric, unit, machine, null, remote))
        return {
            "table": int(printed["table"]),
            "machine": machine,
            "os": os,
            "metric": metric,
            "unit": unit,
            "fs": fs,
            "paper": float(printed["value"]),
            "simulated": self._values.get(place, NAN),
            "null": models[0],
            "informed": models[1],
            "messages": remote.messages if remote else NAN,
            "writes": remote.writes if remote else NAN,
        }

    def _local_counts(self, place: Place) -> Counts:
        machine, benchmark, fs = place
        return self._counts.get((machine, benchmark, _local_of(fs)), Counts())

    def penalties(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        totals = {(row["machine"], row["os"]): row for row in rows if row["metric"] == _TOTAL}
        for printed in self._penalties.to_dict("records"):
            machine, os = str(printed["machine"]), str(printed["os"])
            row = totals.get((machine, os))
            if row is None:
                continue
            local = self._values.get((machine, _TOTAL, _local_of(row["fs"])), NAN)
            mips = self._paper.mips(machine)
            slower = self._paper.mips(self._paper.reference_machine) / mips
            null_local = self._paper.reference_value(_TOTAL, os) * slower
            yield {
                "machine": machine,
                "os": os,
                "fs": row["fs"],
                "mips": mips,
                "paper": float(printed["value"]),
                "simulated": _penalty(row["simulated"], local),
                "null": _penalty(row["null"], null_local),
                "informed": _penalty(row["informed"], null_local),
            }


def _local_of(fs: str) -> str:
    """The local file system that a remote one is compared with."""
    return "sprite" if fs == "diskless" else "unix"


def _penalty(remote: float, local: float) -> float:
    return 100 * (remote / local - 1)


def _values(simulated: pd.DataFrame) -> dict[Place, float]:
    """The values of all places, with Andrew's missing work, which is that of local files."""
    fixed = simulated[simulated["series"] == "fixed"]
    if fixed["benchmark"].eq(_TOTAL).any():
        fixed = with_work(fixed, missing_work(fixed[fixed["fs"].isin(["unix", "none"])]))
    places = fixed[["machine", "benchmark", "fs"]].itertuples(index=False, name=None)
    return dict(zip(places, fixed["value"].astype(float), strict=True))
