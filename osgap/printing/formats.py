# SPDX-License-Identifier: BSD-3-Clause
"""Every table by its name, as text, CSV or JSON."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import pandas as pd

from osgap.analysis import Tables
from osgap.analysis.counters import COUNTERS_COLUMNS
from osgap.analysis.outliers import OUTLIER_COLUMNS
from osgap.analysis.programs import PROGRAM_NUMBERS_COLUMNS
from osgap.analysis.rounds import INTERVAL_COLUMNS
from osgap.base.quoting import quoted
from osgap.base.terminal import make_console
from osgap.predict.prediction import MEAN_COLUMNS, PREDICTED_COLUMNS
from osgap.printing.export import document
from osgap.printing.means import averaged_sets, fastest_table
from osgap.printing.tables import shown_tables
from osgap.rundir.csvfile import ResultsError
from osgap.suites import combined_tables

FORMATS = ("text", "csv", "json")
DEFAULT_TABLE = "fastest"
TABLES: Mapping[str, str] = {
    "fastest": "MIPS-relative speed at the fastest clock, benchmarks by series, and their mean",
    "summary": "geometric mean of MIPS-relative speed, clocks by series",
    "speeds": "MIPS-relative speed, one table a series, clocks in columns",
    "relative": "one table a benchmark: configuration, time, MIPS-relative speed",
    "points": "every point: its machine, engine, axes and MIPS",
    "samples": "every timed region: the guest's time, the simulator's, its statistics",
    "times": "every benchmark on every point: first, best and median of its batches",
    "geomean": "geometric mean of MIPS-relative speed of every set of benchmarks",
    "elasticity": "d log time / d log clock of every benchmark: between clocks, and fitted",
    "attribution": "where the cycles went: user, kernel, memory stall, idle",
    "disk": "what the disk did in every benchmark: requests, and how long each part took",
    "checks": "measured against configured memory, and the two clocks against each other",
    "modes": "user, system, idle and real time of an operation, where a benchmark tells them",
    "counters": "what the lock around the file system counted in a batch (variants smp-*)",
    "outliers": "batches that stand out from the others of their benchmark",
    "intervals": "of a measured machine: every median with its 95 % interval over the rounds",
    "program_numbers": "what --pattern found in the output of programs (sweep --program)",
    "predicted": "of a sweep --predict: every benchmark at every place, simulated or predicted",
    "predicted_means": "of a sweep --predict: the same for the means of R",
}
"""Tables of one run: name -> description."""
OF_LAYOUTS: Mapping[str, str] = {
    "layouts": "over layouts of one system: every R, mean, elasticity and share with its interval",
    "covered": "whether a run lies where the other layouts let expect: rows, and how many do",
}
"""Tables over the runs of several layouts (osgap.printing.layouts): name -> description."""
_RARE = {
    "counters": COUNTERS_COLUMNS,
    "outliers": OUTLIER_COLUMNS,
    "intervals": INTERVAL_COLUMNS,
    "program_numbers": PROGRAM_NUMBERS_COLUMNS,
    "predicted": PREDICTED_COLUMNS,
    "predicted_means": MEAN_COLUMNS,
}


def descriptions() -> dict[str, str]:
    """Every table that can be printed, the suites' over several runs among them, by name."""
    combined = {name: table.description for name, table in combined_tables().items()}
    return {**TABLES, **combined, **OF_LAYOUTS}


def check_names(names: Sequence[str]) -> None:
    """Raises ResultsError for a name that no table has."""
    known = descriptions()
    for name in names:
        if name not in known:
            raise ResultsError(f"table: found {quoted(name)}; allowed: {', '.join(known)}")


def check_format(format: str, names: Sequence[str]) -> None:
    """Raises ResultsError for an unknown format, and for several tables in one CSV."""
    if format not in FORMATS:
        raise ResultsError(f"format: found {quoted(format)}; allowed: {', '.join(FORMATS)}")
    if format == "csv" and len(names) > 1:
        raise ResultsError(f"format csv: found {len(names)} tables; allowed: one at a time")


def table_rows(tables: Tables, name: str) -> pd.DataFrame:
    """The rows behind the table `name` of TABLES.  Raises ResultsError for another name."""
    if name == "fastest":
        return fastest_table(tables)
    if name == "summary":
        geomeans = tables["geomean"]
        return geomeans[geomeans["set"].isin(averaged_sets(geomeans))]
    if name == "speeds":
        return tables["relative"][["series", "benchmark", "fs", "clock_mhz", "relative"]]
    if name in _RARE and name not in tables:
        return pd.DataFrame(columns=_RARE[name])
    if name not in tables:
        raise ResultsError(f"table: found {quoted(name)}; allowed: {', '.join(TABLES)}")
    return tables[name]


def render(tables: Tables, name: str, format: str = "text") -> str:
    """One table of a run: text as it is printed, CSV as in RUN/tables, JSON a list of records.

    `name` is of TABLES, `format` of FORMATS; in JSON an undefined number is null.  Raises
    ResultsError for another name or format.
    """
    check_format(format, [name])
    if format != "text":
        return document({name: table_rows(tables, name)}, format)
    stream = io.StringIO()
    console = make_console(stream)
    for shown in shown_tables(tables, name):
        console.print(shown)
    return stream.getvalue()
