# SPDX-License-Identifier: BSD-3-Clause
"""`osgap plot`: draws a run's figures."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from osgap.cli import options

if TYPE_CHECKING:
    from osgap.drawing.figure import FigureModule

HELP = "draw a run's figures from RUN/tables (see analyze) into RUN/figures"
EPILOG = "example: osgap plot results/runs/base --figure scaling\n`osgap list figures` names them."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the run, the figures and their formats."""
    add = parser.add_argument
    add(
        "run", type=options.path, metavar="RUN", help="a run's directory, or any with tables/ in it"
    )
    add("--figure", action="append", default=[], metavar="NAME", help="repeatable; default: all")
    add("--format", action="append", choices=("svg", "png"), help="repeatable; default: both")
    options.add_output(parser, "figures/ goes", "RUN")


def _of_this_run(run: Path, figures: Mapping[str, FigureModule]) -> list[str]:
    """The figures for runs on this run's engine. Raises OsgapError for tables without an engine."""
    from osgap.analysis.tables import read_tables

    engines = read_tables(run / "tables", ["points"])["points"]["engine"].dropna()
    engine = str(next(iter(engines), ""))
    return [name for name, figure in figures.items() if figure.shows(engine)]


def command(args: argparse.Namespace) -> int:
    """Draws each figure; 2 if one failed, after a sentence for each. Raises FigureError."""
    from osgap.base.errors import OsgapError
    from osgap.base.output import print_error, print_line
    from osgap.base.progress import each
    from osgap.base.suggestions import no_directory, unknown
    from osgap.drawing.figure import FORMATS, FigureError, NothingToDraw, render
    from osgap.figures import run_figures
    from osgap.rundir.output import claim, claim_part

    figures = run_figures()
    for name in args.figure:
        if name not in figures:
            raise FigureError(unknown("figure", name, figures))
    if not args.run.exists():
        raise FigureError(no_directory(args.run))
    if not args.output and not (args.run / "tables").is_dir():
        raise FigureError(f"{args.run}: has no tables; make them with: osgap analyze {args.run}")
    output = claim_part((claim(args.output) if args.output else args.run) / "figures")
    failed = False
    for name in each(args.figure or _of_this_run(args.run, figures), "Drawing"):
        try:
            for file in render(
                figures[name], args.run / "tables", output, args.format or [*FORMATS]
            ):
                print_line(str(file))
        except NothingToDraw as error:
            if name in args.figure:
                print_error(f"osgap plot: {error}")
                failed = True
        except OsgapError as error:
            print_error(f"osgap plot: {error}")
            failed = True
    return 2 if failed else 0
