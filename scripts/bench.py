#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measure what osgap costs on this host, as a Markdown table."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from osgap import bench
from osgap.errors import OsgapError


def main() -> int:
    """Prints the table; 2 and one sentence when a measured command fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--study",
        choices=("quick", "default"),
        help="time scripts/study from a fresh clone with a cold cache, instead of single points",
    )
    parser.add_argument(
        "--tests",
        choices=bench.LEVELS,
        help="time scripts/test so, twice: the first time with a cold cache",
    )
    parser.add_argument(
        "--kills", type=int, metavar="N", help="kill part of a sweep at random moments, N times"
    )
    parser.add_argument("--engine", default="rvsim", help="for --kills (default: rvsim)")
    args = parser.parse_args()
    if args.study:
        rows = bench.study(args.study)
    elif args.tests:
        rows = bench.tests(args.tests)
    elif args.kills:
        rows = bench.kills(args.kills, args.engine)
    else:
        rows = bench.points()
    try:
        for line in bench.markdown(rows):
            print(line, flush=True)
    except OsgapError as error:
        print(f"bench.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
