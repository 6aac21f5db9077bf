# SPDX-License-Identifier: BSD-3-Clause
"""`osgap retry`: run the failed points of a run again."""

from __future__ import annotations

import argparse

from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.cli import options, resuming
from osgap.cli.parsing import Parser

HELP = "run a run's failed points again"
EPILOG = resuming.EPILOG
APART, NEEDS = options.HOST_APART, options.HOST_NEEDS
ALL = "all"


def add_arguments(parser: Parser) -> None:
    """Adds the run, the classes of failures, and the options of the host."""
    options.add_run(parser)
    parser.value(
        "--failed CLASS,...",
        str,
        "only points with such a failure: timed-out, out-of-memory, guest-panic, guest-error, "
        "simulator-error, cancelled (default: all of them)",
        nargs="?",
        const=ALL,
        default=ALL,
    )
    options.add_host(parser)


def command(args: argparse.Namespace) -> int:
    """Runs the failed points. Raises OsgapError for an unknown class."""
    from osgap.points.record import FAILED

    words = list(FAILED) if args.failed == ALL else args.failed.split(",")
    for word in words:
        if word not in FAILED:
            raise OsgapError(f"--failed: found {quoted(word)}; allowed: {', '.join(FAILED)}")
    return resuming.resume_runs(args, words)
