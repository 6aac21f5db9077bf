# SPDX-License-Identifier: BSD-3-Clause
"""`osgap list`: prints the known machines, benchmarks, tables and so on, one in a line."""

from __future__ import annotations

import argparse

from osgap.base.output import print_document
from osgap.cli import options
from osgap.cli.parsing import Parser

HELP = "list machines, benchmarks, sweeps, tables, keys of files, commands and more"
EPILOG = """\
With --format markdown, tables, the keys of files and commands are the pages of docs/reference.
examples: osgap list machines
          osgap list tables --format markdown > docs/reference/tables.md
          osgap list machine-keys --format markdown > docs/reference/machine-files.md
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
    "machine-keys",
    "sweep-keys",
    "variant-keys",
    "commands",
)


def add_arguments(parser: Parser) -> None:
    """Adds the kind to list, and the format."""
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    options.add_format(parser, "markdown")
    options.add_pager(parser)


def command(args: argparse.Namespace) -> int:
    """Prints a name and a description in each line. Raises OsgapError."""
    from osgap.base.terminal import columns
    from osgap.cli.catalogue import CATALOGUES, machine_table, reference_pages
    from osgap.printing.export import markdown_row

    heads = (args.kind[:-1], "description")
    rows = CATALOGUES[args.kind]().items()
    if args.format == "markdown":
        lines = map(markdown_row, [heads, ("---", "---"), *rows])
        page = reference_pages().get(args.kind)
        print_document(page() if page else "".join(lines))
        return 0
    table = columns(*heads)
    for row in rows:
        table.add_row(*row)
    with options.paged_console(args) as console:
        console.print(machine_table() if args.kind == "machines" else table)
    return 0
