# SPDX-License-Identifier: BSD-3-Clause
"""`osgap paper`: the paper's tables beside the simulated machines'."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from osgap.base.errors import OsgapError
from osgap.base.output import print_document, print_line
from osgap.base.progress import say
from osgap.base.quoting import quoted
from osgap.base.suggestions import hint
from osgap.cli import options
from osgap.cli.number_types import refusal
from osgap.cli.parsing import Parser

if TYPE_CHECKING:
    import pandas as pd

ENTRY, HYPOTHESES, REMOTE = "entry", "hypotheses", "remote"
REMOTE_NAMES = (REMOTE, "penalties", "remote_skill", "remote_claims")
APART_TABLES = (ENTRY, HYPOTHESES, *REMOTE_NAMES)
"""Tables of runs of their own."""
_OPTIONS = {ENTRY: (ENTRY,), HYPOTHESES: (HYPOTHESES,), REMOTE: REMOTE_NAMES}
"""Each option with runs, and the tables of these runs."""
HELP = "print the paper's tables beside the simulated machines', and draw what explains the gap"
EPILOG = """\
Each DIR holds one engine's runs, as `osgap sweep --sweep paper` leaves them. With --table, --skill
or --format the named tables are printed, and files are written only with --output. Tables on files
of a server are printed and written too where their runs are committed or given.
examples: osgap paper rvsim=results/locked/paper/fitted-rvsim gem5=results/locked/paper/fitted-gem5
          osgap paper --skill
          osgap paper --year 1989
          osgap paper --period --skill
          osgap paper --table entry
          osgap paper --table remote_skill --table remote_claims
          osgap paper --table cells --format csv
"""

APART = {"ENGINE=DIR": ("--period",), "--year 1989": ("--entry", "--hypotheses")}


def add_arguments(parser: Parser) -> None:
    """Adds the runs by engine, the tables to print and their format."""
    parser.value(
        "runs ENGINE=DIR", _pair, "default: the committed runs on rvsim and gem5", nargs="*"
    )
    parser.add_argument(
        "--year",
        choices=(1989, 1990),
        type=int,
        default=1990,
        help="which of the two papers; the note of 1989 relates all to the Sun-3 (default: 1990)",
    )
    parser.switch(
        "--period",
        "with the committed runs of the machines that spend "
        "what kernels, compilers and copies of 1990 did, as engines rvsim_period and gem5_period",
    )
    parser.repeatable(
        "--entry ENGINE=DIR,DIR",
        _run_pair,
        "with table entry: two runs of sweep period-entry, with --entry image and with --entry "
        "machine (repeatable; default: the committed ones)",
    )
    parser.value(
        "--hypotheses DIR",
        options.path,
        "with table hypotheses: a folder with hypotheses/ and, beside it, the runs without the "
        "causes (default: results/locked/paper)",
    )
    parser.repeatable(
        "--remote ENGINE=DIR",
        _pair,
        "with tables remote, penalties, remote_skill and remote_claims: runs of the sweeps "
        "remote-nfs, remote-sprite and remote-afs (repeatable; default: the committed ones)",
    )
    parser.switch(
        "--skill",
        "the engines' errors beside those of models that "
        "simulate nothing: the same as --table skill",
    )
    parser.repeatable(
        "--table NAME",
        str,
        "a table to print (repeatable): cells, "
        "agreement, means, shares, skill, predicted, explained, entry, hypotheses, remote, "
        "penalties, remote_skill, remote_claims",
    )
    options.add_format(parser, "csv", "json", "markdown")
    parser.repeatable(
        "--layouts ENGINE=DIR",
        _pair,
        "runs of some of the machines in other layouts of the image (repeatable): intervals "
        "over them (default: the committed ones, with the committed runs)",
    )
    parser.repeatable(
        "--native DIR",
        options.path,
        "runs of osgap native (repeatable): this machine beside the MicroVAX II, and on Figure 1",
    )
    options.add_output(parser, "tables/ and figures/ go", "results/runs/paper, see below")
    options.add_pager(parser)


def command(args: argparse.Namespace) -> int:
    """Prints the named tables, or prints and writes all and draws figures. Raises OsgapError."""
    from osgap.analysis.tables import write_tables
    from osgap.printing.export import document
    from osgap.rundir.output import claim
    from osgap.suites.ousterhout import FIGURES
    from osgap.suites.ousterhout.committed import committed_layouts, committed_runs, folder_name
    from osgap.suites.ousterhout.report import printed_tables, summary
    from osgap.suites.ousterhout.sincereport import measured
    from osgap.suites.ousterhout.tables import paper_tables

    runs = dict(args.runs) or committed_runs(args.year, period=args.period)
    layouts = dict(args.layouts)
    if not args.runs and not layouts and args.year == 1990:
        layouts = committed_layouts(runs)
    names = _names(args)
    only_printed = bool(args.table or args.skill or args.format != "text")
    is_written = args.output or not only_printed
    output = options.output_directory(args, folder_name(args.year)) if is_written else None
    since = measured(args.native)
    tables = {**since.tables, **_entry(args, names), **_hypotheses(args, names)}
    tables |= _remote(args, names)
    if output or not set(names) <= set(APART_TABLES):
        tables |= paper_tables(runs, layouts, args.year)
    names = _available(names, tables, required=bool(args.table or args.skill))
    if output:
        write_tables(tables, claim(output) / "tables")
    if args.format != "text":
        print_document(document({name: tables[name] for name in names}, args.format))
    else:
        with options.paged_console(args) as console:
            for sentence in summary(tables) if "agreement" in names else ():
                console.print(sentence)
            for table in printed_tables(tables, names):
                console.print(table)
            for part in since.renderables():
                console.print(part)
    # The figures are of the paper of 1990, with machines whose memory and disk were scaled too.
    if output and "explained" in tables:
        # Standard output may be a document.
        options.draw_figures(FIGURES, output, print_line if args.format == "text" else say)
    return 0


def _entry(args: argparse.Namespace, names: list[str]) -> dict[str, pd.DataFrame]:
    """Returns the table of kernel entry's share, where `names` has it."""
    from osgap.suites.ousterhout.committed import committed_entry_pairs
    from osgap.suites.ousterhout.entry import entry_table

    if ENTRY not in names:
        return {}
    return {ENTRY: entry_table(dict(args.entry) or committed_entry_pairs())}


