# SPDX-License-Identifier: BSD-3-Clause
"""`osgap paper`: the paper's tables beside the simulated machines'."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from osgap.base.quoting import quoted
from osgap.cli import options

if TYPE_CHECKING:
    import pandas as pd

ENTRY = "entry"
_ENGINES = ("rvsim", "gem5")
HELP = "print the paper's tables beside the simulated machines', and draw what explains the gap"
EPILOG = """\
Each DIR holds one engine's runs, as `osgap sweep --sweep paper` leaves them. With --table, --skill
or --format only what is asked for is printed, and files are written only where --output says.
examples: osgap paper rvsim=results/locked/paper-rvsim gem5=results/locked/paper-gem5
          osgap paper --skill
          osgap paper --year 1989
          osgap paper --period --skill
          osgap paper --table entry
          osgap paper --table cells --format csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The runs, by engine; which tables, and in which form."""
    add = parser.add_argument
    add(
        "runs",
        nargs="*",
        metavar="ENGINE=DIR",
        type=_pair,
        help="default: the committed runs on rvsim and gem5",
    )
    add(
        "--year",
        choices=(1989, 1990),
        type=int,
        default=1990,
        help="which of the two papers; the note of 1989 relates all to the Sun-3 (default: 1990)",
    )
    add(
        "--period",
        action="store_true",
        help="with the committed runs of the machines that spend "
        "what kernels, compilers and copies of 1990 did, as engines rvsim_period and gem5_period",
    )
    add(
        "--entry",
        action="append",
        metavar="ENGINE=DIR,DIR",
        type=_two,
        default=[],
        help="with "
        "table entry: two runs of sweep period-entry, with --entry image and with --entry machine "
        "(repeatable; default: the committed ones)",
    )
    add(
        "--skill",
        action="store_true",
        help="the engines' errors beside those of models that "
        "simulate nothing: the same as --table skill",
    )
    add(
        "--table",
        action="append",
        metavar="NAME",
        help="a table to print (repeatable): cells, "
        "agreement, means, shares, skill, predicted, explained, entry",
    )
    add(
        "--format",
        choices=("text", "csv", "json", "markdown"),
        default="text",
        help="default: text",
    )
    add(
        "--layouts",
        action="append",
        metavar="ENGINE=DIR",
        type=_pair,
        default=[],
        help="runs of some of the machines in other layouts of the image (repeatable): intervals "
        "over them (default: the committed ones, with the committed runs)",
    )
    add(
        "--native",
        action="append",
        metavar="DIR",
        type=options.path,
        default=[],
        help="runs of osgap native (repeatable): this machine beside the MicroVAX II, and on "
        "Figure 1",
    )
    options.add_output(parser, "tables/ and figures/ go", "results/runs/paper, see below")


def command(args: argparse.Namespace) -> int:
    """Prints what is asked for; else prints and writes the tables, draws figures. OsgapError."""
    from osgap.analysis.tables import write_tables
    from osgap.base.output import print_document, print_line
    from osgap.base.paths import project_root
    from osgap.base.progress import say
    from osgap.base.terminal import make_console
    from osgap.drawing.figure import render_all
    from osgap.printing.export import document
    from osgap.rundir.output import claim
    from osgap.suites.ousterhout import FIGURES
    from osgap.suites.ousterhout.report import printed_tables
    from osgap.suites.ousterhout.sincereport import measured
    from osgap.suites.ousterhout.tables import paper_tables

    results = project_root() / "results"
    committed = _committed(results / "locked", args.year, period=args.period)
    layouts = dict(args.layouts)
    if not args.runs and not layouts and args.year == 1990:
        folder = results / "locked" / "paper-layouts"
        layouts = {name: folder / name for name in committed if (folder / name).is_dir()}
    names = _names(args)
    asked = bool(args.table or args.skill or args.format != "text")
    output = args.output or (None if asked else results / "runs" / _name(args.year))
    since = measured(args.native)
    tables = {**since.tables, **_entry(results / "locked", args, names)}
    if output or names != [ENTRY]:
        tables |= paper_tables(dict(args.runs) or committed, layouts, args.year)
    names = _there(names, tables, asked=bool(args.table or args.skill))
    if output:
        write_tables(tables, claim(output) / "tables")
    if args.format != "text":
        print_document(document({name: tables[name] for name in names}, args.format))
    else:
        console = make_console()
        for table in printed_tables(tables, names):
            console.print(table)
        for shown in since.shown():
            console.print(shown, soft_wrap=True)
    # The figures are of the paper of 1990, with machines whose memory and disk were scaled too.
    if output and "explained" in tables:
        say("Drawing the figures")
        for file in render_all(FIGURES, output):
            # Standard output may be a document.
            (print_line if args.format == "text" else say)(str(file))
    return 0


def _name(year: int, which: str = "paper") -> str:
    return which if year == 1990 else f"{which}-{year}"


def _committed(locked: Path, year: int, *, period: bool) -> dict[str, Path]:
    """The committed runs of that paper's machines, by engine."""
    found = {name: locked / f"{_name(year)}-{name}" for name in _ENGINES}
    if period:
        folder = _name(year, "period")
        found |= {f"{name}_period": locked / f"{folder}-{name}" for name in _ENGINES}
    return {name: path for name, path in found.items() if path.is_dir()}


