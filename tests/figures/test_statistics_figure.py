# SPDX-License-Identifier: BSD-3-Clause
"""gem5's statistics drawn from dump to dump."""

from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure
from stats_texts import write_stats
from streams import streams

from osgap.cli.main import main
from osgap.drawing.figure import FigureError, NothingToDraw, discover, drawn
from osgap.figures import OF_STATISTICS
from osgap.gem5stats.frame import over_dumps
from osgap.gem5stats.tree import read


def _rows(files: int = 1, statistics: int = 1, dumps: int = 2, ticks: float = 5.0) -> pd.DataFrame:
    rows = [
        (f"runs/{file}/stats.txt", dump, ticks * dump, f"s{at}", "(Count/Cycle)", file + dump)
        for file in range(files)
        for dump in range(dumps)
        for at in range(statistics)
    ]
    columns = ["file", "dump", "ticks", "statistic", "unit", "value"]
    return pd.DataFrame(rows, columns=columns)


def _draw(rows: pd.DataFrame) -> Figure:
    return drawn(discover(OF_STATISTICS)["dumps"], {"dumps": rows})


def _lines(figure: Figure) -> list[list[list[float]]]:
    return [[line.get_xydata().tolist() for line in axes.lines] for axes in figure.axes]


def test_a_statistic_has_a_panel_and_a_file_a_line() -> None:
    rows = _rows(files=2, statistics=3)
    figure = _draw(rows[~rows["file"].str.startswith("runs/1") | (rows["statistic"] != "s0")])
    first, second = [[0, 0], [5, 1]], [[0, 1], [5, 2]]
    assert _lines(figure) == [[first], [first, second], [first, second], []]
    assert [axes.get_title() for axes in figure.axes] == ["s0", "s1", "s2", ""]
    assert figure.axes[0].get_ylabel() == "Count/Cycle"
    assert [text.get_text() for text in figure.legends[0].texts] == ["0/stats.txt", "1/stats.txt"]
    assert figure.get_supxlabel() == "simulated time (ticks)"


def test_without_simulated_time_the_dumps_are_numbered() -> None:
    figure = _draw(_rows(ticks=float("nan")))
    assert _lines(figure) == [[[[0, 0], [1, 1]]]] and figure.get_supxlabel() == "dump"
    assert not figure.legends


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (_rows(statistics=13), "--select: found 13 statistics; allowed: 12 in a figure"),
        (_rows(files=24), "--stats: found 24 files; allowed: 23 in a figure"),
        (_rows(dumps=1), "found one dump of each file; allowed: several"),
    ],
)
def test_what_shows_nothing_is_refused(rows: pd.DataFrame, told: str) -> None:
    with pytest.raises((FigureError, NothingToDraw), match=told):
        _draw(rows)


def test_the_table_has_gem5s_time_and_units(tmp_path: Path) -> None:
    path = write_stats(tmp_path / "stats.txt", {"x": 3, "finalTick": 8}, {"x": 4})
    rows = over_dumps({tmp_path: read(tmp_path, "x"), path: read(path, "x")})
    assert rows["file"].tolist() == [str(path)] * 4 and rows["value"].tolist() == [3, 4] * 2
    assert rows["ticks"][0] == 8 and rows["ticks"].isna().tolist() == [False, True] * 2
    assert set(rows["unit"]) == {"Count"}


@pytest.mark.slow
def test_the_command_draws_and_tells_what_is_left_out(tmp_path: Path) -> None:
    file = write_stats(tmp_path / "m5out" / "stats.txt", {"x": 1}, {"x": 4})
    file.write_text(file.read_text() + "---------- Begin Simulation Statistics ----------\nx 9 \n")
    words = ["plot", "--stats", str(file.parent), "--select", "x", "--output", str(tmp_path / "o")]
    with streams() as (out, err):
        assert main([*words, "--differences", "--format", "svg"]) == 2
    (made,) = (tmp_path / "o" / "figures").iterdir()
    assert out.text().strip() == str(made) and made.suffix == ".svg"
    assert "has no end line: the file is cut" in err.text()
    with streams() as (_, err):
        assert main(["plot"]) == 2
    assert "give either RUN or --stats DIR" in err.text()
