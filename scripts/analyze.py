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
from osgap.stats.tree import collect, csv_text

PRINTED = (
    "summary", "speeds", "relative", "points", "samples", "times", "geomean", "elasticity",
    "attribution", "disk", "checks", "model",
)  # fmt: skip
EPILOG = """\
tables printed with --table:
  summary      geometric mean of MIPS-relative speed, clocks by series
  speeds       MIPS-relative speed, one table a series, clocks in columns
  relative     one table a benchmark: configuration, time, MIPS-relative speed
  checks       measured against configured memory, and the two clocks against each other
  model        t = a / CPU + b / MEM + c / DISK, fitted on half of the points, tested on the others
  and points, samples, times, geomean, elasticity, attribution, disk as in RUN/tables

examples: scripts/analyze.py results/runs/base --table relative
          scripts/analyze.py --stats m5out --select 'overallMissRate::total|simSeconds'
"""


def main() -> int:
    """Returns the exit status: 0, or 2 with one sentence on stderr."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "run", type=Path, nargs="?", metavar="RUN", help="a run directory, results/runs/NAME"
    )
    parser.add_argument(
        "--table", choices=PRINTED, action="append", metavar="NAME",
        help="the table to print (repeatable; default: speeds, summary)",
    )  # fmt: skip
    parser.add_argument(
        "--stats", type=Path, metavar="DIR",
        help="instead of RUN: any directory with gem5's stats.txt files below it, or one file",
    )  # fmt: skip
    parser.add_argument(
        "--select", default="^simSeconds$|^simInsts$", metavar="REGEX",
        help="with --stats: the statistics to show, as CSV, a row a dump (default: %(default)s)",
    )  # fmt: skip
    arguments = parser.parse_args()
    if (arguments.run is None) == (arguments.stats is None):
        parser.error("give either RUN or --stats DIR")
    if arguments.stats:
        return show_statistics(arguments.stats, arguments.select)
    return show_run(arguments.run, arguments.table or ["speeds", "summary"])


def show_statistics(directory: Path, select: str) -> int:
    """Prints the selected statistics as CSV; 2 when a file was not read to its end."""
    try:
        collected = collect(directory, select)
    except OsgapError as error:
        print(f"analyze.py: {error}", file=sys.stderr)
        return 2
    sys.stdout.write(csv_text(collected.table))
    for fault in collected.faults:
        print(f"analyze.py: {fault}", file=sys.stderr)
    return 2 if collected.faults else 0


def show_run(path: Path, names: list[str]) -> int:
    """Writes a run's tables and prints those named; 2 with one sentence when it cannot."""
    try:
        run = load_run(path)
        tables = analyze(run)
        write_tables(tables, run.path / "tables")
    except OsgapError as error:
        print(f"analyze.py: {error}", file=sys.stderr)
        return 2
    console = make_console(sys.stdout)
    for name in names:
        print_report(console, tables, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
