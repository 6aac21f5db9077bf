# SPDX-License-Identifier: BSD-3-Clause
"""`osgap ministat`: tells whether two columns of numbers differ."""

from __future__ import annotations

import argparse

from osgap.base.output import print_line
from osgap.cli import number_types, options
from osgap.cli.parsing import Parser

HELP = "tell whether two columns of numbers differ, as FreeBSD's ministat does"
# osgap.analysis.ministat's, which takes a second to import.
_CONFIDENCES = (80, 90, 95, 98, 99, 99.5)

APART = {"--no-graph": ("--width",)}


def add_arguments(parser: Parser) -> None:
    """Adds the options of ministat(1)."""
    parser.value(
        "files FILE",
        options.as_typed,
        "a number a line; # begins a comment; - is standard input",
        nargs="+",
    )
    parser.value("-C --column N", int, "which column (default: 1)", default=1)
    parser.add_argument(
        "-c",
        "--confidence",
        type=number_types.number,
        default=95.0,
        metavar="PERCENT",
        choices=_CONFIDENCES,
        help="80, 90, 95, 98, 99 or 99.5 (default: 95)",
    )
    parser.value("-w --width N", number_types.positive, "of the plot (default: 74)")
    parser.add_argument(
        "-n", "--no-graph", action="store_true", help="statistics and the difference only"
    )


def command(args: argparse.Namespace) -> int:
    """Prints the report. Raises OsgapError."""
    from osgap.analysis import ministat
    from osgap.analysis.ministat import WIDTH, read_values

    samples = [
        ministat.make_sample(str(path), read_values(path, args.column)) for path in args.files
    ]
    width = args.width or WIDTH
    for line in ministat.report(samples, args.confidence, width, not args.no_graph):
        print_line(line)
    return 0
