# SPDX-License-Identifier: BSD-3-Clause
"""`osgap lock`: accept a run into the repository."""

from __future__ import annotations

import argparse

from osgap.base.output import print_line
from osgap.base.paths import project_root
from osgap.cli import options
from osgap.cli.parsing import Parser

HELP = "accept a finished run: copy it, packed, to results/locked, where it is committed"


def add_arguments(parser: Parser) -> None:
    """Adds the run, and its name under results/locked."""
    options.add_run(parser)
    parser.value(
        "--name GROUP/NAME", options.grouped_name, "its name under results/locked (default: RUN's)"
    )


def command(args: argparse.Namespace) -> int:
    """Packs the run. Raises OsgapError if it is unfinished or damaged."""
    from osgap.rundir.archive import lock

    target = project_root() / "results" / "locked" / (args.name or args.run.resolve().name)
    size = lock(args.run, target)
    print_line(f"{target}: {size / 1e6:.1f} MB")
    return 0
