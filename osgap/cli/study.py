# SPDX-License-Identifier: BSD-3-Clause
"""`osgap study`: build, sweep, analyse and draw in one command."""

from __future__ import annotations

import argparse
import os

from osgap.base.paths import project_root
from osgap.base.progress import say
from osgap.cli.parsing import Parser

HELP = "build the image, run the default sweep, analyse it and draw the figures"
EPILOG = """\
Finished steps are not repeated. scripts/study does the same from a fresh clone: it installs
the packages and makes .venv first. Exit status: 0 done, 2 bad input or a failed step.
"""

_CLOCKS_MHZ = "20,40,80,160,320,640"
"""The clocks of the default sweep; --quick simulates two of them, and predicts the others."""


def add_arguments(parser: Parser) -> None:
    """Adds --quick."""
    parser.switch(
        "--quick",
        "simulate only two points, from which the others are predicted, and only the "
        "benchmarks of the figure",
    )


def command(args: argparse.Namespace) -> int:
    """Builds, sweeps, analyses, draws. Raises OsgapError."""
    from osgap.cli.main import perform
    from osgap.image.scons import scons

    name = "quick" if args.quick else "default"
    axes = ["--cpu-mhz", _CLOCKS_MHZ, "--predict"] if args.quick else []
    run = os.path.relpath(project_root() / "results" / "runs" / name)
    scons("image")
    steps = {
        "": ["sweep", "--sweep", name, *axes],
        "Analysing the run": ["analyze", run, "--no-pager"],
        "Drawing the figures": ["plot", run],
        "Making the page": ["report", run],
    }
    for stage, words in steps.items():
        if stage:
            say(stage)
        if status := perform(words):
            return status
    return 0
