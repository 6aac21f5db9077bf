# SPDX-License-Identifier: BSD-3-Clause
"""`osgap analyze`: tables of runs, or of any statistics files of gem5's."""

from __future__ import annotations

import argparse

from osgap.base.errors import OsgapError
from osgap.cli import options, statistics
from osgap.cli.parsing import Parser

HELP = "analyse runs: print the headline and tables, write RUN/tables/*.csv"
EPILOG = """\
Without --table: one sentence, and the MIPS-relative speeds at the fastest clock. Every table is in
`osgap list tables`. Runs that are layouts of one system are printed as one, with 95 % intervals.
Nothing is written into an accepted run (results/locked): see --output.
examples: osgap analyze results/runs/base --table relative
          osgap analyze results/runs/systems --table raveling --mhz 320 --series fixed
          osgap analyze results/locked/publications/raveling --table variants
          osgap analyze results/locked/curve/default --table geomean --format json
          osgap analyze results/locked/curve/default --layouts results/locked/layouts/ten-layouts
          osgap analyze --stats m5out --select 'overallMissRate::total|simSeconds'
          osgap analyze --stats m5out --differences
          osgap analyze --stats before/m5out after/m5out --dump last
          osgap analyze --stats runs --names 'l2_(?P<l2>[0-9]+)kB/(?P<app>[a-z]+)' --base l2=256
          osgap analyze --stats base/m5out other/m5out --derived
"""

APART = {
    "--stats": ("RUN", "--table", "--output", "--mhz", "--series", "--layouts"),
    **statistics.APART,
}
NEEDS = statistics.NEEDS


def add_arguments(parser: Parser) -> None:
    """Adds the runs, the tables and their format."""
    options.add_run(parser, several=True)
    parser.repeatable("--table NAME", str, "a table to print (repeatable)")
    options.add_format(parser, "csv", "json")
    options.add_output(parser, "tables/ goes", "each RUN; of an accepted run nowhere")
    options.add_selection(parser)
    options.add_layouts(parser, ", whose intervals RUN gets")
    options.add_pager(parser)
    statistics.add_arguments(parser)


def command(args: argparse.Namespace) -> int:
    """Prints the requested tables; 2 when something of a statistics file is left out."""
    if not args.run and args.stats is None:
        raise OsgapError("give either RUN or --stats DIR")
    return statistics.command(args) if args.stats else _runs(args)


def _runs(args: argparse.Namespace) -> int:
    from osgap.printing.run import print_runs

    with options.paged_console(args) as console:
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
