# SPDX-License-Identifier: BSD-3-Clause
"""`osgap analyze`: tables of runs, or of any statistics files of gem5's."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from osgap.cli import options

HELP = "analyse runs: print the headline and tables, write RUN/tables/*.csv"
EPILOG = """\
Without --table: one sentence, and the MIPS-relative speeds at the fastest clock. Every table is in
`osgap list tables`. Runs that are layouts of one system are printed as one, with 95 % intervals.
Nothing is written into an accepted run (results/locked): see --output.
examples: osgap analyze results/runs/base --table relative
          osgap analyze results/runs/systems --table raveling --mhz 320 --series fixed
          osgap analyze results/locked/default --table geomean --format json
          osgap analyze results/locked/default --layouts results/locked/layouts
          osgap analyze --stats m5out --select 'overallMissRate::total|simSeconds'
          osgap analyze --stats before/m5out after/m5out
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the runs, the tables and their format."""
    options.add_run(parser, several=True)
    add = parser.add_argument
    add("--table", action="append", metavar="NAME", help="a table to print (repeatable)")
    add("--format", choices=("text", "csv", "json"), default="text", help="default: text")
    options.add_output(parser, "tables/ goes", "each RUN; of an accepted run nowhere")
    options.add_selection(parser)
    options.add_layouts(parser, ", whose intervals RUN gets")
    options.add_pager(parser)
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
    """Prints the requested tables; 2 when something of a statistics file is left out."""
    from osgap.base.errors import OsgapError

    if bool(args.run) == (args.stats is not None):
        raise OsgapError("give either RUN or --stats DIR")
    if not args.stats:
        return _runs(args)
    if len(args.stats) > 2:
        raise OsgapError(f"--stats: found {len(args.stats)} directories; allowed: one or two")
    return _statistics(args) if len(args.stats) == 1 else _side_by_side(args)


def _statistics(args: argparse.Namespace) -> int:
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


def _runs(args: argparse.Namespace) -> int:
    from osgap.base.pager import paged
    from osgap.base.terminal import make_console
    from osgap.printing.run import print_runs

    console = make_console()
    with paged(console, enabled=not args.no_pager):
        print_runs(
            console,
            args.run,
            args.table or (),
            format=args.format,
            output=args.output,
            clocks=args.mhz,
            series=args.series,
            layouts=args.layouts,
        )
    return 0