def _entry(locked: Path, args: argparse.Namespace, names: list[str]) -> dict[str, pd.DataFrame]:
    """What kernel entry explains, where it is asked for."""
    from osgap.suites.ousterhout.entry import entry_table

    if ENTRY not in names:
        return {}
    folders = {
        engine: (locked / f"period-no-entry-{engine}", locked / f"period-entry-{engine}")
        for engine in _ENGINES
    }
    pairs = {name: pair for name, pair in folders.items() if all(path.is_dir() for path in pair)}
    return {ENTRY: entry_table(dict(args.entry) or pairs)}


def _names(args: argparse.Namespace) -> list[str]:
    """The tables that are asked for, each once. Raises OsgapError for an unknown one."""
    from osgap.base.errors import OsgapError
    from osgap.suites.ousterhout.report import PRINTED
    from osgap.suites.ousterhout.tables import OF_1989, TABLES

    known = [*TABLES, ENTRY] if args.year == 1990 else list(OF_1989)
    given = [*(args.table or ()), *(["skill"] if args.skill else [])]
    usual = [name for name in PRINTED if name in known]
    more = [ENTRY] if args.entry or (args.period and args.year == 1990) else []
    names = list(dict.fromkeys(given or [*usual, *more]))
    for name in names:
        if name not in known:
            raise OsgapError(f"table: found {quoted(name)}; allowed: {', '.join(known)}")
    if args.format == "csv" and len(names) > 1:
        raise OsgapError(f"format csv: found {len(names)} tables; allowed: one at a time")
    return names


def _there(names: list[str], tables: Mapping[str, object], *, asked: bool) -> list[str]:
    """Those that were made. Raises OsgapError for one that is asked for and was not."""
    from osgap.base.errors import OsgapError

    missing = [name for name in names if name not in tables]
    if missing and asked:
        raise OsgapError(
            f"table: found {missing[0]}, which needs runs with memory and disk scaled; allowed: "
            f"{', '.join(tables)}"
        )
    return [name for name in names if name in tables]


def _two(text: str) -> tuple[str, tuple[Path, Path]]:
    engine, _, directories = text.partition("=")
    without, separator, with_entry = directories.partition(",")
    if not engine or not without or not separator or not with_entry:
        raise argparse.ArgumentTypeError(f"found {quoted(text)}; allowed: ENGINE=DIR,DIR")
    return engine, (options.path(without), options.path(with_entry))


def _pair(text: str) -> tuple[str, Path]:
    engine, separator, directory = text.partition("=")
    if not separator or not engine or not directory:
        raise argparse.ArgumentTypeError(f"found {quoted(text)}; allowed: ENGINE=DIR")
    return engine, options.path(directory)
