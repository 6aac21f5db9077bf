# SPDX-License-Identifier: BSD-3-Clause
"""`osgap kennaway`: extractions at once, with a giant lock and without."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from osgap.base.paths import project_root
from osgap.cli import options
from osgap.cli.parsing import Parser

if TYPE_CHECKING:
    import pandas as pd

HELP = "show extractions at once with and without a giant lock: table, ministat's reports, figure"
EPILOG = """\
DIR/tables has all columns. RUN is a run, or holds runs, as
`osgap sweep --sweep extractions` leaves them.
example: osgap kennaway results/runs/extractions
"""
_COLUMNS = [
    "engine",
    "fs",
    "clock_mhz",
    "harts",
    "machine",
    "layout",
    "lock",
    "copies",
    "single_ms",
    "parallel_ms",
    "concurrency",
    "low",
    "high",
    "lock_share",
]


def add_arguments(parser: Parser) -> None:
    """Adds the runs and the options for printing."""
    parser.value("runs RUN", options.path, "default: the committed runs", nargs="*")
    options.add_pager(parser)
    parser.switch("--ministat", "print the times of each batch and ministat's reports, too")
    options.add_output(parser, "tables/ and figures/ go", "results/runs/kennaway")


def command(args: argparse.Namespace) -> int:
    """Prints and writes the tables and draws the figure. Raises OsgapError."""
    from osgap.analysis.runs import placed_points, unfinished
    from osgap.analysis.tables import write_tables
    from osgap.drawing.frame_table import frame_table
    from osgap.rundir.output import claim
    from osgap.suites import load_runs
    from osgap.suites.kennaway import FIGURES
    from osgap.suites.kennaway.holds import HOLDS, hold_table
    from osgap.suites.kennaway.original import TWELVE_AT_ONCE, twelve_at_once
    from osgap.suites.kennaway.reports import reports
    from osgap.suites.kennaway.spreads import SPREADS, spread_table
    from osgap.suites.kennaway.tables import (
        CONCURRENCY,
        concurrency_table,
        extraction_table,
    )

    results = project_root() / "results"
    output = options.output_directory(args, "kennaway")
    runs = load_runs(args.runs or [results / "locked" / "publications" / "kennaway"])
    extractions = extraction_table(placed_points(runs))
    concurrency = concurrency_table(extractions)
    tables = {"extractions": extractions, "concurrency": concurrency}
    further = {
        TWELVE_AT_ONCE: twelve_at_once(concurrency),
        SPREADS: spread_table(extractions, concurrency),
        HOLDS: hold_table(extractions),
    }
    further = {table: rows for table, rows in further.items() if len(rows)}
    tables |= {table.name: rows for table, rows in further.items()}
    write_tables(tables, claim(output) / "tables")
    columns = CONCURRENCY.columns
    with options.paged_console(args) as console:
        console.print(
            frame_table(
                concurrency[_printed_columns(concurrency)],
                "effective concurrency, N x T1 / TN",
                columns,
            )
        )
        for table, rows in further.items():
            console.print(frame_table(rows, table.text, table.columns))
        for line in reports(extractions) if args.ministat else ():
            console.print(line, soft_wrap=True)
        for line in unfinished(runs):
            console.print(line)
    options.draw_figures(FIGURES, output)
    return 0


def _printed_columns(concurrency: pd.DataFrame) -> list[str]:
    """The columns to print: the layout and the machine only where they tell rows apart."""
    machines = concurrency.groupby("harts")["machine"].nunique()
    needless = {"layout": concurrency["layout"].nunique() < 2, "machine": machines.max() < 2}
    return [name for name in _COLUMNS if not needless.get(name, False)]
