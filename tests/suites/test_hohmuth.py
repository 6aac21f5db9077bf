# SPDX-License-Identifier: BSD-3-Clause
"""Hohmuth's two pages: as printed, as regenerated from unrounded values, and of our own runs."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from suite_runs import mcvoy, write_part
from unrounded import Printed, reference_lines, unrounded, unrounded_table

from osgap.analysis.reference import load_reference
from osgap.analysis.runs import placed_points
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.hohmuth import cells as hohmuth_cells
from osgap.suites.hohmuth.cells import Line
from osgap.suites.hohmuth.page_format import SHEETS, PageRow, page
from osgap.suites.hohmuth.runs import measured_lines, pages

SEED = "seeds/003_0cc1f16f25ecc700.txt"
TITLES = "                    L M B E N C H", "                L M B E N C H", "5.3 Interpretation"
CONTRADICTORY: set[tuple[str, str]] = set()
"""(host, column) of cells that no value explains on both pages: there is none."""


@pytest.fixture
def printed() -> pd.DataFrame:
    return load_reference("hohmuth_lmbench")


@pytest.fixture
def values() -> pd.DataFrame:
    return load_reference("hohmuth_reconstructed")


def printed_rows(printed: pd.DataFrame, name: str) -> list[PageRow]:
    own = printed[printed["page"] == name]
    rows: dict[tuple[str, str], dict[str, dict[str, str]]] = {}
    for cell in own.to_dict("records"):
        sheets = rows.setdefault((cell["host"], cell["os"]), {})
        sheets.setdefault(cell["table"], {})[cell["column"]] = str(cell["printed"])
    return [PageRow(host, system, cells) for (host, system), cells in rows.items()]


def published_pages(repository: Path) -> tuple[list[str], list[str]]:
    file = repository.parent / "shared" / SEED
    if not file.is_file():
        pytest.skip("the publication's text is not here")
    text = file.read_text()
    first, second, end = text.index(TITLES[0]), text.index("\n" + TITLES[1]), text.index(TITLES[2])
    return tuple(  # type: ignore[return-value]
        [line.rstrip() for line in part.strip("\n").rstrip().splitlines()]
        for part in (text[first:second], text[second:end])
    )


def test_every_cell_of_both_pages_is_there(printed: pd.DataFrame) -> None:
    counts = printed.groupby(["page", "table"]).size().to_dict()
    assert counts == {
        (name, table): 6 * cells
        for name in ("absolute", "relative")
        for table, cells in (("processes", 8), ("latencies", 5), ("bandwidths", 8), ("memory", 5))
    }
    cells = printed.set_index(["page", "table", "host", "column"])["printed"]
    assert cells["absolute", "processes", "carola.3", "null_call"] == "56"
    assert cells["relative", "processes", "carola.2", "sh_process"] == "*70.6K"
    assert cells["relative", "bandwidths", "carola.3", "pipe_bandwidth"] == "38%"
    assert cells["relative", "memory", "carola", "latency_l1"] == "-5.0"
    assert cells["relative", "memory", "carola.5", "latency_l1"] == "???"
    assert cells["absolute", "memory", "carola.4", "guess"] == "Bad mhz?"


@pytest.mark.parametrize("name", ["absolute", "relative"])
def test_the_printed_cells_are_the_publications_text(
    printed: pd.DataFrame, repository: Path, name: str
) -> None:
    relative = name == "relative"
    lines = page(printed_rows(printed, name), relative=relative, published=True)
    assert lines == published_pages(repository)[relative]


@pytest.mark.parametrize("name", ["absolute", "relative"])
def test_the_unrounded_values_give_both_pages_cell_by_cell(
    printed: pd.DataFrame, values: pd.DataFrame, name: str
) -> None:
    lines = reference_lines(values)
    made = hohmuth_cells.relative(lines) if name == "relative" else hohmuth_cells.absolute(lines)
    wrong = {
        (own.host, column)
        for own, want in zip(made, printed_rows(printed, name), strict=True)
        for sheet, cells in want.cells.items()
        for column, text in cells.items()
        if own.cells[sheet][column] != text
    }
    assert wrong == CONTRADICTORY
    relative = name == "relative"
    assert page(made, relative=relative) == page(printed_rows(printed, name), relative=relative)


def test_the_unrounded_values_are_what_the_print_allows(
    printed: pd.DataFrame, values: pd.DataFrame
) -> None:
    made = unrounded_table(printed)
    pd.testing.assert_frame_equal(made, values, check_dtype=False, rtol=1e-7)
    free = values["how"] == "free"
    assert values[free]["column"].tolist() == ["latency_l2"] * 2
    known = values[~free]
    assert (known["low"] <= known["value"]).all()
    assert (known["value"] <= known["high"]).all()
    whole = known[known["how"] == "whole"]
    assert (whole["value"] == whole["value"].round()).all()


def test_the_first_pages_integers_alone_do_not_give_the_second(printed: pd.DataFrame) -> None:
    lines = []
    for row in printed_rows(printed, "absolute"):
        cells = {name: text for own in row.cells.values() for name, text in own.items()}
        numbers = {
            name: float(text.removesuffix("K")) * (1000 if text.endswith("K") else 1)
            for name, text in cells.items()
            if name not in ("mhz", "guess") and text != "-"
        }
        lines.append(Line(row.host, row.system, 100, numbers))
    differ = sum(
        own.cells[sheet.name][name] != want.cells[sheet.name][name]
        for own, want in zip(
            hohmuth_cells.relative(lines), printed_rows(printed, "relative"), strict=True
        )
        for sheet in SHEETS
        for name, _ in sheet.columns
        if name != "mhz"
    )
    assert differ == 60


def test_cells_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ResultsError, match="pipe_bandwidth: its printed cells have no common"):
        unrounded("pipe_bandwidth", [Printed("22", "*22"), Printed("9", "60%")])


def line(host: str, **cells: float) -> Line:
    return Line(host, "Linux", 100, cells)


def second(lines: list[Line], sheet: str, column: str) -> list[str]:
    return [row.cells[sheet][column] for row in hohmuth_cells.relative(lines)]


def test_factors_percentages_and_stars() -> None:
    lines = [line("a", ctxsw_2=10.9), line("b", ctxsw_2=109.1), line("c", ctxsw_2=108.9)]
    assert second(lines, "processes", "ctxsw_2") == ["*10", "10", "10.0"]
    rates = [line("a", memory_read=61.9), line("b", memory_read=61.8), line("c")]
    assert second(rates, "bandwidths", "memory_read") == ["*61", "99%", "???"]
    forks = [line("a", null_process=1500), line("b", null_process=3000)]
    assert second(forks, "processes", "null_process") == ["*1.5K", "2.0"]
    first = [row.cells["processes"]["null_process"] for row in hohmuth_cells.absolute(forks)]
    assert first == ["2K", "3K"]


@pytest.mark.parametrize(
    ("latencies", "told"),
    [
        ((10, 190, 316), ""),
        ((10, 300, 316), "No L2 cache?"),
        ((10, 11, 316), "No L1 cache?"),
        ((-2, 190, 316), "Bad mhz?"),
        ((0, 190, 200), ""),
    ],
)
def test_guesses(latencies: tuple[float, ...], told: str) -> None:
    names = ("latency_l1", "latency_l2", "latency_memory")
    assert hohmuth_cells.guess(dict(zip(names, latencies, strict=True))) == told


def test_a_doubted_level_has_no_factor_and_is_no_best() -> None:
    doubted = line("a", latency_l1=10, latency_l2=90, latency_memory=100)
    sound = line("b", latency_l1=10, latency_l2=100, latency_memory=300)
    assert second([doubted, sound], "memory", "latency_l2") == ["???", "*100"]


@pytest.mark.slow
def test_the_pages_of_a_run(tmp_path: Path) -> None:
    direct = write_part(tmp_path / "sweep" / "a", mcvoy())
    write_part(tmp_path / "sweep" / "b", mcvoy(), calls="patch-optimised")
    parts = load_runs([tmp_path / "sweep"])
    assert [part.calls for part in parts] == ["direct", "patch-optimised"]
    assert parts[0].path == direct
    every = placed_points(parts)
    own = measured_lines(every)[0]
    assert own.values["null_call"] == pytest.approx(11)
    assert own.values["latency_memory"] == pytest.approx(410 + 50, rel=1e-3)
    assert own.values["pipe_bandwidth"] == pytest.approx(65536 / 2e6 * 1e3)
    lines = pages(every)
    heads = [text for text in lines if text.startswith("Host")]
    assert len(heads) == 8
    row = next(text for text in lines if text.startswith("base fixed"))
    assert row.split()[:6] == ["base", "fixed", "Linux", "20", "11", "0K"]
    assert any("Linux patch-optimised" in text and "No L2 cache?" in text for text in lines)


@pytest.mark.slow
def test_the_script_prints_what_is_missing_as_such(tmp_path: Path, repository: Path) -> None:
    few = tuple(bench for bench in mcvoy() if bench.name != "udp_latency")
    run = write_part(tmp_path / "run", few, clocks=(20, 80))
    command = [sys.executable, str(repository / "scripts" / "analyze.py"), str(run)]
    options = ["--table", "hohmuth", "--mhz", "80", "--series", "fixed"]
    done = subprocess.run(
        [*command, *options], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    rows = [text for text in done.stdout.splitlines() if text.startswith("base ")]
    assert len(rows) == 8
    assert rows[1].split()[3] == "-"
    assert rows[5].split()[3] == "???"
    assert rows[4].split()[3].startswith("*")
