# SPDX-License-Identifier: BSD-3-Clause
"""`osgap show`: prints rows of a table of a run, with the names of its columns."""

from __future__ import annotations

import argparse
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.base.output import print_document
from osgap.base.quoting import quoted
from osgap.cli import number_types, options
from osgap.cli.parsing import Parser

HELP = "show rows of any table of a run, such as those with benchmark=cswitch clock_mhz=20,320"
EPILOG = """\
A row is shown when it meets all conditions: in each COLUMN it has one of the
VALUEs. A table with keys of points also has the columns of the table points,
such as series, clock_mhz and mips. Keys are printed in CSV and JSON, and
where --columns has key.
examples: osgap show results/locked/lab/three-clocks
          osgap show results/locked/lab/three-clocks relative clock_mhz=320 series=fixed,memory
          osgap show results/locked/lab/three-clocks times benchmark=cswitch \\
              --columns series,clock_mhz,median
          osgap show results/locked/lab/three-clocks relative clock_mhz=320 \\
              --columns benchmark,fs,relative --across series
          osgap show results/locked/lab/three-clocks disk --explain
"""

APART = {"--explain": ("COLUMN=VALUE[,VALUE...]", "--across", "--format")}
NEEDS = {
    "--columns": "TABLE",
    "--explain": "TABLE",
    "--format": "TABLE",
    "--across": "--columns",
}


def add_arguments(parser: Parser) -> None:
    """Adds the run, the table, the conditions, and the output's form."""
    parser.repeated = "conditions"
    parser.value(
        "run RUN",
        options.as_typed,
        "a run's directory (results/runs/NAME), or any directory with tables/ in it",
    )
    parser.value(
        "table TABLE",
        str,
        "a table's name, such as times or relative (default: list the tables of RUN)",
        nargs="?",
    )
    parser.value(
        "conditions COLUMN=VALUE[,VALUE...]",
        str,
        "only rows with one of these values in the column (repeatable)",
        nargs="*",
        default=[],
    )
    parser.value(
        "--columns COLUMN,...",
        number_types.commas(str),
        "only these columns, in this order (default: all)",
        default=[],
    )
    parser.value(
        "--across COLUMN",
        str,
        "with --columns: the values of the last column side by side, a column for each value "
        "of COLUMN",
    )
    parser.switch("--explain", "instead of rows: the meaning and the unit of each column")
    options.add_pager(parser)
    options.add_format(parser, "csv", "json")


def condition(text: str) -> tuple[str, list[str]]:
    """Returns a column, and the values that its rows may have. Raises OsgapError."""
    column, equals, values = text.partition("=")
    if not column or not equals:
        raise OsgapError(f"found {quoted(text)}; allowed: COLUMN=VALUE, such as benchmark=cswitch")
    return column, values.split(",")


def command(args: argparse.Namespace) -> int:
    """Prints the rows, or the tables of a run. Raises OsgapError."""
    from osgap.base.terminal import columns, make_console
    from osgap.drawing.frame_table import raw_table
    from osgap.printing.export import document
    from osgap.printing.selection import across, find_table, meanings, select, without_keys

    if args.table is None:
        return _list_tables(args.run)
    conditions = dict(map(condition, args.conditions))
    further = [args.across] if args.across and args.across not in args.columns else []
    rows = select(find_table(args.run, args.table), conditions, [*further, *args.columns])
    declared = {column.name: column for column in meanings(rows, args.table)}
    if args.explain:
        explained = columns("column", "unit", "meaning")
        for column in declared.values():
            explained.add_row(column.name, column.unit, column.text)
        make_console().print(explained)
        return 0
    if args.across:
        rows = across(rows, args.across)
        value = declared.get(args.columns[-1])
        declared = {name: declared.get(name, value) for name in rows.columns} if value else declared
    if args.format == "text":
        columns_to_print = rows if args.columns else without_keys(rows)
        with options.paged_console(args) as console:
            console.print(raw_table(columns_to_print, f"{args.table} of {args.run}", declared))
    else:
        print_document(document({args.table: rows}, args.format))
    return 0


def _list_tables(run: Path) -> int:
    """Prints the name and the meaning of each table of the run."""
    from osgap.base.terminal import columns, make_console
    from osgap.printing.selection import table_texts

    table = columns("table", "holds")
    for row in table_texts(run).items():
        table.add_row(*row)
    make_console().print(table)
    return 0
