# SPDX-License-Identifier: BSD-3-Clause
"""`osgap status`: show the progress of a run."""

from __future__ import annotations

import argparse
import json

from osgap.base.output import print_document
from osgap.cli import options
from osgap.cli.parsing import Parser

HELP = "show how far a run is: points' states, time left, what failed and why"

APART = {"--json": ("--watch",)}


def add_arguments(parser: Parser) -> None:
    """Adds the run, and the form of the output."""
    options.add_run(parser)
    parser.switch("--json", "for programs: one object, or a list of them")
    parser.switch("--watch", "show it again every second while a sweep is on it")


def command(args: argparse.Namespace) -> int:
    """Shows each run's points. Raises OsgapError."""
    from osgap.base.terminal import make_console
    from osgap.rundir.directory import run_directories
    from osgap.sweep import status
    from osgap.sweep.locking import is_running
    from osgap.sweep.progress import keys_of, survey

    console = make_console()
    runs = [(run, keys_of(run)) for run in run_directories([args.run])]
    if args.watch:
        status.watch(lambda: [survey(run, keys) for run, keys in runs], is_running, console)
        return 0
    surveys = [survey(run, keys) for run, keys in runs]
    if args.json:
        objects = [status.as_json(progress) for progress in surveys]
        print_document(json.dumps(objects[0] if len(objects) == 1 else objects, indent=1) + "\n")
        return 0
    for progress in surveys:
        console.print(status.page(progress))
    return 0
