#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compare one or two files of numbers as FreeBSD's ministat does."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from osgap import ministat, script
from osgap.ministat.files import read_values
from osgap.ministat.plot import WIDTH


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    add = parser.add_argument
    add("files", type=Path, nargs="+", metavar="FILE", help="a number a line; # begins a comment")
    add("-C", "--column", type=int, default=1, metavar="N", help="which column (default: 1)")
    add("-c", "--confidence", type=float, default=95.0, metavar="PERCENT",
        choices=ministat.CONFIDENCES, help="80, 90, 95, 98, 99 or 99.5 (default: 95)")  # fmt: skip
    add("-w", "--width", type=int, default=WIDTH, metavar="N", help=f"of the plot ({WIDTH})")
    add("-n", "--no-graph", action="store_true", help="statistics and the difference only")
    return parser.parse_args()


def _command() -> int:
    args = _arguments()
    samples = [
        ministat.make_sample(str(path), read_values(path, args.column)) for path in args.files
    ]
    for line in ministat.report(samples, args.confidence, args.width, not args.no_graph):
        print(line)
    return 0


def main() -> int:
    """Prints the report; 2 with one sentence when it cannot."""
    return script.run("ministat.py", _command)


if __name__ == "__main__":
    sys.exit(main())
