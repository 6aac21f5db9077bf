# SPDX-License-Identifier: BSD-3-Clause
"""What analyze, compare and the figure of scaling make of layouts."""

import io
import json
from pathlib import Path

import pandas as pd
import pytest
from analysed_runs import UNCHANGED
from matplotlib.collections import PolyCollection
from synthetic_layouts import varied, write_layout, write_layouts

from osgap.analysis.compare import compare, notes
from osgap.analysis.layouts.difference import DIFFERENCE_COLUMNS
from osgap.base.terminal import make_console
from osgap.drawing.figure import discover
from osgap.figures import OF_A_RUN, _bands
from osgap.printing.comparison import sides
from osgap.printing.run import print_runs
from osgap.rundir.csvfile import ResultsError, read_table
from osgap.rundir.load import load_run
from osgap.suites import analyze

pytestmark = pytest.mark.slow
SPREAD = 0.05


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten layouts; ten of another system's kind, shifted; a single run, and one that is far off."""
    path = tmp_path_factory.mktemp("made")
    write_layouts(path / "ten", 10, SPREAD)
    write_layouts(path / "same", 10, SPREAD, first=30)
    write_layouts(path / "moved", 10, SPREAD, first=30, shifts={"cswitch": 3 * SPREAD})
    write_layout(path / "one", 0, varied(50, SPREAD), digest="one")
    # 3 standard deviations of a difference of two, and what this layout itself happens to have.
    shift = {"read": 5 * SPREAD * 2**0.5}
    write_layout(path / "far", 0, varied(50, SPREAD, shift), digest="far")
    UNCHANGED.add(path)
    return path


def _printed(paths: list[Path], *names: str, **options: object) -> str:
    stream = io.StringIO()
    print_runs(make_console(stream), paths, names, **options)  # type: ignore[arg-type]
    return stream.getvalue()


def _differing(tables: dict[str, pd.DataFrame], column: str) -> set[str]:
    compared = tables["compared"]
    return set(compared[compared[column] == "yes"]["benchmark"])


def test_layouts_are_printed_as_one_run_with_intervals(made: Path, tmp_path: Path) -> None:
    text = _printed([made / "ten"], output=tmp_path / "out")
    assert text.startswith("rvsim, base, default: 10 layouts:\nA processor 16 times faster made ")
    assert text.count("geometric mean, Ousterhout 1990") == 1
    mean = next(line for line in text.splitlines() if "geometric mean" in line)
    rows = read_table(tmp_path / "out" / "tables" / "layouts.csv")
    own = rows[(rows["set"] == "figure1") & (rows["series"] == "fixed")].iloc[0]
    assert f"{own['estimate']:.2f} [{own['low']:.2f}, {own['high']:.2f}]" in mean
    speeds = rows[rows["quantity"] == "R"]
    wide = int((speeds["wide"] == "yes").sum())
    assert f"{wide} of {len(speeds)} R are wider" in text
    marked = [line for line in text.splitlines() if line.startswith("|") and "]*" in line]
    assert bool(marked) == bool(wide)


def test_a_single_run_gets_the_intervals_of_others(made: Path, tmp_path: Path) -> None:
    text = _printed([made / "one"], output=tmp_path / "out", layouts=[made / "ten"])
    assert "where one more layout lies with 95 %, from 10 layouts" in text
    assert {"layouts.csv", "relative.csv"} <= {
        path.name for path in (tmp_path / "out" / "tables").iterdir()
    }
    with pytest.raises(ResultsError, match="has no two layouts of the system of"):
        _printed([made / "one"], layouts=[made / "far"])


