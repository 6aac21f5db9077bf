# SPDX-License-Identifier: BSD-3-Clause
"""Prints the tables of files on a server, each in 100 columns: a table for each engine."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

import pandas as pd

from osgap.drawing import text
from osgap.drawing.display_names import engine_name, file_system_name, machine_name
from osgap.drawing.text_table import TextTable
from osgap.suites.ousterhout.intervaltable import interval_table
from osgap.suites.ousterhout.published import TITLES
from osgap.suites.ousterhout.remote import PENALTIES, REMOTE
from osgap.suites.ousterhout.remoteclaims import REMOTE_CLAIMS, SIDES, VERDICTS
from osgap.suites.ousterhout.remoteskill import REMOTE_SKILL, TIME

_PREFIXES = {7: "andrew_", 9: "open_close_", 10: "create_delete_"}
"""The paper's tables -> the part of the metrics' names that the title says."""
_HEADINGS = ["printed", "simulated", "null", "informed"]
_ERRORS = ["cell_log_error", "cell_skill", "cell_skill_informed"]
_PLAIN = ["table", "model"]


def _cells(remote: pd.DataFrame) -> Iterator[TextTable]:
    """Two tables for each engine and printed table: times with calls, and R with writes."""
    for (engine, number), rows in remote.groupby(["engine", "table"], sort=False):
        table, unit = int(str(number)), rows["unit"].iloc[0]
        title = f"Table {table}: {TITLES[table]} on a server, {engine_name(str(engine))}"
        yield _sides(f"{title}, {unit}", rows, SIDES, ("calls", "messages"))
        speeds = [f"relative_{side}" for side in SIDES]
        yield _sides(f"{title}, R", rows, speeds, ("writes", "writes"))


def _sides(
    title: str, rows: pd.DataFrame, columns: Sequence[str], counts: tuple[str, str]
) -> TextTable:
    """A row for each cell: four values, and counts, given by their heading and column."""
    heading, counted = counts
    table = text.table(title, ["machine", "system", "metric"], [*_HEADINGS, heading])
    form = text.number if columns is SIDES else text.ratio
    for row in rows.to_dict("records"):
        metric = str(row["metric"]).removeprefix(_PREFIXES[int(row["table"])])
        numbers = [form(float(row[name])) for name in columns]
        numbers.append(text.number(float(row[counted])))
        table.add_row(machine_name(str(row["machine"])), str(row["os"]), metric, *numbers)
    return table


def _penalties(penalties: pd.DataFrame) -> Iterator[TextTable]:
    for engine, rows in penalties.groupby("engine", sort=False):
        title = f"Table 8: what a server adds to Andrew's local time, {engine_name(str(engine))}, %"
        left = ["machine", "system", "files"]
        table = text.table(title, left, ["MIPS", *_HEADINGS])
        for row in rows.to_dict("records"):
            names = machine_name(str(row["machine"])), str(row["os"]), file_system_name(row["fs"])
            numbers = [text.number(float(row[name])) for name in ("mips", *SIDES)]
            table.add_row(*names, *numbers)
        yield table


def _skill(skill: pd.DataFrame) -> Iterator[TextTable]:
    for (engine, quantity), rows in skill.groupby(["engine", "quantity"], sort=False):
        title = f"{quantity} on a server's files, cells of {engine_name(str(engine))}"
        errors = f"{title}: mean |ln(it / print)|, and 1 - it / a null's"
        yield interval_table(rows, _PLAIN, _ERRORS, errors, "")
        # The order of times is that of the processors.
        order = "ratio" if quantity == TIME else "spearman"
        counts = [*_PLAIN, "machines", "cells"]
        yield interval_table(rows, counts, [order, "cell_within_25"], title, "")


def _claims(claims: pd.DataFrame) -> Iterator[TextTable]:
    """A table for each claim; "yes" and "no" say whether its numbers reproduce it."""
    for (claim, rule), rows in claims.groupby(["claim", "rule"], sort=False):
        table = text.table(f"{claim} ({rule})", ["engine", "number"], _HEADINGS)
        for row in rows.to_dict("records"):
            verdicts = {
                "paper": "",
                **{side: row[f"{p}reproduced"] for side, p in VERDICTS.items()},
            }
            cells = [f"{text.number(float(row[side]))} {verdicts[side]}".strip() for side in SIDES]
            table.add_row(engine_name(str(row["engine"])), _number_name(row), *cells)
        yield table


def _number_name(row: Mapping[Hashable, object]) -> str:
    if not row["machine"]:
        return str(row["number"])
    place = f"{machine_name(str(row['machine']))}, {row['os']}".removesuffix(", ")
    return f"{row['number']}: {place}"


REMOTE_SHOWN: Mapping[str, Callable[[pd.DataFrame], Iterator[TextTable]]] = {
    REMOTE.name: _cells,
    PENALTIES.name: _penalties,
    REMOTE_SKILL.name: _skill,
    REMOTE_CLAIMS.name: _claims,
}
"""The functions that print the tables of files on a server, by table."""
