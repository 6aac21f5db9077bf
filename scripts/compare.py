#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare two runs of one sweep, such as rvsim's and gem5's: tables, figures, and how far apart."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from osgap import figures
from osgap.analysis import analyze, write_tables
from osgap.analysis.compare import Side, compare, labels, notes
from osgap.analysis.report import comparison_tables, make_console
from osgap.errors import OsgapError
from osgap.paths import project_root
from osgap.results import load_run
from osgap.stages import say

EPILOG = """\
Ratios are RUN_B by RUN_A. Tables go to DIR/tables, figures to DIR/figures.
example: scripts/compare.py results/locked/default results/locked/gem5
"""


def main() -> int:
    """Returns the exit status: 0, or 2 with one sentence on stderr."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run_a", type=Path, metavar="RUN_A")
    parser.add_argument("run_b", type=Path, metavar="RUN_B")
    parser.add_argument(
        "--output", type=Path, metavar="DIR",
        help="default: results/runs/compare-RUN_A-RUN_B",
    )  # fmt: skip
    args = parser.parse_args()
    name = f"compare-{args.run_a.resolve().name}-{args.run_b.resolve().name}"
    output = args.output or project_root() / "results" / "runs" / name
    console = make_console(sys.stdout)
    try:
        say("Reading and analysing the runs")
        a, b = load_run(args.run_a), load_run(args.run_b)
        label_a, label_b = labels(a, b)
        tables = compare(Side(label_a, analyze(a)), Side(label_b, analyze(b)))
        write_tables(tables, output / "tables")
        for table in comparison_tables(tables):
            console.print(table)
        for note in notes(tables):
            console.print(note, soft_wrap=True)
        say("Drawing the figures")
        for file in figures.render_set("compare", output):
            print(file)
    except OsgapError as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
