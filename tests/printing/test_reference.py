# SPDX-License-Identifier: BSD-3-Clause
"""The page docs/reference/tables.md; test_docs.py says when it is stale."""

import pytest

from osgap.analysis.tables import run_tables
from osgap.cli.main import main
from osgap.printing.reference import tables_page


def test_the_page_has_every_column_of_a_run() -> None:
    page = tables_page()
    for table in run_tables().values():
        section = page.partition(f"### {table.name}\n")[2].partition("### ")[0]
        assert [name for name in table.names if f"| `{name}` |" not in section] == []


@pytest.mark.parametrize(
    ("name", "times"),
    [
        ("layouts", 1),
        ("compared", 1),
        ("repeats", 1),
        ("predicted", 2),  # a sweep's grid, and the simulated values of the paper's machines
        ("since_1990", 1),
    ],
)
def test_the_page_has_the_tables_of_other_packages(name: str, times: int) -> None:
    assert tables_page().count(f"### {name}\n") == times


def test_every_column_is_described() -> None:
    assert "|  |\n" not in tables_page()


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "tables", "--format", "markdown"]) == 0
    assert capsys.readouterr().out == tables_page()


def test_other_lists_are_tables_of_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "engines", "--format", "markdown"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["| engine | description |", "| --- | --- |"]
    assert any(line.startswith("| rvsim | rvsim: ") for line in lines)
