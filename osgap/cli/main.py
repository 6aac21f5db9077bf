# SPDX-License-Identifier: BSD-3-Clause
"""The command `osgap`: one tree of subcommands, a module each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from osgap.cli import guard

if TYPE_CHECKING:
    import argparse

SUBCOMMANDS = (
    "native",
    "study",
    "sweep",
    "status",
    "resume",
    "retry",
    "replay",
    "analyze",
    "compare",
    "plot",
    "report",
    "site",
    "predict",
    "paper",
    "kennaway",
    "calibrate",
    "ministat",
    "lock",
    "list",
    "variants",
    "completion",
)
EXAMPLES = """\
examples:
  osgap native                                         this machine, without a simulator
  osgap study --quick                                  from the image to tables and a figure
  osgap sweep --cpu-mhz 20,80,320 --memory fixed,scaled
  osgap analyze results/runs/cli --table relative
  osgap report results/locked/default                  a page to open
  osgap list machines

Exit status: 0 done, 1 some numbers differ (replay), 2 bad input or a failed step.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `osgap` with `arguments` (None: those of the process); the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    name = f"osgap {given[0]}" if given and given[0] in SUBCOMMANDS else "osgap"
    interrupted = "interrupted"
    if name == "osgap sweep":
        interrupted = "interrupted; repeat the command to go on"
    return guard.guarded(name, lambda: _run(given), interrupted)


def parser() -> argparse.ArgumentParser:
    """The whole tree of options."""
    import argparse

    from osgap.base.version import VERSION
    from osgap.cli.options import Parser

    tree = Parser(
        prog="osgap",
        description="Measure how an operating system's speed follows its hardware's, on simulated "
        "machines.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    tree.add_argument("--version", action="version", version=f"osgap {VERSION}")
    choices = tree.add_subparsers(dest="subcommand", metavar="SUBCOMMAND", title="subcommands")
    for name in SUBCOMMANDS:
        module = _module(name)
        one = choices.add_parser(
            name,
            help=module.HELP,
            description=f"{module.HELP[0].upper()}{module.HELP[1:]}.",
            epilog=getattr(module, "EPILOG", None),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.add_arguments(one)
        one.set_defaults(command=module.command)
    return tree


def perform(words: list[str]) -> int:
    """Does what `osgap` with these words does, within another subcommand; its exit status."""
    args = parser().parse_args(words)
    args.words = words
    return int(args.command(args))


def _run(given: list[str]) -> int:
    from osgap.base.paths import settle_environment

    settle_environment()
    tree = parser()
    args = tree.parse_args(given)
    args.words = given
    if args.subcommand is None:
        tree.print_help()
        return 0
    status: int = args.command(args)
    return status


def _module(name: str):  # type: ignore[no-untyped-def]
    import importlib

    return importlib.import_module(f"osgap.cli.{name}")


def entry() -> None:
    """What the installed command runs."""
    guard.own_process()
    try:
        status = main()
    finally:
        guard.deafen()
    guard.leave(status)