def _hypotheses(args: argparse.Namespace, names: list[str]) -> dict[str, pd.DataFrame]:
    """Returns the table of causes with an expected effect, where `names` has it."""
    from osgap.suites.ousterhout.committed import committed_folder
    from osgap.suites.ousterhout.hypotheses import hypotheses_table

    if HYPOTHESES not in names:
        return {}
    return {HYPOTHESES: hypotheses_table(args.hypotheses or committed_folder())}


def _remote(args: argparse.Namespace, names: list[str]) -> dict[str, pd.DataFrame]:
    """Returns the tables of files on a server that `names` has."""
    from osgap.suites.ousterhout.committed import committed_remote
    from osgap.suites.ousterhout.remotetables import judged_remote_tables

    if not set(REMOTE_NAMES) & set(names):
        return {}
    return judged_remote_tables(dict(args.remote) or committed_remote(), args.year)


def _names(args: argparse.Namespace) -> list[str]:
    """Returns the names of the tables to print, each once. Raises OsgapError for an unknown one."""
    from osgap.suites.ousterhout.report import PRINTED
    from osgap.suites.ousterhout.tables import OF_1989, TABLES

    allowed = [*TABLES, *APART_TABLES] if args.year == 1990 else [*OF_1989, *REMOTE_NAMES]
    options = [*(args.table or ()), *(["skill"] if args.skill else [])]
    usual = [name for name in PRINTED if name in allowed]
    more = [ENTRY] if args.entry or (args.period and args.year == 1990) else []
    names = list(dict.fromkeys(options or [*usual, *more, *_usual_remote(args)]))
    for name in names:
        if name not in allowed:
            near = f"{hint(name, allowed)}allowed: {', '.join(allowed)}"
            raise OsgapError(f"--table: found {quoted(name)}; {near}")
    _check_effects(args, names)
    if args.format == "csv" and len(names) > 1:
        raise OsgapError(f"format csv: found {len(names)} tables; allowed: one at a time")
    return names


def _usual_remote(args: argparse.Namespace) -> Sequence[str]:
    """Returns the tables of a server's files to print where no table is named."""
    from osgap.suites.ousterhout.committed import committed_remote

    return REMOTE_NAMES if args.remote or (not args.runs and committed_remote()) else ()


def _check_effects(args: argparse.Namespace, names: Sequence[str]) -> None:
    """Raises OsgapError for an option that has no effect on the tables `names`."""
    for option, its in _OPTIONS.items():
        if getattr(args, option) and not set(its) & set(names):
            raise OsgapError(
                f"--{option}: found with {', '.join(names)}; allowed: with --table "
                f"{' or '.join(its)}"
            )
    if args.output:
        return
    if args.native and args.format != "text":
        raise OsgapError(f"--native: found beside --format {args.format}; allowed: with --output")
    rest = {
        "ENGINE=DIR": args.runs,
        "--period": args.period,
        "--layouts": args.layouts,
    }
    useless = rest if set(names) <= set(APART_TABLES) else {}
    for option in [option for option, value in useless.items() if value]:
        raise OsgapError(f"{option}: found beside --table {names[0]}, which has runs of its own")


def _available(names: list[str], tables: Mapping[str, object], *, required: bool) -> list[str]:
    """Returns the names that `tables` has. Raises OsgapError for a missing one if `required`."""
    missing = [name for name in names if name not in tables]
    if missing and required:
        raise OsgapError(
            f"table: found {missing[0]}, which needs runs with memory and disk scaled; allowed: "
            f"{', '.join(tables)}"
        )
    return [name for name in names if name in tables]


def _run_pair(text: str) -> tuple[str, tuple[Path, Path]]:
    engine, _, directories = text.partition("=")
    without, separator, with_entry = directories.partition(",")
    if not engine or not without or not separator or not with_entry:
        raise refusal(text, "ENGINE=DIR,DIR")
    return engine, (options.path(without), options.path(with_entry))


def _pair(text: str) -> tuple[str, Path]:
    engine, separator, directory = text.partition("=")
    if not separator or not engine or not directory:
        raise refusal(text, "ENGINE=DIR")
    return engine, options.path(directory)
