# SPDX-License-Identifier: BSD-3-Clause
"""Text tables: of natural width in a file, fitted to a terminal, no cell cut in either."""

import io
import re

import pytest

from osgap.base.terminal import make_console
from osgap.drawing.table_fit import Heading
from osgap.drawing.text_table import TextTable

FACTS = "engine", "benchmark", "clock (MHz)", "time of one operation", "R"
ROWS = [
    ("rvsim", benchmark, clock, time, speed)
    for benchmark in ("cswitch", "getpid")
    for clock, time, speed in (("20", "12.34", "1.00"), ("320", "1.234", "0.48 [0.38, 0.60]"))
]


def _table(rows: list[tuple[str, ...]] = ROWS) -> TextTable:
    headings = [Heading(text, right=number > 1) for number, text in enumerate(FACTS)]
    table = TextTable("speeds", headings)
    for row in rows:
        table.add_row(*row)
    return table


def _printed(table: TextTable, width: int | None) -> list[str]:
    stream = io.StringIO()
    make_console(stream, terminal_width=width).print(table)
    return re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()).splitlines()


def test_a_file_gets_a_row_a_line_however_wide() -> None:
    lines = _printed(_table([("x" * 300, *ROWS[0][1:])]), None)
    assert lines[0] == "speeds"
    assert [cell.strip() for cell in lines[2].split("|")[1:-1]] == list(FACTS)
    assert "x" * 300 in lines[4] and "1.00" in lines[4]


def test_a_table_that_fits_has_all_columns_in_one_line() -> None:
    lines = _printed(_table(), 80)
    assert lines[1].split("  ")[0] == "engine" and "time of one operation" in lines[1]
    assert len(lines) == 1 + 2 + len(ROWS) + 1


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (62, ("speeds", "engine  benchmark  clock (MHz)    operation")),  # headings wrap
        (52, ("speeds; engine rvsim", "benchmark")),  # the only engine: in the title
        (42, ("benchmark getpid", "     (MHz)    operation")),  # a table a benchmark
    ],
)
def test_a_narrower_terminal_gets_another_arrangement(
    width: int, expected: tuple[str, ...]
) -> None:
    lines = _printed(_table(), width)
    for text in expected:
        assert any(line.startswith(text) for line in lines), lines
    assert max(map(len, lines)) <= width
    assert sum("0.48 [0.38, 0.60]" in line for line in lines) == 2
    assert "…" not in "".join(lines)


def test_many_columns_are_printed_in_blocks_beside_their_keys() -> None:
    table = TextTable("t", [Heading("key"), *(Heading(f"n{i}", right=True) for i in range(9))])
    for key in ("a", "b"):
        table.add_row(key, *(f"{key}{i}2345678" for i in range(9)))
    lines = _printed(table, 40)
    assert max(map(len, lines)) <= 40
    for key in ("a", "b"):
        cells = " ".join(line for line in lines if line.startswith(f"{key} "))
        assert all(f"{key}{i}2345678" in cells for i in range(9))


def test_a_column_too_wide_to_stand_beside_the_keys_stands_beside_row_numbers() -> None:
    table = TextTable("t", [Heading("key"), Heading("point"), Heading("n", right=True)])
    for number in (1, 2):
        table.add_row(f"key{number}" + 14 * "k", f"point{number}" + 20 * "p", "5678"[number:])
    lines = _printed(table, 40)
    assert max(map(len, lines)) <= 40
    assert [line[:31] for line in lines if "ppp" in line] == [
        f"  {number}  point{number}" + 20 * "p" for number in (1, 2)
    ]


def test_a_table_without_rows_has_its_headings() -> None:
    for width in (None, 80, 20):
        lines = _printed(_table([]), width)
        assert "engine" in "".join(lines) and "operation" in "".join(lines)


def test_a_cell_wider_than_the_terminal_runs_over_its_edge() -> None:
    lines = _printed(_table([("x" * 90, *ROWS[0][1:])]), 40)
    assert "x" * 90 in "".join(lines)


def test_a_rule_divides_the_rows() -> None:
    table = _table()
    table.add_section()
    table.add_row("mean")
    for width in (None, 80):
        lines = [line for line in _printed(table, width) if line]
        rule = lines[-3] if width is None else lines[-2]
        assert set(rule) <= set("+-─")
    assert lines[-1].strip() == "mean"
