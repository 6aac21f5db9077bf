# SPDX-License-Identifier: BSD-3-Clause
"""Figures: found by their files, drawn from the tables, the same every time."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from synthetic import BENCHES, write_run

from osgap.analysis.reference import load_reference
from osgap.analysis.tables import read_tables, write_tables
from osgap.base.errors import OsgapError
from osgap.drawing.display_names import benchmark_name, machine_name
from osgap.drawing.figure import discover, render, save
from osgap.drawing.labels import wrapped
from osgap.figures import OF_A_RUN, run_figures
from osgap.figures.times import time_label
from osgap.rundir.load import load_run
from osgap.suites import analyze

NAMES = ("attribution", "attribution_others", "scaling", "times", "times_others")
OF_SERVERS = "remote_time"
"""Only runs with files on a server have this figure (tests/analysis/test_remote_time.py)."""


@pytest.fixture(scope="module")
def written_analysed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An analysed run of few benchmarks, since each panel takes long to draw."""
    tmp_path = tmp_path_factory.mktemp("analysed")
    few = {"integer_mix", "cswitch", "read", "create_delete_0"}
    benches = tuple(bench for bench in BENCHES if bench.name in few)
    run = write_run(tmp_path / "run", benches=benches)
    write_tables(analyze(load_run(run)), run / "tables")
    return run


@pytest.fixture
def analysed(written_analysed: Path, tmp_path: Path) -> Path:
    """The same, of the test's own."""
    return Path(shutil.copytree(written_analysed, tmp_path / "run"))


def draw_scaling(analysed: Path) -> Figure:
    tables = read_tables(analysed / "tables", ["geomean"])
    tables["reference/figure1_geomeans"] = load_reference("figure1_geomeans")
    return discover(OF_A_RUN)["scaling"].draw(tables)


def test_the_figures_are_found() -> None:
    figures = run_figures()
    simulated = tuple(name for name, one in figures.items() if one.shows("rvsim"))
    assert simulated == tuple(sorted((*NAMES, OF_SERVERS)))
    native = {name for name, one in figures.items() if one.shows("native")}
    assert (
        native
        == {"figure1_measured", "measured_times", "since_1990"}
        == set(figures) - set(simulated)
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_the_same_bytes_again(analysed: Path, tmp_path: Path, name: str) -> None:
    figure = discover(OF_A_RUN)[name]
    first = render(figure, analysed / "tables", tmp_path / "a")
    second = render(figure, analysed / "tables", tmp_path / "b")
    assert [file.name for file in first] == [f"{name}.svg", f"{name}.png"]
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()
    assert b"<dc:date>" not in first[0].read_bytes()
    assert first[1].read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_the_scaling_curve_shows_every_series_and_machine(analysed: Path) -> None:
    axes = draw_scaling(analysed).axes[0]
    lines = {str(line.get_label()): line for line in axes.get_lines()}
    both = lines["clock, memory and disk"]
    assert np.asarray(both.get_xdata()).tolist() == pytest.approx([1, 4, 16], rel=1e-5)
    assert np.asarray(both.get_ydata()).tolist() == pytest.approx([1, 1, 1])
    paper = lines["Ousterhout 1990, the same rows"]
    reference = load_reference("figure1_geomeans")
    assert np.asarray(paper.get_ydata()).tolist() == reference["gm_local_unix"].tolist()
    assert np.asarray(paper.get_xdata()).tolist() == pytest.approx(
        (reference["mips"] / 0.9).tolist()
    )
    labels = {text.get_text() for text in axes.texts}
    assert {machine_name(name) for name in reference["machine"]} <= labels
    ends = {text for text in labels if ": " in text and "R" not in text}
    assert ends == {f"{labelled(line)}: {line.get_ydata()[-1]:.2f}" for line in series_lines(axes)}


def series_lines(axes: Axes) -> list[Any]:
    """Returns the lines of the series, without guides and printed points."""
    return [line for line in axes.get_lines() if str(line.get_label()).startswith("clock")]


def labelled(line: Any) -> str:
    return wrapped(str(line.get_label()))


@pytest.mark.slow
def test_labels_keep_clear_of_each_other_and_of_the_edge(analysed: Path) -> None:
    figure = draw_scaling(analysed)
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    axes = figure.axes[0]
    names = {machine_name(name) for name in load_reference("figure1_geomeans")["machine"]}
    found = [text for text in axes.texts if text.get_text() in names]
    boxes = [Text.get_window_extent(text, renderer) for text in found]
    assert len(boxes) == 10
    frame = axes.get_window_extent(renderer)
    for at, box in enumerate(boxes):
        assert frame.x0 <= box.x0
        assert box.x1 <= frame.x1
        assert not any(box.overlaps(other) for other in boxes[at + 1 :])


def test_times_has_a_panel_for_each_benchmark(analysed: Path) -> None:
    tables = read_tables(analysed / "tables", ["points", "times"])
    drawn = discover(OF_A_RUN)
    figures = [drawn[name].draw(tables) for name in ("times", "times_others")]
    main, others = (
        {axes.get_title().replace("\n", " "): axes for axes in figure.axes if axes.get_visible()}
        for figure in figures
    )
    pairs = tables["times"][["benchmark", "fs"]].drop_duplicates().itertuples(index=False)
    assert {*main, *others} == {benchmark_name(*pair) for pair in pairs}
    assert set(others) == {"MIPS rating"}
    labels = {
        str(line.get_label()) for line in main["create-delete, empty (synchronous)"].get_lines()
    }
    assert labels == {
        "as fast as the clock",
        "clock only",
        "clock and memory",
        "clock and disk",
        "clock, memory and disk",
    }


def test_attribution_bars_fill_the_panel(analysed: Path) -> None:
    tables = read_tables(analysed / "tables", ["points", "attribution"])
    axes = discover(OF_A_RUN)["attribution"].draw(tables).axes[0]
    tops = [bar.get_y() + bar.get_height() for bar in axes.patches if isinstance(bar, Rectangle)]
    assert len(tops) == 4 * 3
    assert tops[-3:] == pytest.approx([1, 1, 1], abs=1e-5)


def test_a_figure_without_data_says_so(analysed: Path) -> None:
    file = analysed / "tables" / "attribution.csv"
    file.write_text(file.read_text().splitlines()[0] + "\n")
    with pytest.raises(OsgapError, match="attribution: no finished point"):
        render(discover(OF_A_RUN)["attribution"], analysed / "tables", analysed / "figures")


def test_a_missing_table_is_named(analysed: Path) -> None:
    (analysed / "tables" / "times.csv").unlink()
    with pytest.raises(OsgapError, match=r"times\.csv: cannot be read"):
        render(discover(OF_A_RUN)["times"], analysed / "tables", analysed / "figures")


def test_a_module_without_a_declaration_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("TABLES = ['points']\n")
    with pytest.raises(OsgapError, match=r"bad\.py: declares no TABLES or no draw"):
        discover(tmp_path)


def test_different_figures_differ(tmp_path: Path) -> None:
    one, other = Figure(), Figure()
    other.add_subplot()
    first, second = save(one, tmp_path / "one"), save(other, tmp_path / "other")
    assert all(a.read_bytes() != b.read_bytes() for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize(
    ("nanoseconds", "text"), [(0.5, "0.5 ns"), (20, "20 ns"), (3e4, "30 µs"), (1e9, "1 s")]
)
def test_time_labels(nanoseconds: float, text: str) -> None:
    assert time_label(nanoseconds) == text
