# SPDX-License-Identifier: BSD-3-Clause
"""`osgap plot`: draws a run's figures."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from osgap.base.errors import OsgapError
from osgap.base.output import print_error, print_line
from osgap.base.progress import each
from osgap.base.suggestions import no_directory, unknown
from osgap.cli import options
from osgap.cli.parsing import Parser

if TYPE_CHECKING:
    from osgap.drawing.figure import FigureModule

HELP = "draw a run's figures from RUN/tables (see analyze), or gem5's statistics over time"
EPILOG = """\
`osgap list figures` names a run's figures.
examples: osgap plot results/runs/base --figure scaling
          osgap plot --stats m5out --select '\\.ipc$|overallMissRate::total'
"""

APART = {"--stats": ("RUN", "--figure")}
NEEDS = {"--select": "--stats", "--differences": "--stats"}


def add_arguments(parser: Parser) -> None:
    """Adds the run, the figures and their formats."""
    parser.value("run RUN", options.path, "a run's directory, or any with tables/ in it", nargs="?")
    parser.repeatable("--figure NAME", str, "repeatable; default: all")
    parser.add_argument(
        "--format", action="append", choices=("svg", "png"), help="repeatable; default: both"
    )
    options.add_output(parser, "figures/ goes", "RUN; with --stats results/runs/plot-DIR")
    parser.value(
        "--stats DIR",
        options.as_typed,
        "instead of RUN: directories or files of gem5's statistics with several dumps",
        nargs="+",
    )
    parser.value(
        "--select REGEX",
        str,
        "with --stats: the statistics to draw (default: simSeconds, simInsts)",
    )
    parser.switch(
        "--differences", "with --stats: counters of each dump as changes since the one before"
    )


def _of_this_run(run: Path, figures: Mapping[str, FigureModule]) -> list[str]:
    """The figures for runs on this run's engine. Raises OsgapError for tables without an engine."""
    from osgap.analysis.tables import read_tables

    engines = read_tables(run / "tables", ["points"])["points"]["engine"].dropna()
    engine = str(next(iter(engines), ""))
    return [name for name, figure in figures.items() if figure.shows(engine)]


def command(args: argparse.Namespace) -> int:
    """Draws each figure; 2 if one failed, after a sentence for each. Raises FigureError."""
    if not args.run and args.stats is None:
        raise OsgapError("give either RUN or --stats DIR")
    return _draw_statistics(args) if args.stats else _draw_run(args)


def _draw_statistics(args: argparse.Namespace) -> int:
    """Draws statistics from dump to dump; 2 when something of a file is left out."""
    from osgap.drawing.figure import FORMATS, discover, drawn, save
    from osgap.figures import OF_STATISTICS
    from osgap.gem5stats.dumps import DumpView
    from osgap.gem5stats.frame import over_dumps
    from osgap.gem5stats.tree import SHOWN, check, read
    from osgap.rundir.output import claim, claim_part

    select = SHOWN if args.select is None else args.select
    view = DumpView(differences=args.differences)
    trees = {path: read(path, select, view=view) for path in args.stats}
    check(", ".join(map(str, trees)), select, *trees.values())
    figure = drawn(discover(OF_STATISTICS)["dumps"], {"dumps": over_dumps(trees)})
    name = args.stats[0].resolve().name or "statistics"
    output = claim(options.output_directory(args, f"plot-{name}"))
    for file in save(figure, claim_part(output / "figures") / "dumps", args.format or FORMATS):
        print_line(str(file))
    for sentence in [
        sentence for tree in trees.values() for sentence in (*tree.notes, *tree.faults)
    ]:
        print_error(f"osgap plot: {sentence}")
    return 2 if any(tree.faults for tree in trees.values()) else 0


def _draw_run(args: argparse.Namespace) -> int:
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
