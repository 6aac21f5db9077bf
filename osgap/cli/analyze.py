# SPDX-License-Identifier: BSD-3-Clause
"""`osgap analyze`: tables of runs, or of any stats.txt files."""

from __future__ import annotations

import argparse
from pathlib import Path

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
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The runs, which tables, and in which form."""
    options.add_run(parser, several=True)
    add = parser.add_argument
    add("--table", action="append", metavar="NAME", help="a table to print (repeatable)")
    add("--format", choices=("text", "csv", "json"), default="text", help="default: text")
    options.add_output(parser, "tables/ goes", "each RUN; of an accepted run nowhere")
    add("--mhz", type=float, action="append", default=[], metavar="CLOCK", help="only this clock "
        "in tables over several runs (repeatable)")  # fmt: skip
    add("--series", action="append", default=[], metavar="NAME", help="only this series in them "
        "(repeatable): fixed, memory, disk, both")  # fmt: skip
    add("--layouts", type=options.as_typed, action="append", default=[], metavar="DIR",
        help="runs of several layouts (repeatable), whose intervals RUN gets")  # fmt: skip
    add("--stats", type=options.as_typed, metavar="DIR", help="instead of RUN: any directory with "
        "gem5's stats.txt files below it, or one file")  # fmt: skip
    add("--select", default="^simSeconds$|^simInsts$", metavar="REGEX", help="with --stats: the "
        "statistics to show, as CSV, a row a dump (default: %(default)s)")  # fmt: skip


def command(args: argparse.Namespace) -> int:
    """Prints what is asked for; 2 when a statistics file was not read to its end."""
    from osgap.base.errors import OsgapError

    if bool(args.run) == (args.stats is not None):
        raise OsgapError("give either RUN or --stats DIR")
    return _statistics(args.stats, args.select) if args.stats else _runs(args)


def _statistics(directory: Path, select: str) -> int:
    from osgap.base.output import print_document, print_error
    from osgap.stats.tree import collect, csv_text

    collected = collect(directory, select)
    print_document(csv_text(collected.table))
    for fault in collected.faults:
        print_error(f"osgap analyze: {fault}")
    return 2 if collected.faults else 0


def _runs(args: argparse.Namespace) -> int:
    from osgap.base.terminal import make_console
    from osgap.report.run import print_runs

    print_runs(
        make_console(), args.run, args.table or (), format=args.format,
        output=args.output, clocks=args.mhz, series=args.series, layouts=args.layouts,
    )  # fmt: skip
    return 0
