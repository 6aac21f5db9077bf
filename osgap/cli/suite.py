# SPDX-License-Identifier: BSD-3-Clause
"""`osgap suite`: the tables of one suite."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from osgap.base.errors import OsgapError
from osgap.base.suggestions import unknown
from osgap.cli import options
from osgap.cli.parsing import Parser

HELP = "print the tables of one suite's publication beside the runs'"
EPILOG = """\
`osgap suite ousterhout` is `osgap paper`, `osgap suite kennaway` is `osgap kennaway`,
`osgap suite boards` is `osgap board`, with the same options. The others take RUN..., and print each
of their tables that the runs have rows for.
examples: osgap suite ousterhout --skill
          osgap suite hohmuth results/locked/publications/hohmuth-patch/gem5
          osgap suite raveling results/locked/publications/raveling/gem5 --mhz 320 --series fixed
          osgap suite raveling --help
"""


def add_arguments(parser: Parser) -> None:
    """Adds the suite's name and the words for its own options."""
    parser.value(
        "name NAME",
        str,
        "ousterhout, hohmuth, raveling, kennaway, boards, or another folder of osgap/suites",
        nargs="?",
    )
    parser.value("suite_words ...", str, "its runs and options", nargs=argparse.REMAINDER)


def command(args: argparse.Namespace) -> int:
    """Prints the suite's tables, by its own subcommand if it has one. Raises OsgapError."""
    from osgap.cli.main import perform
    from osgap.suites import suites

    by_name = {suite.name: suite for suite in suites()}
    if args.name is None:
        raise OsgapError(f"suite: found none; allowed: {', '.join(by_name)}")
    if args.name not in by_name:
        raise OsgapError(unknown("suite", args.name, by_name))
    suite = by_name[args.name]
    words = [*args.suite_words, *(["--no-pager"] if args.no_pager else [])]
    if suite.command:
        return perform([suite.command, *words])
    return _print_tables(suite.name, words)


def _parser(name: str) -> Parser:
    parser = Parser(prog=f"osgap suite {name}", allow_abbrev=False)
    options.add_run(parser, several=True)
    options.add_format(parser, "csv", "json")
    parser.repeatable("--table NAME", str, "a table to print (repeatable)")
    options.add_output(parser, "tables/ goes", "nowhere")
    options.add_selection(parser)
    options.add_pager(parser)
    return parser


def _print_tables(name: str, words: Sequence[str]) -> int:
    from osgap.printing.suite import print_suite

    args = _parser(name).parse_args(words)
    if not args.run:
        raise OsgapError(f"{name}: give a RUN")
    with options.paged_console(args) as console:
        print_suite(
            console,
            name,
            args.run,
            args.table or (),
            format=args.format,
            output=args.output,
            clocks=args.mhz,
            series=args.series,
        )
    return 0
