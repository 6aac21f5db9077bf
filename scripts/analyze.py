#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Analyse runs: write RUN/tables/*.csv and print them as the papers do."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from osgap.analysis.parts import load_parts
from osgap.analysis.report import make_console, print_report
from osgap.analysis.seeds import COMBINED, print_combined
from osgap.errors import OsgapError
from osgap.stats.tree import collect, csv_text

PRINTED = (
    "summary", "speeds", "relative", "points", "samples", "times", "geomean", "elasticity",
    "attribution", "disk", "checks", "model", "modes", "counters", *COMBINED,
)  # fmt: skip
EPILOG = """\
tables printed with --table:
  summary      geometric mean of MIPS-relative speed, clocks by series
  speeds       MIPS-relative speed, one table a series, clocks in columns
  relative     one table a benchmark: configuration, time, MIPS-relative speed
  checks       measured against configured memory, and the two clocks against each other
  model        t = a / CPU + b / MEM + c / DISK, fitted on half of the points, tested on the others
  modes        user, system, idle and real time of an operation, where a benchmark tells them
  counters     what the lock around the file system counted in a batch (variants smp-*)
  and points, samples, times, geomean, elasticity, attribution, disk as in RUN/tables

tables over all runs given, each of which may be a directory of runs:
  hohmuth      the two pages of Hohmuth 1996: absolute, and compared to the best of the breed
  reflected    system calls reflected by direct, beside his Linux on L4 by Linux
  raveling     ratios to the fastest compiler, machine, system and combination (Raveling 1990)
  hypothesis   does context switching predict performance under load?  rank correlations
  reflected and hypothesis are written to tables/ of the first run given, too

examples: scripts/analyze.py results/runs/base --table relative
          scripts/analyze.py results/runs/systems --table raveling --mhz 320 --series fixed
          scripts/analyze.py --stats m5out --select 'overallMissRate::total|simSeconds'
"""


def main() -> int:
    """Returns the exit status: 0, or 2 with one sentence on stderr."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "run", type=Path, nargs="*", metavar="RUN",
        help="a run directory, results/runs/NAME, or one that holds runs",
    )  # fmt: skip
    parser.add_argument(
        "--table", choices=PRINTED, action="append", metavar="NAME",
        help="the table to print (repeatable; default: speeds, summary)",
    )  # fmt: skip
    parser.add_argument(
        "--mhz", type=float, action="append", default=[], metavar="CLOCK",
        help="only this clock in the tables over all runs (repeatable)",
    )  # fmt: skip
    parser.add_argument(
        "--series", action="append", default=[], metavar="NAME",
        help="only this series in them (repeatable): fixed, memory, disk, both",
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
    if bool(arguments.run) == (arguments.stats is not None):
        parser.error("give either RUN or --stats DIR")
    if arguments.stats:
        return show_statistics(arguments.stats, arguments.select)
    names = arguments.table or ["speeds", "summary"]
    return show_runs(arguments.run, names, arguments.mhz, arguments.series)


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


def show_runs(paths: list[Path], names: list[str], clocks: list[float], series: list[str]) -> int:
    """Writes the runs' tables and prints those named; 2 with one sentence when it cannot."""
    console = make_console(sys.stdout)
    try:
        parts = load_parts(paths)
        for name in names:
            if name in COMBINED:
                print_combined(console, name, parts, paths[0], clocks, series)
                continue
            for part in parts:
                if len(parts) > 1:
                    console.print(f"{part.path}:", soft_wrap=True)
                print_report(console, part.tables, name)
    except OsgapError as error:
        print(f"analyze.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
