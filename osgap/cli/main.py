# SPDX-License-Identifier: BSD-3-Clause
"""The command `osgap`: its subcommands, its parser, and its entry point."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from osgap.cli import guard

if TYPE_CHECKING:
    import argparse

GROUPS: Mapping[str, Mapping[str, str]] = {
    "look at results": {
        "analyze": "print a run's result: a sentence and tables",
        "show": "print rows of any table of a run",
        "plot": "draw a run's figures",
        "report": "make an HTML page of a run, or of two",
        "site": "make a site of all runs in a folder",
        "compare": "compare two runs, such as rvsim's and gem5's",
        "predict": "predict machines that were not simulated",
    },
    "run simulations": {
        "study": "build, simulate, analyse and draw in one command",
        "sweep": "simulate benchmarks on machines of other speeds",
        "status": "show how far a run is, and what failed",
        "resume": "go on with a run after a break",
        "retry": "run a run's failed points again",
        "kernel-ab": "tell whether a kernel patch makes rows slower or faster",
        "replay": "run finished points again, and compare every number",
        "engine": "show this host's simulators, and build a quicker rvsim",
        "reproduce": "make the committed runs again, and compare them",
    },
    "measure this machine": {
        "native": "run the benchmarks here, without a simulator",
        "import": "make a run of what lmbench, UnixBench or sbc-bench printed",
    },
    "compare with publications": {
        "suite": "print a publication's tables beside the runs'",
        "paper": "print Ousterhout's tables of 1990 beside the runs'",
        "kennaway": "print extractions with and without a giant lock",
        "board": "print what is predicted of RISC-V boards beside what was measured",
    },
    "add and accept": {
        "list": "list machines, benchmarks, sweeps, tables and more",
        "variants": "build other kernels, compilers and C libraries",
        "lock": "accept a finished run into results/locked",
        "calibrate": "fit the paper's machines to its MIPS and copying rates",
    },
    "tools": {
        "ministat": "tell whether two columns of numbers differ",
        "completion": "print a shell's completion script",
    },
}
"""The subcommands as `osgap --help` shows them, grouped by what one wants to do."""
SUBCOMMANDS = tuple(name for names in GROUPS.values() for name in names)
EXAMPLES = """\
examples:
  osgap analyze results/locked/curve/default     a run's result
  osgap report results/locked/curve/default      its page, to open in a browser
  osgap native                                   this machine, without a simulator
  osgap study --quick                            from the image to a figure
  osgap sweep --cpu-mhz 20,80,320 --memory fixed,scaled
  osgap list machines

Exit status: 0 done, 1 some numbers differ (replay), 2 bad input or a failed
step. `osgap SUBCOMMAND --help` has a subcommand's options.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `osgap` with `arguments` (None: those of the process); the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    first = next((word for word in words if not word.startswith("-")), "")
    name = f"osgap {first}" if first in SUBCOMMANDS else "osgap"
    interrupted = "interrupted"
    if name in ("osgap sweep", "osgap reproduce", "osgap kernel-ab"):
        interrupted = "interrupted; repeat the command to go on"
    return guard.guarded(name, lambda: _run(words), interrupted, words)


def parser() -> argparse.ArgumentParser:
    """The parser of all subcommands and their options."""
    from osgap.base.version import VERSION
    from osgap.cli.parsing import GroupedHelp, Parser, WrappedHelp

    headings = {next(iter(names)): heading for heading, names in GROUPS.items()}
    briefs = {name: text for names in GROUPS.values() for name, text in names.items()}
    root = Parser(
        prog="osgap",
        description="Measure how an operating system's speed follows its hardware's, on simulated "
        "machines.",
        epilog=EXAMPLES,
        formatter_class=partial(GroupedHelp, headings=headings),
        allow_abbrev=False,
    )
    root.add_argument("--version", action="version", version=f"osgap {VERSION}")
    root.add_argument(
        "--no-pager", action="store_true", help="print more than a screen without a pager"
    )
    choices = root.add_subparsers(dest="subcommand", metavar="SUBCOMMAND", title="subcommands")
    for name in SUBCOMMANDS:
        module = _module(name)
        subparser = choices.add_parser(
            name,
            help=briefs[name],
            description=f"{module.HELP[0].upper()}{module.HELP[1:]}.",
            epilog=getattr(module, "EPILOG", None),
            formatter_class=WrappedHelp,
            allow_abbrev=False,
        )
        module.add_arguments(subparser)
        subparser.apart = getattr(module, "APART", {})
        subparser.needs = getattr(module, "NEEDS", {})
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

    return importlib.import_module(f"osgap.cli.{name.replace('-', '_')}")


def entry() -> None:
    """Entry point of the installed command."""
    guard.set_up_process()
    try:
        status = main()
    finally:
        guard.ignore_signals()
    guard.exit_process(status)
