# SPDX-License-Identifier: BSD-3-Clause
"""`osgap reproduce`: make the committed runs again, and compare them."""

from __future__ import annotations

import argparse

from osgap.base.paths import project_root
from osgap.cli import number_types, options
from osgap.cli.parsing import Parser

HELP = "make the committed runs again, and compare each with the committed one"
EPILOG = """\
NAME is a run of results/locked, or a folder of them: curve/quick, paper. Nothing is written there.
Repeat the command to go on after a break: a finished point is never run again. Each run is equal
(its tables, to the byte), or lies within what two layouts of the same code differ by, or differs.
A run that cannot be made here is named with the reason. DIR/reproduced.csv has the result.
examples: osgap reproduce --dry-run
          osgap reproduce lab/160mhz
Exit status: 0 equal or within layouts, 1 some differ, 2 bad input or some failed.
"""


def add_arguments(parser: Parser) -> None:
    """Adds the names, the plan, and the options of the host."""
    parser.value("names NAME", str, "runs or folders of them (default: all)", nargs="*")
    parser.switch("--dry-run", "only show the runs, their points and their cost")
    parser.switch("--earlier", "make also the runs of earlier images, on today's")
    options.add_output(parser, "the runs go", "results/runs/reproduce")
    parser.value(
        "--jobs N",
        number_types.positive,
        "points at once (default: as many as the machine has cores and memory for)",
    )
    options.add_gem5(parser)


def command(args: argparse.Namespace) -> int:
    """Prints the plan; makes and compares the runs. Raises OsgapError."""
    from osgap.base import durable
    from osgap.base.terminal import make_console
    from osgap.cli.main import perform
    from osgap.reproduce import printed
    from osgap.reproduce.declared import LOCKED, declarations
    from osgap.reproduce.reproduction import Reproduction, build_images, status_of
    from osgap.reproduce.selection import obstacle, select
    from osgap.reproduce.work import Places, check_output, finished_points

    options.use_gem5(args.gem5)
    root, console = project_root(), make_console()
    runs = select(declarations(), args.names)
    output = options.output_directory(args, "reproduce")
    places = Places(root / LOCKED, output)
    obstacles = {run.name: obstacle(run, earlier=args.earlier) for run in runs}
    finished = {run.name: finished_points(run, places) for run in runs}
    console.print(printed.plan_table(runs, finished, obstacles))
    for line in printed.plan_lines(runs, finished, obstacles):
        console.print(line, soft_wrap=True)
    if args.dry_run:
        return 0
    places = Places(root / LOCKED, check_output(output))
    build_images([run for run in runs if not obstacles[run.name]], perform)
    jobs = ["--jobs", str(args.jobs)] if args.jobs else []
    results = Reproduction(places, perform, jobs, obstacles).results(runs)
    durable.write_text(places.output / "reproduced.csv", printed.result_csv(results))
    console.print(printed.result_table(results))
    for line in printed.result_lines(results):
        console.print(line, soft_wrap=True)
    return status_of(results)
