# SPDX-License-Identifier: BSD-3-Clause
"""`osgap list`: prints the known machines, benchmarks, tables and so on, one in a line."""

from __future__ import annotations

import argparse

HELP = "list machines, benchmarks, suites, sweeps, variants, engines, figures or tables"
EPILOG = """\
With --format markdown, `tables` lists the columns of every table too.
examples: osgap list machines
          osgap list tables --format markdown > docs/reference/tables.md
"""
KINDS = (
    "machines",
    "benchmarks",
    "suites",
    "sweeps",
    "variants",
    "engines",
    "figures",
    "tables",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the kind to list, and the format."""
    parser.add_argument("kind", choices=KINDS, metavar="|".join(KINDS))
    parser.add_argument(
        "--format", choices=("text", "markdown"), default="text", help="default: text"
    )


def command(args: argparse.Namespace) -> int:
    """Prints a name and a description in each line. Raises OsgapError."""
    from osgap.base.output import print_document
    from osgap.base.terminal import columns, make_console
    from osgap.cli.catalogue import CATALOGUES
    from osgap.printing.export import markdown_row
    from osgap.printing.reference import tables_page

    heads = (args.kind[:-1], "description")
    rows = CATALOGUES[args.kind]().items()
    if args.format == "markdown":
        lines = map(markdown_row, [heads, ("---", "---"), *rows])
        print_document(tables_page() if args.kind == "tables" else "".join(lines))
        return 0
    table = columns(*heads)
    for row in rows:
        table.add_row(*row)
    make_console().print(table)
    return 0
