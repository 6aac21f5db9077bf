# SPDX-License-Identifier: BSD-3-Clause
"""Exports tables for other programs: CSV, JSON, Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from osgap.drawing.text import number
from osgap.rundir.csvfile import ResultsError, table_text

DOCUMENTS = ("csv", "json", "markdown")


def document(tables: Mapping[str, pd.DataFrame], format: str) -> str:
    """The tables, by name, in one of DOCUMENTS.

    JSON is a list of records, of several tables an object of one list each. Raises ResultsError for
    several tables in one CSV, and for another format.
    """
    several = len(tables) > 1
    if format == "csv" and not several:
        return "".join(table_text(rows) for rows in tables.values())
    if format == "json":
        lists = {name: _records(rows) for name, rows in tables.items()}
        listed = lists if several else [row for rows in lists.values() for row in rows]
        return json.dumps(listed, indent=1) + "\n"
    if format == "markdown":
        return "\n".join(
            (f"## {name}\n\n" if several else "") + markdown(rows) for name, rows in tables.items()
        )
    wrong = f"csv: found {len(tables)} tables" if format == "csv" else f"found {format}"
    raise ResultsError(f"format {wrong}; allowed: {', '.join(DOCUMENTS)}, csv one table at a time")


def markdown(rows: pd.DataFrame) -> str:
    """A table of Markdown, numbers right-aligned and to four digits; undefined is empty."""
    sides = ["---:" if pd.api.types.is_numeric_dtype(rows[name]) else "---" for name in rows]
    lines = [[number(cell) for cell in row.values()] for row in rows.to_dict("records")]
    return "".join(map(markdown_row, [list(map(str, rows.columns)), sides, *lines]))


def markdown_row(cells: Iterable[str]) -> str:
    """A line of a table of Markdown."""
    escaped = (cell.replace("\\", "\\\\").replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |\n"


def _records(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as plain values by column; None for an undefined value."""
    plain: list[dict[str, Any]] = json.loads(rows.to_json(orient="records", double_precision=15))
    return plain
