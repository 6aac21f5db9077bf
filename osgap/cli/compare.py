# SPDX-License-Identifier: BSD-3-Clause
"""`osgap compare`: compares two runs of one sweep."""

from __future__ import annotations

import argparse

from osgap.cli import options

HELP = "compare two runs of one sweep, such as rvsim's and gem5's: tables and figures"
EPILOG = """\
Ratios are RUN_B by RUN_A. Tables go to DIR/tables, figures to DIR/figures. A directory that holds
several layouts of one system is compared by its means. Where layouts are known, each row says
whether the two differ by more than these do.
examples: osgap compare results/locked/curve/default results/locked/curve/gem5
          osgap compare results/runs/base results/runs/hz250 --layouts results/runs/layouts
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the two runs, and runs of layouts."""
    parser.add_argument("run_a", type=options.path, metavar="RUN_A", help="a run's directory")
    parser.add_argument("run_b", type=options.path, metavar="RUN_B", help="the other run's")
    options.add_layouts(parser, ", where RUN_A or RUN_B are single ones", kind=options.path)
    options.add_pager(parser)
    options.add_output(parser, "tables/ and figures/ go", "results/runs/compare-RUN_A-RUN_B")


def command(args: argparse.Namespace) -> int:
    """Prints and writes the comparison. Raises OsgapError."""
    from osgap.analysis.compare import compare, notes
    from osgap.analysis.tables import write_tables
    from osgap.base.output import print_line
    from osgap.base.pager import paged
    from osgap.base.paths import project_root
    from osgap.base.progress import say
    from osgap.base.terminal import make_console
    from osgap.drawing.figure import render_all
    from osgap.figures import OF_TWO_RUNS
    from osgap.printing import images
    from osgap.printing.comparison import sides
    from osgap.printing.tables import comparison_tables
    from osgap.report.sections.compared import verdict
    from osgap.rundir.output import claim

    name = f"compare-{args.run_a.resolve().name}-{args.run_b.resolve().name}"
    output = args.output or project_root() / "results" / "runs" / name
    tables = compare(*sides(args.run_a, args.run_b, args.layouts))
    write_tables(tables, claim(output) / "tables")
    console = make_console()
    with paged(console, enabled=not args.no_pager):
        if sentence := verdict(tables):
            console.print(sentence)
        for table in comparison_tables(tables):
            console.print(table)
        for note in [*images.notes(args.run_a, args.run_b), *notes(tables)]:
            console.print(note)
    say("Drawing the figures")
    for file in render_all(OF_TWO_RUNS, output):
        print_line(str(file))
    return 0
