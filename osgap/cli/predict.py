# SPDX-License-Identifier: BSD-3-Clause
"""`osgap predict`: predicts machines that were not simulated from counters of a few that were."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from osgap.base.errors import OsgapError
from osgap.base.output import print_document, print_lines
from osgap.base.paths import project_root
from osgap.base.quoting import counted, quoted
from osgap.base.suggestions import hint
from osgap.cli import number_types, options
from osgap.cli.option_errors import check_names, machine_names, named_options
from osgap.cli.parsing import Parser

if TYPE_CHECKING:
    import pandas as pd

    from osgap.analysis.table import Column

HELP = (
    "say what machines of other clocks, memories, disks and networks would take, without simulating"
)
EPILOG = """\
The machine, the image and the benchmarks are RUN's. R is relative to RUN's slowest clock. Behind a
number is its 95 % interval, from the errors at points of RUN that are not used; if all are used,
each is left out in turn. If RUN has too few such points, or its memories differ too little, the
errors of results/locked/prediction/latency-bandwidth count too. Nothing is written.
The table elasticity tells how each time follows the clock, latency, bandwidth and the disk's speed,
and the network's bandwidth and delay where files are on a server: -1 for a time that falls as the
speed grows, 0 for a time that does not change. It has no intervals.
examples: osgap predict results/locked/curve/default --use 20mhz,320mhz-cd --cpu-mhz 30,100,500
          osgap predict results/locked/curve/default --latency-ns 50,x1,400 --format csv
          osgap predict results/locked/curve/default --cpu-mhz 640 \\
              --layouts results/locked/layouts/five-layouts
"""
_TABLES = ("predicted", "means", "errors", "elasticity")
_GRID = ("--sweep", "--cpu-mhz", "--memory", "--latency-ns", "--bandwidth-mb-s", "--disk")
_NETWORK = ("--network", "--network-mbit-s", "--network-delay-us")
APART = {
    "--machine": (*_GRID, *_NETWORK),
    "--plan": ("--against", "--use", "--layouts", "--table"),
    "--table": ("--against",),
    "--table elasticity": ("--layouts",),
}
NEEDS = {"--against": "--machine", "--plan": "--machine"}


def add_arguments(parser: Parser) -> None:
    """Adds the options: the run, the grid, the points to use, and the output's form."""
    options.add_run(parser)
    parser.value(
        "--sweep NAME",
        options.name_or_path,
        "a sweep of configs/sweeps, or a sweep file, whose axes are the grid (default: RUN's own)",
    )
    options.add_hardware(parser)
    parser.value(
        "--machine NAME,...",
        number_types.commas(options.machine),
        "instead of a grid: other machine files, with RUN's caches",
        default=[],
    )
    parser.value(
        "--against DIR",
        options.as_typed,
        "with --machine: runs of the same machines, to show the errors",
    )
    parser.switch(
        "--plan",
        "with --machine: machines with any caches; lists the points to simulate before "
        "they can be predicted",
    )
    parser.value(
        "--use KEY,...",
        number_types.commas(str),
        "the points to predict from, by the beginnings of their keys (default: all of RUN)",
        default=[],
    )
    options.add_layouts(parser, ": intervals hold for another layout")
    options.add_pager(parser)
    parser.value("--table NAME", str, f"instead of the headline: {', '.join(_TABLES)}")
    options.add_format(
        parser,
        "csv",
        "json",
        text="default: text; csv and json are of the table predicted, unless --table says another",
    )


def command(args: argparse.Namespace) -> int:
    """Prints the grid. Raises OsgapError."""
    from osgap.predict.borrowed_errors import committed_prior
    from osgap.predict.grid import check, check_network
    from osgap.predict.prediction import only_run, predict_run, run_elasticities
    from osgap.predict.validation import against, summary
    from osgap.printing.predictions import print_prediction

    if args.table not in (None, *_TABLES):
        near = f"{hint(args.table, _TABLES)}allowed: {', '.join(_TABLES)}"
        raise OsgapError(f"--table: found {quoted(args.table)}; {near}")
    root = project_root()
    axes = _axes(args)
    machines = root / "configs" / "machines"
    if args.plan:
        return _plan(args, machines)
    check_names("--machine", "machine", args.machine, machine_names(machines))
    with named_options(axes):
        check(axes)
    run = only_run(args.run)
    with named_options(axes):
        check_network(options.hardware(args), run.run)
    name = args.table or _TABLES[0]
    if name == _TABLES[-1]:
        rows = run_elasticities(run, axes, args.use, machines, args.machine)
        return _print_table(args, name, rows if args.format != "text" else rows.round(3), name)
    prediction = predict_run(
        run, axes, args.use, machines, args.layouts, args.machine, committed_prior()
    )
    rows = {
        "predicted": prediction.predicted,
        "means": prediction.means,
        "errors": prediction.errors,
    }[name]
    if args.against:
        name, rows = "against", against(prediction, args.against, run)
    if args.format != "text" or args.table:
        return _print_table(args, name, rows, name)
    if args.against:
        print_lines("\n".join(["errors, median / 90 % / worst:", *summary(rows), ""]))
    else:
        with options.paged_console(args) as console:
            print_prediction(console, prediction)
    return 0


def _print_table(args: argparse.Namespace, name: str, rows: pd.DataFrame, title: str) -> int:
    """Prints a table as text, CSV or JSON."""
    from osgap.drawing.frame_table import frame_table
    from osgap.printing.export import document

    if args.format == "text":
        with options.paged_console(args) as console:
            console.print(frame_table(rows, title, _columns(name)))
    else:
        print_document(document({name: rows}, args.format))
    return 0


def _columns(name: str) -> Sequence[Column]:
    from osgap.analysis.tables import tables_below

    tables = tables_below("osgap.predict")
    table = tables.get(f"predicted_{name}") or tables.get(name)
    return table.all_columns if table else ()


def _plan(args: argparse.Namespace, machines: Path) -> int:
    """Prints the points to simulate."""
    from osgap.predict.points_to_simulate import commands, plan_table
    from osgap.predict.prediction import only_run

    run = only_run(args.run).run
    rows = plan_table(run, args.machine, machines)
    _print_table(args, "plan", rows, "what to simulate, by geometry")
    if args.format != "text":
        return 0
    lines = commands(rows, run)
    print_lines(
        "\n".join([*lines, f"{counted(int(rows['points'].sum()), 'point')} to simulate", ""])
    )
    return 0


def _axes(args: argparse.Namespace) -> dict[str, object]:
    """The grid's axes as in a sweep file: those of --sweep, replaced by those of options."""
    from osgap.predict.grid import axes_of
    from osgap.sweep.spec import find_sweep, load_sweep

    axes: dict[str, object] = {}
    if args.sweep:
        path = find_sweep(args.sweep, project_root() / "configs" / "sweeps")
        axes = axes_of(load_sweep(path).model_dump())
    return axes | options.hardware(args)
