#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Extractions at once with and without a giant lock: the table, ministat's reports, the figure."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from osgap import figures, script
from osgap.analysis import write_tables
from osgap.analysis.kennaway import concurrency_table, extraction_table, judgements
from osgap.analysis.parts import load_parts, places, unfinished
from osgap.analysis.report import make_console, plain_table
from osgap.paths import project_root
from osgap.stages import say

SHOWN = [
    "engine", "fs", "clock_mhz", "harts", "lock", "single_ms", "parallel_ms", "concurrency", "low",
    "high", "wait_share",
]  # fmt: skip
EPILOG = """\
What does not fit on a terminal is in tables/. RUN is a run, or holds runs, as
scripts/sweep.py --sweep configs/sweeps/kennaway.toml leaves them.
example: scripts/kennaway.py results/runs/kennaway-rvsim results/runs/kennaway-gem5
"""


def _arguments() -> argparse.Namespace:
    results = project_root() / "results"
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("runs", nargs="*", type=Path, metavar="RUN", default=[results / "locked" / "kennaway"],
        help="default: the committed runs on rvsim and gem5")  # fmt: skip
    add("--ministat", action="store_true", help="print ministat's report of each comparison, too")
    add("--output", type=Path, metavar="DIR", default=results / "runs" / "kennaway",
        help="where tables/ and figures/ go (default: results/runs/kennaway)")  # fmt: skip
    return parser.parse_args()


def _command() -> int:
    args = _arguments()
    console = make_console(sys.stdout)
    say("Reading and analysing the runs")
    parts = load_parts(args.runs)
    extractions = extraction_table(places(parts))
    tables = {"extractions": extractions, "concurrency": concurrency_table(extractions)}
    write_tables(tables, args.output / "tables")
    console.print(plain_table(tables["concurrency"][SHOWN], "effective concurrency, N x T1 / TN"))
    for line in judgements(extractions) if args.ministat else ():
        print(line)
    for line in unfinished(parts):
        console.print(line, soft_wrap=True)
    say("Drawing the figures")
    for file in figures.render_set("kennaway", args.output):
        print(file)
    return 0


def main() -> int:
    """Returns the exit status: 0, or 2 with one sentence on stderr."""
    return script.run("kennaway.py", _command)


if __name__ == "__main__":
    sys.exit(main())
