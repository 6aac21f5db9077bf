# SPDX-License-Identifier: BSD-3-Clause
"""Prints predicted beside measured values of boards."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

import pandas as pd

from osgap.analysis.relative import defined
from osgap.base.quoting import counted
from osgap.drawing import text
from osgap.drawing.display_names import benchmark_name, engine_name, machine_name
from osgap.drawing.text_table import TextTable
from osgap.suites.boards.imported import IMPORTED
from osgap.suites.boards.native import NATIVE
from osgap.suites.boards.pairs import ENGINES, PAIRS
from osgap.suites.boards.rows import SOURCE
from osgap.suites.boards.summary import ALL, FACTORS, MEASURED, SCOPES, SUMMARY
from osgap.suites.boards.tables import BOARD, BOARD_ROWS

Row = Mapping[Hashable, object]


def sentences(summary: pd.DataFrame) -> Iterator[str]:
    """A sentence for each engine and image on rows that nothing is made from, of most boards."""
    measured = summary[(summary["against"] == MEASURED) & (summary["role"] != SOURCE)]
    names = [ALL] if ALL in set(measured["board"]) else list(measured["board"].unique())
    for row in measured[measured["board"].isin(names)].to_dict("records"):
        yield sentence(row)


def sentence(row: Row) -> str:
    """Says a row of SUMMARY against measured values, with its intervals."""
    where = "all boards" if row["board"] == ALL else machine_name(str(row["board"]))
    over = "rows and layouts" if int(str(row["layouts"])) > 1 else "rows, of one layout"
    rows = counted(int(str(row["rows"])), "row") + SCOPES[str(row["role"])].removeprefix("rows")
    shares = ", ".join(
        f"{_share(row, name)} within a factor of {factor:g}" for name, factor in FACTORS.items()
    )
    return (
        f"{engine_name(str(row['engine']))} with the image {row['image']} predicts {rows} "
        f"({where}): predicted times are {_interval(row, 'ratio')} times the measured ones in the "
        f"mean; a row is off by a factor of {_interval(row, 'factor')}; {shares} (95 % intervals "
        f"over {over})."
    )


def condition(row: Row) -> str:
    """The engine and the image of a row."""
    return f"{engine_name(str(row['engine']))}, {row['image']}"


def printed_tables(tables: Mapping[str, pd.DataFrame], names: Sequence[str]) -> Iterator[TextTable]:
    """The tables called `names`, arranged for a reader."""
    for name in names:
        yield from _ARRANGED[name](tables[name])


def _board(table: pd.DataFrame) -> Iterator[TextTable]:
    """For each board its counted rows, one column each engine and image; then those apart."""
    for board, rows in table.groupby("board", sort=False):
        yield from _rows_of(rows, machine_name(str(board)))


def _imported(table: pd.DataFrame) -> Iterator[TextTable]:
    """The same of each imported run, with its values."""
    for (board, run), rows in table.groupby(["board", "run"], sort=False):
        yield from _rows_of(rows, f"{run} beside {machine_name(str(board))}")


def _rows_of(rows: pd.DataFrame, name: str) -> Iterator[TextTable]:
    """The rows of one board or run, which titles call `name`: those that count, then the others."""
    conditions = list(dict.fromkeys(map(condition, rows.to_dict("records"))))
    is_comparable = rows["comparable"] == "yes"
    title = f"{name}: predicted, and predicted by measured time"
    unlike = "an image that the row is not for stands in parentheses"
    if len(rows[is_comparable]):
        yield _side_by_side(f"{title}; {unlike}", rows[is_comparable], conditions, [])
    apart = rows[~is_comparable]
    if len(apart):
        title = f"{name}: not comparable, not counted"
        yield _side_by_side(title, apart, conditions, ["why"])


def _side_by_side(
    title: str, rows: pd.DataFrame, conditions: Sequence[str], more: list[str]
) -> TextTable:
    table = text.table(title, ["row", "role"], ["measured (spread)", *conditions])
    table.headings = [*table.headings, *text.table("", more, []).headings]
    for (name, role), group in rows.groupby(["row", "role"], sort=False):
        records = group.to_dict("records")
        cells = {condition(row): _cell(row) for row in records}
        first = records[0]
        table.add_row(
            str(name),
            str(role),
            _measured(first),
            *(cells.get(each, "") for each in conditions),
            *(str(first[column]) for column in more),
        )
    return table


def _measured(row: Row) -> str:
    value, low, high = (text.grouped(row[f"measured{end}"]) for end in ("", "_low", "_high"))
    spread = f" ({low} to {high})" if low != high else ""
    return f"{value} {row['unit']}{spread}"


def _cell(row: Row) -> str:
    """A predicted value with its ratio; "" where there is none."""
    if not defined(float(str(row["predicted"]))):
        return ""
    cell = f"{text.grouped(row['predicted'])}, {_interval(row, 'ratio')}"
    return cell if row["counted"] == "yes" or row["comparable"] == "no" else f"({cell})"


def _interval(row: Row, name: str) -> str:
    value, low, high = (float(str(row[f"{name}{end}"])) for end in ("", "_low", "_high"))
    ends = f" [{low:.2f}, {high:.2f}]" if defined(low) and defined(high) else ""
    return f"{text.ratio(value)}{ends}"


def _share(row: Row, name: str) -> str:
    value, low, high = (100 * float(str(row[f"{name}{end}"])) for end in ("", "_low", "_high"))
    return f"{value:.0f} % [{low:.0f}, {high:.0f}]"


def _summary(table: pd.DataFrame) -> Iterator[TextTable]:
    heads = ["rows", "layouts", "ratio", "factor", *(f"within {f:g}x" for f in FACTORS.values())]
    arranged = text.table(
        "times over rows, predicted by measured or by those of another engine or image: geometric "
        "mean, mean factor, parts of the rows [95 % intervals]",
        ["board", "engine, image", "against", "role"],
        heads,
    )
    # Of several boards, engines and images are compared over all of them; the CSV file has each.
    is_shown = (table["against"] == MEASURED) | (table["board"] == ALL)
    printed = table[is_shown] if ALL in set(table["board"]) else table
    for row in printed.to_dict("records"):
        board = str(row["board"])
        arranged.add_row(
            board if board == ALL else machine_name(board),
            condition(row),
            str(row["against"]),
            str(row["role"]),
            str(row["rows"]),
            str(row["layouts"]),
            _interval(row, "ratio"),
            _interval(row, "factor"),
            *(_share(row, name) for name in FACTORS),
        )
    yield arranged


def _pairs(table: pd.DataFrame) -> Iterator[TextTable]:
    for (between, a, b, both), rows in table.groupby(["between", "a", "b", "both"], sort=False):
        kind = "image" if between == ENGINES else "engine"
        arranged = text.table(
            f"times of {a} by those of {b}, {kind} {both}",
            ["board", "row", "role", "comparable"],
            ["ratio"],
        )
        for row in rows.to_dict("records"):
            words = (str(row[name]) for name in ("row", "role", "comparable"))
            arranged.add_row(machine_name(str(row["board"])), *words, _interval(row, "ratio"))
        yield arranged


def _rows(table: pd.DataFrame) -> Iterator[TextTable]:
    for board, rows in table.groupby("board", sort=False):
        arranged = text.table(
            f"{machine_name(str(board))}: measured values, and what predicts them",
            ["row", "role", "comparable", "benchmark", "measured (spread)", "why"],
            [],
        )
        for row in rows.to_dict("records"):
            words = (str(row[name]) for name in ("row", "role", "comparable", "benchmark"))
            arranged.add_row(*words, _measured(row), str(row["why"]))
        yield arranged


def _native(table: pd.DataFrame) -> Iterator[TextTable]:
    for (run, engine, image), rows in table.groupby(["run", "engine", "image"], sort=False):
        board = machine_name(str(rows["board"].iloc[0]))
        arranged = text.table(
            f"{run} beside {board} on {engine_name(str(engine))}, {image}",
            ["benchmark", "unit"],
            ["measured", "predicted", "ratio of times"],
        )
        for row in rows.to_dict("records"):
            arranged.add_row(
                benchmark_name(row["benchmark"], row["fs"]),
                str(row["unit"]),
                *(_with_ends(row, name) for name in ("measured", "predicted")),
                _interval(row, "ratio"),
            )
        yield arranged


def _with_ends(row: Row, name: str) -> str:
    value, low, high = (text.grouped(row[f"{name}{end}"]) for end in ("", "_low", "_high"))
    return f"{value} [{low}, {high}]" if low and high else value


_ARRANGED: Mapping[str, Callable[[pd.DataFrame], Iterator[TextTable]]] = {
    BOARD.name: _board,
    SUMMARY.name: _summary,
    PAIRS.name: _pairs,
    BOARD_ROWS.name: _rows,
    NATIVE.name: _native,
    IMPORTED.name: _imported,
}
PRINTED = (BOARD.name, SUMMARY.name, NATIVE.name, IMPORTED.name)
"""The tables that are printed where none is named, in this order."""
