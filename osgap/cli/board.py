# SPDX-License-Identifier: BSD-3-Clause
"""`osgap board`: predicted values of boards beside what was measured on them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from osgap.base.errors import OsgapError
from osgap.base.output import print_document, print_line
from osgap.base.progress import say
from osgap.base.quoting import quoted
from osgap.base.suggestions import hint
from osgap.cli import options
from osgap.cli.parsing import Parser

if TYPE_CHECKING:
    import pandas as pd

HELP = "print predicted beside measured values of RISC-V boards, and draw them"
EPILOG = """\
NAME is a machine file of configs/machines/boards, or all. RUN is a run, or holds runs, as
`osgap sweep --sweep boards` leaves them. With --table or --format the named tables are printed, and
files are written only with --output. board_rows needs no run.
examples: osgap board all
          osgap board d1 results/runs/boards --table board_summary
          osgap board visionfive2 --native results/runs/my-board
          osgap board p550 --table board_rows --format csv
"""


def add_arguments(parser: Parser) -> None:
    """Adds the board, its runs, the tables to print and their format."""
    parser.value("name NAME", str, "a board of results/reference/boards.toml, such as d1; or all")
    parser.value(
        "runs RUN", options.path, "default: the committed runs, results/locked/boards", nargs="*"
    )
    parser.repeatable(
        "--table NAME",
        str,
        "a table to print (repeatable): board, board_summary, board_pairs, board_rows, "
        "board_native, board_imported",
    )
    options.add_format(parser, "csv", "json", "markdown")
    parser.repeatable(
        "--native RUN",
        options.path,
        "a run of osgap native on the real board, or of osgap import (repeatable): its values "
        "beside those that are predicted",
    )
    options.add_output(parser, "tables/ and figures/ go", "results/runs/board, see below")
    options.add_pager(parser)


def command(args: argparse.Namespace) -> int:
    """Prints the named tables, or prints and writes all and draws the figure. Raises OsgapError."""
    from osgap.analysis.tables import write_tables
    from osgap.printing.export import document
    from osgap.rundir.output import claim
    from osgap.suites.boards import FIGURES
    from osgap.suites.boards.report import printed_tables, sentences

    only_printed = bool(args.table or args.format != "text")
    is_written = args.output or not only_printed
    names = _names(args)
    tables = _tables(args, names, every=bool(is_written))
    output = options.output_directory(args, "board") if is_written else None
    if output:
        write_tables(tables, claim(output) / "tables")
    if args.format != "text":
        print_document(document({name: tables[name] for name in names}, args.format))
    else:
        with options.paged_console(args) as console:
            for line in sentences(tables["board_summary"]) if not args.table else ():
                console.print(line, soft_wrap=True)
            for table in printed_tables(tables, names):
                console.print(table)
    if output:
        # Standard output may be a document.
        options.draw_figures(FIGURES, output, print_line if args.format == "text" else say)
    return 0


def _tables(
    args: argparse.Namespace, names: Sequence[str], *, every: bool
) -> dict[str, pd.DataFrame]:
    """Returns the tables of the board, or those of no run where no other is asked for."""
    from osgap.suites import load_runs
    from osgap.suites.boards.results import board_runs, board_tables, rows_of
    from osgap.suites.boards.rows import boards_of, load_rows
    from osgap.suites.boards.tables import BOARD_ROWS, rows_table

    rows = rows_of(load_rows(), args.name)
    if args.native and len(boards_of(rows)) > 1:
        raise OsgapError(f"--native: found beside {args.name}; allowed: with one board")
    if set(names) == {BOARD_ROWS.name} and not every:
        if args.runs:
            raise OsgapError(f"RUN: found beside --table {BOARD_ROWS.name}, which needs no run")
        return {BOARD_ROWS.name: rows_table(rows)}
    measured = load_runs(args.native) if args.native else []
    return board_tables(rows, board_runs(args.runs, boards_of(rows)), measured)


def _names(args: argparse.Namespace) -> list[str]:
    """Returns the names of the tables to print, each once. Raises OsgapError for an unknown one."""
    from osgap.suites.boards.imported import IMPORTED
    from osgap.suites.boards.native import NATIVE
    from osgap.suites.boards.report import PRINTED
    from osgap.suites.boards.results import TABLES

    of_native = [NATIVE.name, IMPORTED.name]
    usual = [name for name in PRINTED if args.native or name not in of_native]
    names = list(dict.fromkeys(args.table or usual))
    for name in names:
        if name not in TABLES:
            near = f"{hint(name, list(TABLES))}allowed: {', '.join(TABLES)}"
            raise OsgapError(f"--table: found {quoted(name)}; {near}")
    native_names = [name for name in of_native if name in names]
    if native_names and not args.native:
        raise OsgapError(f"--table: found {native_names[0]}; allowed: with --native")
    if args.native and not args.output and not native_names:
        allowed = " or ".join(of_native)
        raise OsgapError(f"--native: found with {', '.join(names)}; allowed: with {allowed}")
    if args.format == "csv" and len(names) > 1:
        raise OsgapError(f"format csv: found {len(names)} tables; allowed: one at a time")
    return names
