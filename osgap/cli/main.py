# SPDX-License-Identifier: BSD-3-Clause
"""The command `osgap`: its subcommands, its parser, and its entry point."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from osgap.cli import guard

if TYPE_CHECKING:
    import argparse

GROUPS = {
    "measure": ("native", "study", "sweep"),
    "follow": ("status", "resume", "retry", "replay"),
    "read": ("analyze", "show", "compare", "plot", "report", "site", "predict"),
    "the papers' suites": ("suite", "paper", "kennaway"),
    "add and keep": ("list", "variants", "lock", "calibrate"),
    "other": ("ministat", "completion"),
}
"""The subcommands in the order of the workflow, grouped as `osgap --help` shows them."""
SUBCOMMANDS = tuple(name for names in GROUPS.values() for name in names)
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
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = f"osgap {words[0]}" if words and words[0] in SUBCOMMANDS else "osgap"
    interrupted = "interrupted"
    if name == "osgap sweep":
        interrupted = "interrupted; repeat the command to go on"
    return guard.guarded(name, lambda: _run(words), interrupted, words)


def parser() -> argparse.ArgumentParser:
    """The parser of all subcommands and their options."""
    import argparse

    from osgap.base.version import VERSION
    from osgap.cli.parsing import GroupedHelp, Parser

    headings = {names[0]: heading for heading, names in GROUPS.items()}
    root = Parser(
        prog="osgap",
        description="Measure how an operating system's speed follows its hardware's, on simulated "
        "machines.",
        epilog=EXAMPLES,
        formatter_class=partial(GroupedHelp, headings=headings),
        allow_abbrev=False,
    )
    root.add_argument("--version", action="version", version=f"osgap {VERSION}")
    choices = root.add_subparsers(dest="subcommand", metavar="SUBCOMMAND", title="subcommands")
    for name in SUBCOMMANDS:
        module = _module(name)
        subparser = choices.add_parser(
            name,
            help=module.HELP,
            description=f"{module.HELP[0].upper()}{module.HELP[1:]}.",
            epilog=getattr(module, "EPILOG", None),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.add_arguments(subparser)
        subparser.set_defaults(command=module.command)
    return root


def perform(words: list[str]) -> int:
    """Runs `osgap` with these words inside another subcommand; the exit status."""
    args = parser().parse_args(words)
    args.words = words
    return int(args.command(args))


def _run(words: list[str]) -> int:
    from osgap.base.paths import settle_environment

    settle_environment()
    root = parser()
    args = root.parse_args(words)
    args.words = words
    if args.subcommand is None:
        root.print_help()
        return 0
    status: int = args.command(args)
    return status


def _module(name: str):  # type: ignore[no-untyped-def]
    import importlib

    return importlib.import_module(f"osgap.cli.{name}")


def entry() -> None:
    """Entry point of the installed command."""
    guard.set_up_process()
    try:
        status = main()
    finally:
        guard.ignore_signals()
    guard.exit_process(status)
