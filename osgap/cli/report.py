# SPDX-License-Identifier: BSD-3-Clause
"""`osgap report`: writes one HTML page of a run."""

from __future__ import annotations

import argparse
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.base.output import print_error, print_line, print_sentence
from osgap.base.progress import say
from osgap.cli import options
from osgap.cli.parsing import Parser

HELP = "make one HTML page of a run, or of two, to open in a browser"
EPILOG = """\
The page is self-contained and needs no network. RUN may be a folder of several runs, such as the
paper's machines, and may be unfinished. RUN2 is a run to compare, or one of osgap native.
examples: osgap report results/locked/curve/default
          osgap report results/locked/curve/default results/locked/curve/gem5
          osgap report results/locked/curve/default --explore
          osgap report --stats before/m5out after/m5out
"""

APART = {"--stats": ("RUN", "--layouts", "--explore"), "--explore": ("--layouts",)}
NEEDS = {"--select": "--stats"}


def add_arguments(parser: Parser) -> None:
    """Adds the options for the runs and the output file."""
    parser.value("run RUN", options.path, "directory of a run or of several runs", nargs="?")
    parser.value("run2 RUN2", options.path, "a second run to compare with", nargs="?")
    parser.switch(
        "--explore",
        "instead of the run's page: the explorer, whose sliders move all benchmarks at once "
        "(default: RUN/explore.html)",
    )
    options.add_layouts(parser, ", from which RUN gets its intervals")
    parser.value(
        "--stats DIR",
        options.as_typed,
        "instead of RUN: one or two directories that contain gem5's statistics, stats.txt or JSON",
        nargs="+",
    )
    parser.value("--select REGEX", str, "with --stats: names of the statistics to show")
    parser.value(
        "--output FILE",
        options.path,
        "the page (default: RUN/report.html; for an accepted run or several runs "
        "results/runs/report-RUN/report.html)",
    )


def command(args: argparse.Namespace) -> int:
    """Writes the page; prints its headline and its path. Returns 2 if statistics were cut."""
    from osgap.report import target
    from osgap.report.document import check_installed, html, library

    if not args.run and args.stats is None:
        raise OsgapError("give either RUN or --stats DIR")
    check_installed()
    if args.explore:
        return _explore(args)
    faults: tuple[str, ...] = ()
    if args.stats:
        from osgap.report.gem5stats import build_statistics

        if len(args.stats) > 2:
            raise OsgapError(f"--stats: found {len(args.stats)} directories; allowed: one or two")
        first, *rest = args.stats
        built, faults = build_statistics(first, rest[0] if rest else None, args.select or "")
    else:
        from osgap.report.build import build
        from osgap.report.subject import load

        first = args.run
        built = build(load(args.run, args.run2, args.layouts))
    say("Writing the page")
    file: Path = args.output or target.default_target(first)
    target.write(file, html(built.page, library()))
    print_sentence(built.headline)
    print_line(str(file))
    for fault in faults:
        print_error(f"osgap report: {fault}")
    return 2 if faults else 0


def _explore(args: argparse.Namespace) -> int:
    """Writes the explorer; prints its path. Raises OsgapError."""
    from osgap.report import target
    from osgap.report.explore_page import EXPLORER, build_explorer, explorer_html
    from osgap.report.subject import load

    explorer = build_explorer(load(args.run, args.run2))
    file: Path = args.output or target.default_target(args.run).with_name(EXPLORER)
    target.write(file, explorer_html(explorer))
    print_line(str(file))
    return 0
