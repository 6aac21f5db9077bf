# SPDX-License-Identifier: BSD-3-Clause
"""Writes tables of gem5's statistics as CSV and JSON, numbers as gem5 printed them."""

import csv
import io
import json
import math
import re

import pandas as pd

from osgap.base.written import WrittenFloat

_JSON_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def csv_text(table: pd.DataFrame) -> str:
    """Returns a table as CSV with \\n; a missing value is empty, gem5's nan is nan."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.itertuples(index=False, name=None))
    return stream.getvalue()


def json_text(table: pd.DataFrame) -> str:
    """Returns a table as a JSON list of records; both nan and a missing value are null."""
    keys = [json.dumps(str(name)) for name in table.columns]
    records = [
        ",\n".join(f"  {key}: {_json_cell(cell)}" for key, cell in zip(keys, row, strict=True))
        for row in table.astype(object).itertuples(index=False, name=None)
    ]
    return "[\n" + ",\n".join(f" {{\n{cells}\n }}" for cells in records) + "\n]\n"


def _json_cell(cell: object) -> str:
    """Returns a cell as JSON: a number as gem5 printed it, where JSON may have it so."""
    if isinstance(cell, float) and not math.isfinite(cell):
        return "null"
    is_printed = isinstance(cell, WrittenFloat) and _JSON_NUMBER.fullmatch(cell.text)
    return str(cell) if is_printed else json.dumps(cell, allow_nan=False)
