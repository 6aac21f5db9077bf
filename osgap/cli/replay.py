# SPDX-License-Identifier: BSD-3-Clause
"""`osgap replay`: run finished points again, and compare every number."""

from __future__ import annotations

import argparse

from osgap.base.paths import cache_directory
from osgap.cli import number_types, options
from osgap.cli.parsing import Parser

HELP = "run a run's finished points again and compare every number"
EPILOG = "Exit status: 0 every number is the same, 1 some differ, 2 it cannot be run here."


def add_arguments(parser: Parser) -> None:
    """Adds the run, the choice of its points, and the options of the host."""
    options.add_run(parser)
    parser.value("--point KEY", str, "only points whose key begins with KEY (default: all)")
    options.add_output(parser, "the new run stays", "it is thrown away")
    parser.value("--jobs N", number_types.positive, "points at once (default: as many as fit)")
    options.add_gem5(parser)
    options.add_image(parser)


def command(args: argparse.Namespace) -> int:
    """Replays the points, and prints a row for each."""
    from osgap.base import durable
    from osgap.base.terminal import columns, make_console
    from osgap.sweep.host import Host, SweepContext
    from osgap.sweep.replay import replay

    options.use_gem5(args.gem5)
    console = make_console()
    host = Host(
        args.jobs,
        options.image_directory(args),
        cache_directory(),
        command=options.command_line(args.words),
    )
    with durable.scratch("osgap-replay") as scratch:
        output = (args.output or scratch / "run").resolve()
        rows = replay(args.run.resolve(), args.point, SweepContext(output, host, console))
    table = columns("point", "numbers", "that differ", "by at most", "where")
    for row in rows:
        worst = f"{row.worst:.3%}" if row.differing else "0"
        table.add_row(row.key, str(row.values), str(row.differing), worst, row.name)
    console.print(table)
    return 1 if any(row.differing for row in rows) else 0
