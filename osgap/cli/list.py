# SPDX-License-Identifier: BSD-3-Clause
"""`osgap list`: prints the known machines, benchmarks, tables and so on, one in a line."""

from __future__ import annotations

import argparse

HELP = "list machines, benchmarks, suites, sweeps, variants, engines, figures or tables"
EPILOG = "example: osgap list machines"
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
    """Adds the kind to list."""
    parser.add_argument("kind", choices=KINDS, metavar="|".join(KINDS))


def command(args: argparse.Namespace) -> int:
    """Prints a name and a description in each line. Raises OsgapError."""
    from osgap.base.terminal import columns, make_console
    from osgap.cli.catalogue import CATALOGUES

    table = columns(args.kind[:-1], "description")
    for name, description in CATALOGUES[args.kind]().items():
        table.add_row(name, description)
    make_console().print(table)
    return 0
