# SPDX-License-Identifier: BSD-3-Clause
"""`osgap compare`: compares two runs of one sweep."""

from __future__ import annotations

import argparse

from osgap.cli import options
from osgap.cli.parsing import Parser

HELP = "compare two runs of one sweep, such as rvsim's and gem5's: tables and figures"
EPILOG = """\
Ratios are RUN_B by RUN_A. Tables go to DIR/tables, figures to DIR/figures. A directory that holds
several layouts of one system is compared by its means. Where layouts are known, each row says
whether the two differ by more than these do.
examples: osgap compare results/locked/curve/default results/locked/curve/gem5
          osgap compare results/runs/base results/runs/hz250 --layouts results/runs/layouts
"""


def add_arguments(parser: Parser) -> None:
    """Adds the two runs, and runs of layouts."""
    parser.value("run_a RUN_A", options.path, "a run's directory")
    parser.value("run_b RUN_B", options.path, "the other run's")
    options.add_layouts(parser, ", where RUN_A or RUN_B are single ones", kind=options.path)
    options.add_pager(parser)
    options.add_output(parser, "tables/ and figures/ go", "results/runs/compare-RUN_A-RUN_B")


def command(args: argparse.Namespace) -> int:
    """Prints and writes the comparison. Raises OsgapError."""
    from osgap.analysis.compare import compare, notes
    from osgap.analysis.tables import write_tables
    from osgap.figures import OF_TWO_RUNS
    from osgap.printing import images
    from osgap.printing.comparison import sides
    from osgap.printing.tables import comparison_tables
    from osgap.report.sections.compared import verdict
    from osgap.rundir.output import claim

    name = f"compare-{args.run_a.resolve().name}-{args.run_b.resolve().name}"
    output = options.output_directory(args, name)
    tables = compare(*sides(args.run_a, args.run_b, args.layouts))
    write_tables(tables, claim(output) / "tables")
    with options.paged_console(args) as console:
        if sentence := verdict(tables):
            console.print(sentence)
        for table in comparison_tables(tables):
            console.print(table)
        for note in [*images.notes(args.run_a, args.run_b), *notes(tables)]:
            console.print(note)
    options.draw_figures(OF_TWO_RUNS, output)
    return 0
