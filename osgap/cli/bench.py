# SPDX-License-Identifier: BSD-3-Clause
"""`osgap bench`: what osgap costs on this host."""

from __future__ import annotations

import argparse

from osgap.cli.options import positive

HELP = "measure what osgap costs on this host, as a Markdown table"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to measure."""
    add = parser.add_argument
    add(
        "--study",
        choices=("quick", "default"),
        help="time scripts/study from a fresh clone with a cold cache, instead of single points",
    )
    add(
        "--tests",
        choices=("quick", "usual", "all"),
        help="time scripts/test so, twice: the first time with a cold cache",
    )
    add(
        "--kills",
        type=positive,
        metavar="N",
        help="kill part of a sweep at random moments, N times",
    )
    add("--boots", type=positive, metavar="N", help="kill a sweep N times while its guest boots")
    add(
        "--reports",
        type=positive,
        metavar="N",
        help="kill analyze and plot at random moments, N times each",
    )
    add(
        "--engine", default="rvsim", metavar="NAME", help="for --kills and --boots (default: rvsim)"
    )


def command(args: argparse.Namespace) -> int:
    """Prints the table, row by row. Raises OsgapError for an unknown engine and when a measured
    command fails.
    """
    from osgap import engines
    from osgap.base import output
    from osgap.bench import costs

    engines.load(args.engine)
    if args.study:
        rows = costs.study(args.study)
    elif args.tests:
        rows = costs.tests(args.tests)
    elif args.kills:
        rows = costs.kills(args.kills, args.engine)
    elif args.boots:
        rows = costs.boots(args.boots, args.engine)
    elif args.reports:
        rows = costs.reports(args.reports)
    else:
        rows = costs.points()
    for line in costs.markdown(rows):
        output.print_line(line)
        output.flush()
    return 0
