# SPDX-License-Identifier: BSD-3-Clause
"""`osgap engine`: shows the engines of this host, and builds a quicker rvsim."""

from __future__ import annotations

import argparse

from osgap.base.errors import OsgapError
from osgap.base.output import print_line
from osgap.base.paths import cache_directory
from osgap.base.progress import say
from osgap.cli import options
from osgap.cli.option_errors import check_names
from osgap.cli.parsing import Parser

HELP = "show the simulators of this host, with version, build and allocator; build a quicker one"
EPILOG = """\
--optimise compiles the source of the installed rvsim for this processor, with the profile of a
training run. It needs Rust (cargo, and llvm-tools), the guest's image, and minutes. The build is
kept in the cache ($OSGAP_CACHE, else ~/.cache/osgap) and used only if it gives the same bytes as
the wheel. Keys of points do not change; each point's record says which build ran.
examples: osgap engine
          osgap engine rvsim --optimise
"""
APART = {"--optimise": ("--wheel",)}
NEEDS = {"--optimise": "ENGINE", "--wheel": "ENGINE", "--image": "--optimise"}


def add_arguments(parser: Parser) -> None:
    """Adds the engine's name, and what to do with it."""
    parser.value("name ENGINE", str, "one engine (default: all)", nargs="?")
    parser.switch("--optimise", "build a quicker one, with the same numbers")
    parser.switch("--wheel", "remove that build, and use PyPI's wheel again")
    options.add_image(parser)


def command(args: argparse.Namespace) -> int:
    """Prints a row for each engine, or changes one's build. Raises OsgapError."""
    from osgap import engines
    from osgap.base.terminal import columns, make_console

    check_names("ENGINE", "engine", args.name and [args.name], engines.names())
    if args.optimise or args.wheel:
        engine = engines.load(args.name)
        if args.wheel:
            print_line(engine.use_wheel(cache_directory()))
            return 0
        print_line(engine.optimise(options.image_directory(args), cache_directory(), say))
        return 0
    table, advices = columns("engine", "version", "build", "allocator"), []
    for name in [args.name] if args.name else engines.names():
        cells, advice = _row(name)
        table.add_row(name, *cells)
        advices += [f"{name}: {advice}"] if advice else []
    console = make_console()
    console.print(table)
    for advice in advices:
        console.print(advice)
    return 0


def _row(name: str) -> tuple[list[str], str]:
    """The version, build and allocator of an engine, and an advice; why it cannot run here."""
    from pathlib import Path

    from osgap import engines
    from osgap.engines import host_allocator

    engine = engines.load(name)
    try:
        version = engine.version()
    except OsgapError as error:
        return [f"not here: {error}", "", ""], ""
    path = engine.environment().get(host_allocator.VARIABLE)
    allocator = host_allocator.describe(Path(path)) if path else ""
    return [version, engine.build(), allocator], engine.advice()
