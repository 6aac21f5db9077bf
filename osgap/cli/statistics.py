# SPDX-License-Identifier: BSD-3-Clause
"""`osgap analyze --stats`: prints statistics files of any gem5's, one tree or several."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from osgap.base.output import print_document, print_error
from osgap.cli import options
from osgap.cli.number_types import positive, refusal
from osgap.cli.parsing import Parser

if TYPE_CHECKING:
    import pandas as pd

    from osgap.gem5stats.dumps import DumpView

APART = {"--derived": ("--select",), "--weights": ("--select",)}
_OF_STATISTICS = ("--select", "--dump", "--differences", "--names", "--derived", "--weights")
NEEDS = {
    **dict.fromkeys(_OF_STATISTICS, "--stats"),
    "--base": "--names",
    "--instructions": "--weights",
}


def add_arguments(parser: Parser) -> None:
    """Adds the directories of statistics, and what is selected of them."""
    parser.value(
        "--stats DIR",
        options.as_typed,
        "instead of RUN: any directory with gem5's statistics below it, stats.txt or JSON, or one "
        "file; two are compared, more are compared with the first",
        nargs="+",
    )
    parser.value(
        "--select REGEX",
        str,
        "with --stats: the statistics to show. Of one DIR they "
        "are CSV, a row a dump (default: simSeconds, simInsts); of several a table with ratios "
        "(default: time, instructions, CPI, cache misses, memory traffic)",
    )
    parser.value(
        "--dump N",
        dump_number,
        "with --stats: the dump of each file, from 0, last, -2 for the one before, or all "
        "(default: all)",
    )
    parser.switch(
        "--differences", "with --stats: counters of each dump as changes since the one before"
    )
    parser.value(
        "--names REGEX",
        str,
        "with --stats: each directory with statistics below DIR is a tree, and each named "
        "group of REGEX, searched in its path, a column, as 'l2_(?P<l2>[0-9]+)kB'",
    )
    parser.repeatable(
        "--base KEY=VALUE",
        str,
        "with --names: compare each tree with the one that has this VALUE of KEY and equals "
        "it in all other groups (repeatable; default: with the first tree)",
    )
    parser.switch(
        "--derived",
        "with --stats: IPC, CPI, misses per 1000 instructions and speed-up of each tree, and "
        "with --base their geometric means; each directory with statistics below one DIR is a tree",
    )
    parser.value(
        "--weights FILE",
        options.as_typed,
        "like --derived, of whole programs: SimPoint's weights, and optionally its simulation "
        "points. The trees are a program's SimPoints by the group simpoint (a label), interval or "
        "position of --names; without it the dumps of each are. {NAME} stands for a group",
        nargs="+",
        default=[],
    )
    parser.value(
        "--instructions N",
        positive,
        "with --weights: the instructions of the whole program, to estimate its time",
    )


def dump_number(text: str) -> int | None:
    """A type for argparse: the number of a dump, negative from the end; None for all."""
    if not re.fullmatch(r"-?[0-9]{1,9}|last|all", text):
        raise refusal(text, "a number from 0, -1 and so on from the end, last, all")
    return None if text == "all" else -1 if text == "last" else int(text)


def command(args: argparse.Namespace) -> int:
    """Prints the statistics of directories; 2 when something of a file is left out."""
    if args.derived or args.weights:
        return _derived(args)
    if len(args.stats) > 2 or args.names is not None:
        return _several(args)
    return _one_tree(args) if len(args.stats) == 1 else _side_by_side(args)


def _view(args: argparse.Namespace) -> DumpView:
    from osgap.gem5stats.dumps import DumpView

    return DumpView(args.dump, args.differences)


def _one_tree(args: argparse.Namespace) -> int:
    from osgap.gem5stats.tree import SHOWN, load

    select = SHOWN if args.select is None else args.select
    tree = load(args.stats[0], select, _view(args))
    _print_document(args, tree.table)
    _print_errors(tree.notes)
    return _print_errors(tree.faults)


def _side_by_side(args: argparse.Namespace) -> int:
    from osgap.gem5stats.sidebyside import COMPARED, side_by_side
    from osgap.printing.gem5stats import paired_tables

    select = COMPARED if args.select is None else args.select
    pair = side_by_side(args.stats[0], args.stats[1], select, _view(args))
    _print(args, pair.table, paired_tables(pair.table, args.stats[0], args.stats[1]))
    _print_errors(pair.notes)
    return _print_errors(pair.faults)


def _several(args: argparse.Namespace) -> int:
    from osgap.gem5stats import trees
    from osgap.gem5stats.sidebyside import COMPARED
    from osgap.printing.gem5stats import tree_tables

    select = COMPARED if args.select is None else args.select
    runs, notes = trees.load_trees(args.stats, select, args.names, _view(args))
    parameters = [run.parameters for run in runs]
    base = trees.base_values(args.base, parameters)
    table, left_out = trees.normalised(runs, trees.bases(parameters, base))
    heading = f"base: {trees.described(base) or runs[0].path}"
    _print(args, table, [heading, *tree_tables(table, list(parameters[0]))])
    _print_errors([*notes, *left_out])
    return _print_errors([fault for run in runs for fault in run.tree.faults])


def _derived(args: argparse.Namespace) -> int:
    from osgap.gem5stats import derived, simpoints, trees
    from osgap.printing.gem5stats import derived_table

    runs, notes = trees.load_trees(args.stats, derived.COUNTERS, args.names, _view(args))
    if args.weights:
        result = simpoints.estimated(runs, args.weights, args.base, args.instructions)
    else:
        result = derived.derived(runs, args.base)
    _print(args, result.table, [derived_table(result)])
    _print_errors([*notes, *derived.other_caches(runs), *result.notes])
    return _print_errors([*(fault for run in runs for fault in run.tree.faults), *result.faults])


def _print(args: argparse.Namespace, table: pd.DataFrame, tables: Iterable[object]) -> None:
    """Prints `table` as CSV or JSON, or else the `tables` for a terminal."""
    if args.format != "text":
        _print_document(args, table)
        return
    with options.paged_console(args) as console:
        for printed in tables:
            console.print(printed)


def _print_document(args: argparse.Namespace, table: pd.DataFrame) -> None:
    """Prints `table` as JSON if that is the format, else as CSV."""
    from osgap.gem5stats.documents import csv_text, json_text

    print_document((json_text if args.format == "json" else csv_text)(table))


def _print_errors(sentences: Sequence[str]) -> int:
    for sentence in sentences:
        print_error(f"osgap analyze: {sentence}")
    return 2 if sentences else 0
