#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Analyse a run: write RUN/tables/*.csv and print them as the paper does."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from osgap.analysis import analyze, write_tables
from osgap.analysis.report import make_console, print_report
from osgap.errors import OsgapError
from osgap.results import load_run

PRINTED = (
    "summary", "speeds", "relative", "points", "samples", "times", "geomean", "elasticity",
    "attribution", "disk", "checks",
)  # fmt: skip
EPILOG = """\
tables printed with --table:
  summary      geometric mean of MIPS-relative speed, clocks by series
  speeds       MIPS-relative speed, one table a series, clocks in columns
  relative     one table a benchmark: configuration, time, MIPS-relative speed
  checks       measured against configured memory, and the two clocks against each other
  and points, samples, times, geomean, elasticity, attribution, disk as in RUN/tables

example: scripts/analyze.py results/runs/base --table relative
"""


def main() -> int:
    """Returns the exit status: 0, or 2 with one sentence on stderr."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="a run directory, results/runs/NAME")
    parser.add_argument(
        "--table", choices=PRINTED, action="append", metavar="NAME",
        help="the table to print (repeatable; default: speeds, summary)",
    )  # fmt: skip
    arguments = parser.parse_args()
    try:
        run = load_run(arguments.run)
        tables = analyze(run)
        write_tables(tables, run.path / "tables")
    except OsgapError as error:
        print(f"analyze.py: {error}", file=sys.stderr)
        return 2
    console = make_console(sys.stdout)
    for name in arguments.table or ["speeds", "summary"]:
        print_report(console, tables, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
