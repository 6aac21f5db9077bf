# SPDX-License-Identifier: BSD-3-Clause
"""`osgap analyze --stats`: prints statistics files of any gem5's, one tree or two."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from osgap.cli import options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the directories of statistics, and what is selected of them."""
    add = parser.add_argument
    add(
        "--stats",
        type=options.as_typed,
        nargs="+",
        metavar="DIR",
        help="instead of RUN: any "
        "directory with gem5's statistics below it, stats.txt or JSON, or one file; two are "
        "compared",
    )
    add(
        "--select",
        metavar="REGEX",
        help="with --stats: the statistics to show. Of one DIR they "
        "are CSV, a row a dump (default: simSeconds, simInsts); of two a table with their ratios "
        "(default: time, instructions, CPI, cache misses, memory traffic)",
    )


def command(args: argparse.Namespace) -> int:
    """Prints the statistics of one directory or two; 2 when something of a file is left out."""
    from osgap.base.errors import OsgapError

    if len(args.stats) > 2:
        raise OsgapError(f"--stats: found {len(args.stats)} directories; allowed: one or two")
    return _one_tree(args) if len(args.stats) == 1 else _side_by_side(args)


def _one_tree(args: argparse.Namespace) -> int:
    from osgap.base.output import print_document
    from osgap.gem5stats.tree import SHOWN, collect, csv_text, json_text

    collected = collect(args.stats[0], SHOWN if args.select is None else args.select)
    print_document((json_text if args.format == "json" else csv_text)(collected.table))
    _print_errors(collected.notes)
    return _print_errors(collected.faults)


def _side_by_side(args: argparse.Namespace) -> int:
    from osgap.base.output import print_document
    from osgap.base.pager import paged
    from osgap.base.terminal import make_console
    from osgap.gem5stats.sidebyside import COMPARED, side_by_side
    from osgap.gem5stats.tree import csv_text, json_text
    from osgap.printing.gem5stats import paired_tables

    select = COMPARED if args.select is None else args.select
    pair = side_by_side(args.stats[0], args.stats[1], select)
    if args.format == "text":
        console = make_console()
        with paged(console, enabled=not args.no_pager):
            for table in paired_tables(pair.table, args.stats[0], args.stats[1]):
                console.print(table)
    else:
        print_document((json_text if args.format == "json" else csv_text)(pair.table))
    _print_errors(pair.notes)
    return _print_errors(pair.faults)


def _print_errors(sentences: Sequence[str]) -> int:
    from osgap.base.output import print_error

    for sentence in sentences:
        print_error(f"osgap analyze: {sentence}")
    return 2 if sentences else 0