def test_a_single_run_alone_is_as_before(made: Path, tmp_path: Path) -> None:
    text = _printed([made / "one"], output=tmp_path / "out")
    assert "[" not in text.split("|")[0] and "brackets" not in text
    assert "layouts.csv" not in {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    with pytest.raises(ResultsError, match="no system has runs of two layouts"):
        _printed([made / "one"], "covered")


def test_the_table_in_json_at_one_clock_of_one_series(made: Path, tmp_path: Path) -> None:
    text = _printed(
        [made / "ten"],
        "layouts",
        format="json",
        series=["memory"],
        clocks=[320.0],
        output=tmp_path / "out",
    )
    rows = json.loads(text)
    assert {row["series"] for row in rows} == {"memory"}
    assert {row["clock_mhz"] for row in rows} == {320}


def test_covered_counts_the_rows(made: Path, tmp_path: Path) -> None:
    text = _printed(
        [made / "one"], "covered", format="csv", layouts=[made / "ten"], output=tmp_path / "out"
    )
    frame = pd.read_csv(io.StringIO(text))
    speeds = frame[frame["quantity"] == "R"]
    assert (speeds["covered"] == "yes").mean() >= 0.9 and len(speeds) == 20
    shown = _printed([made / "one"], "covered", layouts=[made / "ten"], output=tmp_path / "out")
    assert "rows of a run that lie where one more layout would" in shown


def test_two_single_runs_differ_where_layouts_do_not_explain_it(made: Path) -> None:
    tables = compare(*sides(made / "one", made / "far", [made / "ten"]))
    assert _differing(tables, "time_differs") == _differing(tables, "relative_differs") == {"read"}
    told = notes(tables)
    assert told[2].startswith("times differ by more than the layouts do: 4 of")
    assert told[3].startswith("R differs by more than the layouts do: 4 of 20 rows: read (4)")


def test_a_run_does_not_differ_from_itself(made: Path) -> None:
    tables = compare(*sides(made / "one", made / "one", [made / "ten"]))
    assert _differing(tables, "time_differs") == _differing(tables, "relative_differs") == set()


@pytest.mark.long
def test_means_over_layouts_are_told_apart_by_less(made: Path) -> None:
    same, moved = (compare(*sides(made / "ten", made / name)) for name in ("same", "moved"))
    assert _differing(moved, "relative_differs") == {"cswitch"}
    # One row in twenty may: of one benchmark here.
    compared = same["compared"]
    judged_rows = compared[compared["relative_differs"] != ""]
    assert len(judged_rows) == 20 and (judged_rows["relative_differs"] == "yes").sum() <= 2
    first = tables_limit(moved, "cswitch")
    single = tables_limit(compare(*sides(made / "one", made / "far", [made / "ten"])), "cswitch")
    assert 1 < first < single


def tables_limit(tables: dict[str, pd.DataFrame], name: str) -> float:
    compared = tables["compared"]
    own = compared[(compared["benchmark"] == name) & (compared["clock_mhz"] == 320)]
    return float(own["relative_limit"].iloc[0])


def test_one_run_beside_the_layouts_it_is_none_of(made: Path) -> None:
    tables = compare(*sides(made / "ten", made / "far"))
    assert _differing(tables, "relative_differs") == {"read"}


def test_runs_without_layouts_are_not_judged(made: Path) -> None:
    tables = compare(*sides(made / "one", made / "far"))
    assert not {column.name for column in DIFFERENCE_COLUMNS} & set(tables["compared"].columns)
    assert len(notes(tables)) == 2
    with pytest.raises(ResultsError, match="has no two layouts of the system of either run"):
        sides(made / "one", made / "far", [made / "far"])
    with pytest.raises(ResultsError, match=r"--layouts: found beside .*which hold several layouts"):
        sides(made / "ten", made / "same", [made / "ten"])
    with pytest.raises(ResultsError, match="one run, or one of each layout of a system"):
        sides(made, made / "far")


def test_the_figure_has_a_band_for_each_series_that_has_layouts(made: Path, tmp_path: Path) -> None:
    print_runs(
        make_console(io.StringIO()),
        [made / "one"],
        output=tmp_path / "out",
        layouts=[made / "ten"],
    )
    tables = dict(analyze(load_run(made / "one")))
    tables["reference/figure1_geomeans"] = pd.DataFrame(
        {"machine": ["MVAX2"], "mips": [0.9], "gm_local_unix": [1.0]}
    )
    draw = discover(OF_A_RUN)["scaling"].draw
    assert _polygons(draw(tables)) == 0
    layouts = read_table(tmp_path / "out" / "tables" / "layouts.csv")
    figure = draw({**tables, "layouts": layouts})
    assert _polygons(figure) == 4
    (legend,) = figure.legends
    assert _bands.LABEL in [text.get_text() for text in legend.get_texts()]


def _polygons(figure: object) -> int:
    """The bands, without the one that is drawn for the legend alone."""
    (axes,) = figure.axes  # type: ignore[attr-defined]
    found = [c for c in axes.collections if isinstance(c, PolyCollection)]
    return sum(1 for band in found if band.get_label() != _bands.LABEL)
