# SPDX-License-Identifier: BSD-3-Clause
"""Every text table of every locked run fits a terminal of 80 columns, without a cut cell."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from narrow import Narrow, faults
from terminals import on_terminal

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.compare import compare
from osgap.analysis.runs import placed_points
from osgap.base.paths import project_root
from osgap.drawing.frame_table import frame_table
from osgap.printing.comparison import sides
from osgap.printing.formats import VIEWS, printed_tables
from osgap.printing.headline import headline
from osgap.printing.layouts import known_layouts
from osgap.printing.run import print_result
from osgap.printing.tables import arranged, compact_table, comparison_tables
from osgap.report.arrangement import folders_with_runs
from osgap.rundir.csvfile import ResultsError
from osgap.suites import combined_tables, load_runs
from osgap.suites.ousterhout.committed import committed_layouts, committed_runs
from osgap.suites.ousterhout.report import printed_tables as paper_printed
from osgap.suites.ousterhout.report import summary
from osgap.suites.ousterhout.tables import paper_tables

LOCKED = project_root() / "results" / "locked"
LAB = LOCKED / "lab"
FOLDERS = [name for name in folders_with_runs(LOCKED) if "/" in name]
USUAL = "lab/three-clocks"


def _print_run(terminal: Narrow, run: AnalysedRun) -> None:
    for name in [*VIEWS, *printed_tables()]:
        absent = printed_tables()[name].absent if name in printed_tables() else ""
        if name in VIEWS or name in run.tables:
            for item in arranged(run.tables, name, absent):
                terminal.console.print(item)


def _print_several(terminal: Narrow, runs: Sequence[AnalysedRun]) -> None:
    """Prints the headline and table of each view, and the tables over several runs."""
    groups = known_layouts(runs, [])
    for view in groups.views():
        terminal.console.print(headline(view.tables, view.bands) or "")
        terminal.console.print(compact_table(view.tables, view.bands))
    points = placed_points(runs)
    for combined in {**combined_tables(), **groups.combined()}.values():
        try:
            result = combined.compute(points)
        except ResultsError:
            continue
        # Pages that a publication printed keep their columns, which are wider.
        if not any(isinstance(item, str) and "  " in item for item in result.printed):
            print_result(terminal.console, result, combined.table)


def _tables_of(folder: Path) -> str:
    terminal = Narrow()
    runs = load_runs([folder])
    for run in runs:
        _print_run(terminal, run)
    _print_several(terminal, runs)
    return terminal.text


@pytest.mark.slow
def test_the_tables_of_a_locked_run() -> None:
    assert faults(_tables_of(LOCKED / USUAL)) == []


@pytest.mark.long
@pytest.mark.parametrize("folder", [name for name in FOLDERS if name != USUAL])
def test_the_tables_of_every_other_locked_run(folder: str) -> None:
    assert faults(_tables_of(LOCKED / folder)) == []


@pytest.mark.slow
def test_a_comparison() -> None:
    terminal = Narrow()
    for item in comparison_tables(compare(*sides(LAB / "three-clocks", LAB / "160mhz"))):
        terminal.console.print(item)
    assert faults(terminal.text) == []


@pytest.mark.long
@pytest.mark.parametrize("year", [1989, 1990])
def test_the_papers_tables(year: int) -> None:
    runs = committed_runs(year, period=False)
    layouts = committed_layouts(runs) if year == 1990 else {}
    tables = paper_tables(runs, layouts, year)
    terminal = Narrow()
    for item in paper_printed(tables, list(tables)):
        terminal.console.print(item)
    assert faults(terminal.text) == []
    together = tables["agreement"][tables["agreement"]["table"] == "all"]
    sentences = list(summary(tables))
    assert len(sentences) == len(together)
    for sentence, ratio in zip(sentences, together["ratio"], strict=True):
        assert f"is {ratio:.2f} times the paper's" in sentence


@pytest.mark.slow
def test_a_real_terminal() -> None:
    """The whole command: its headline, bold headings, and a table of points."""
    text = on_terminal("--no-pager", "analyze", str(LAB / "three-clocks"), "--table", "points")
    assert "20mhz-bdf5" in text and faults(text) == []


def test_faults_are_found() -> None:
    """Each kind, planted; two tables may have equal rows."""
    rule = "─" * 9
    assert faults(f"t\na  b\n{rule}\nx  1\n\nt\na  b\n{rule}\nx  1\n") == []
    assert faults(f"t\na  b\n{rule}\nx  1\nx  1\n") == ["2 times: x  1"]
    assert faults("x" * 81) == ["wide: " + "x" * 81]
    assert faults("0.4…") == ["cut: 0.4…"]
    terminal = Narrow()
    terminal.console.print(frame_table(printed_tables()["points"].frame([]), "no rows"))
    assert faults(terminal.text) == []
