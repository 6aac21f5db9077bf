# SPDX-License-Identifier: BSD-3-Clause
"""`osgap resume`: run the unfinished points of a run."""

from __future__ import annotations

import argparse

from osgap.cli import options, resuming
from osgap.cli.parsing import Parser

HELP = "go on with a run after a break"
EPILOG = resuming.EPILOG
APART, NEEDS = options.HOST_APART, options.HOST_NEEDS


def add_arguments(parser: Parser) -> None:
    """Adds the run, and the options of the host."""
    options.add_run(parser)
    options.add_host(parser)


def command(args: argparse.Namespace) -> int:
    """Runs every point that is not finished."""
    from osgap.points.record import State

    return resuming.resume_runs(args, set(State) - {State.DONE})
