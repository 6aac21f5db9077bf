# SPDX-License-Identifier: BSD-3-Clause
"""Renders docs/reference/tables.md: every declared table with its columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from osgap.analysis.table import Column, Table
from osgap.analysis.tables import declared, run_tables, tables_below
from osgap.printing.export import markdown_row
from osgap.printing.formats import VIEWS
from osgap.suites import suites

_HEADS = (("column", "unit", "kind", "meaning"), ("---",) * 4)
_INTRODUCTION = """\
# Tables

`osgap list tables --format markdown > docs/reference/tables.md` writes this page from the tables'
declarations in `osgap/`.

A table is a CSV file `tables/NAME.csv`; an undefined value is an empty cell, in Python NaN. The
kind of a column is number, count (a whole number), text, or flag: yes, no, or empty where neither
is known. The unit "metric" is that in the row's column `metric`. R is the MIPS-relative speed.
"""
_RUN = """\
`osgap analyze RUN` writes these into `RUN/tables`; in Python they are `run.tables["NAME"]`
([notebooks](../tutorial/notebooks.md)). `osgap analyze RUN --table NAME` prints one. `--table`
also takes other arrangements of them:
"""
_LAYOUTS = """\
`osgap analyze` writes `layouts` where it is given runs of several layouts of one system, or
`--layouts DIR`; `--table covered` prints the other. See
[intervals over layouts](../method/layouts-and-intervals.md#intervals-over-layouts).
"""
_TWO_RUNS = """\
`osgap compare RUN_A RUN_B` writes these. `_a` and `_b` are the first and the second run.
"""
_PREDICTIONS = """\
`osgap predict` and `osgap sweep --predict` write these: simulated points with their results, the
other points predicted.
"""
_MADE_AGAIN = """\
`osgap reproduce` writes this one as `DIR/reproduced.csv` ([guide](../guide/reproduce.md)).
"""
_TWO_KERNELS = """\
`osgap kernel-ab` writes these into `DIR/tables` ([guide](../guide/kernel-ab.md)).
"""


def tables_page() -> str:
    """The page docs/reference/tables.md."""
    return "\n".join([_INTRODUCTION, *_sections()])


def _sections() -> Iterator[str]:
    views = "".join(f"- `{name}`: {text}\n" for name, text in VIEWS.items())
    of_layouts = tables_below("osgap.analysis.layouts")
    further = {**run_tables(), **of_layouts}
    of_two_runs = [table for name, table in declared().items() if name not in further]
    yield _section("Of a run", f"{_RUN}\n{views}", run_tables().values())
    yield _section("Over layouts", _LAYOUTS, of_layouts.values())
    yield _section("Of two runs", _TWO_RUNS, of_two_runs)
    yield _section("Of predictions", _PREDICTIONS, _declared_in("osgap.predict"))
    yield _section("Of runs made again", _MADE_AGAIN, _declared_in("osgap.reproduce"))
    yield _section("Of two kernels", _TWO_KERNELS, _declared_in("osgap.kernels"))
    for suite in suites():
        if tables := _declared_in(f"osgap.suites.{suite.name}"):
            names = ", ".join(f"`{combined.table.name}`" for combined in suite.combined)
            text = f"`osgap analyze RUN... --table NAME` prints: {names}.\n" if names else ""
            yield _section(suite.title, text, tables)


def _declared_in(package: str) -> list[Table]:
    """The tables that the package declares: it may also use those of osgap/analysis."""
    lower = list(declared().values())
    return [t for t in tables_below(package).values() if t not in lower]


def _section(title: str, text: str, tables: Iterable[Table]) -> str:
    return "\n".join([f"## {title}\n", *([text] if text else []), *map(_table, tables)])


def _table(table: Table) -> str:
    absent = f"\nA run may lack it; then `--table` says: {table.absent}.\n" if table.absent else ""
    rows = [_cells(column) for column in table.columns]
    rows += [_cells(column, " (only in some runs)") for column in table.optional]
    return (
        f"### {table.name}\n{table.text}\n{absent}\n{''.join(map(markdown_row, [*_HEADS, *rows]))}"
    )


def _cells(column: Column, remark: str = "") -> tuple[str, ...]:
    return f"`{column.name}`", column.unit, column.kind, f"{column.text}{remark}"
