# SPDX-License-Identifier: BSD-3-Clause
"""Titles and marks of figures agree with the committed tables."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from osgap.analysis.layouts.values import MEAN
from osgap.analysis.reference import load_reference
from osgap.base.paths import project_root
from osgap.drawing import style
from osgap.drawing.display_names import machine_name
from osgap.drawing.figure import NothingToDraw, discover, save
from osgap.drawing.labels import label_ends
from osgap.drawing.panels import name_equal_series
from osgap.figures import OF_A_RUN, _grid, _rows
from osgap.figures import _findings as findings
from osgap.figures.attribution import OTHER_WORK
from osgap.rundir.csvfile import read_table
from osgap.suites.ousterhout import FIGURES

LOCKED = project_root() / "results" / "locked"


def committed(folder: str, *names: str) -> dict[str, pd.DataFrame]:
    """Returns tables of a committed folder, read without their declarations."""
    return {name: read_table(LOCKED / folder / "tables" / f"{name}.csv") for name in names}


def words(figure: Figure) -> str:
    return "\n".join(text.get_text() for text in figure.texts)


def marked(axes: Axes, label: str) -> tuple[np.ndarray, np.ndarray]:
    """Returns x and y of the marks whose label begins so."""
    (line,) = (one for one in axes.get_lines() if str(one.get_label()).startswith(label))
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


@pytest.fixture(scope="module")
def dumbbell() -> Figure:
    return discover(FIGURES)["figure1"].draw(committed("paper/period", "means"))


def test_the_printed_and_the_null_models_means_are_the_tables(dumbbell: Figure) -> None:
    (axes,) = dumbbell.axes
    means = committed("paper/period", "means")["means"]
    order = means.drop_duplicates("machine").sort_values("mips", kind="stable")
    assert marked(axes, "printed in 1990")[0].tolist() == order["paper"].tolist()
    assert marked(axes, "null model")[0].tolist() == order["null"].tolist()
    labels = [label.get_text().partition(",")[0] for label in axes.get_yticklabels()]
    assert labels == [machine_name(name) for name in order["machine"]]


def test_the_legend_counts_the_machines_that_are_near(dumbbell: Figure) -> None:
    means = committed("paper/period", "means")["means"]
    compared = means[(means["machine"] != "MVAX2") & (means["engine"] == "gem5")]
    ratio = compared["simulated"] / compared["paper"]
    near = int(((ratio >= 0.8) & (ratio <= 1.25)).sum())
    (legend,) = dumbbell.legends
    assert f"gem5: {near} of 9 within 25 %" in [text.get_text() for text in legend.get_texts()]


def test_intervals_are_drawn_where_the_table_has_them(dumbbell: Figure) -> None:
    means = committed("paper/period", "means")["means"].dropna(subset=["simulated_low"])
    drawn = [
        list(np.asarray(line.get_xdata()))
        for line in dumbbell.axes[0].get_lines()
        if line.get_alpha()
    ]
    assert drawn == means[["simulated_low", "simulated_high"]].to_numpy().tolist()


@pytest.mark.slow
def test_kernel_entry_is_a_part_only_where_the_runs_spend_it() -> None:
    draw = discover(FIGURES)["explained"].draw
    names = ("explained", "means", "entry")
    spent, not_spent = (
        draw(committed(folder, *names)) for folder in ("paper/causes", "paper/period")
    )
    assert "kernel entry" in [text.get_text() for text in spent.legends[0].get_texts()]
    assert "kernel entry" not in [text.get_text() for text in not_spent.legends[0].get_texts()]


def test_the_title_has_the_means_interval_over_layouts() -> None:
    tables = committed("curve/default", "geomean", "elasticity", "layouts", "points")
    tables["reference/figure1_geomeans"] = load_reference("figure1_geomeans")
    text = words(discover(OF_A_RUN)["scaling"].draw(tables))
    means, layouts = tables["geomean"], tables["layouts"]
    last = means[(means["set"] == "figure1") & (means["series"] == "fixed")].iloc[-1]
    rows = layouts[(layouts["quantity"] == MEAN) & (layouts["set"] == "figure1")]
    row = rows[(rows["series"] == "fixed") & (rows["clock_mhz"] == last["clock_mhz"])].iloc[0]
    low = round(last["mips_ratio"] * min(row["low"], last["geomean"]))
    high = round(last["mips_ratio"] * max(row["high"], last["geomean"]))
    faster = round(last["mips_ratio"])
    gain = f"{low} to {high}" if low != high else f"{low}"
    assert text.startswith(
        f"A processor {faster} times faster made the operating system {gain} times faster\n"
    )
    assert "line: one layout of code and data in memory; band: 95 % of all layouts" in text


def test_memories_are_a_grid_of_r() -> None:
    tables = committed("prediction/latency-bandwidth/rvsim", "geomean", "elasticity", "points")
    tables["reference/figure1_geomeans"] = load_reference("figure1_geomeans")
    (axes,) = discover(OF_A_RUN)["scaling"].draw(tables).axes
    means = tables["geomean"]
    fastest = means[(means["set"] == "figure1") & (means["clock_mhz"] == 320)]
    cells = [text.get_text() for text in axes.texts if "." in text.get_text()]
    assert sorted(cells) == sorted(f"{mean:.2f}" for mean in fastest["geomean"])
    own = fastest.loc[fastest["series"] == "fixed", "geomean"].iloc[0]
    (note,) = (text for text in axes.texts if "own memory" in text.get_text())
    (cell,) = (
        text
        for text in axes.texts
        if text.get_position()[0] == note.get_position()[0]
        and text.get_text() == f"{own:.2f}"
        and abs(text.get_position()[1] - note.get_position()[1]) < 0.5
    )
    assert [label.get_text() for label in axes.get_yticklabels()] == ["100", "200", "400"]
    assert cell.get_position() == (1, 1)


def test_series_of_networks_are_no_cells_of_memories() -> None:
    tables = committed("prediction/latency-bandwidth/rvsim", "geomean", "elasticity", "points")
    means = tables["geomean"]
    faster = means.assign(series=means["series"] + "-net100", geomean=9.0)
    assert not _grid.present(faster) and _grid.present(means)
    both = pd.concat([means, faster], ignore_index=True)
    (axes,) = _grid.draw(tables, both[both["set"] == "figure1"]).axes
    (plain,) = _grid.draw(tables, means[means["set"] == "figure1"]).axes
    drawn, alone = ([text.get_text() for text in one.texts] for one in (axes, plain))
    assert drawn == alone and not [text for text in drawn if text.startswith("9")]


@pytest.mark.slow
def test_a_batch_with_more_instructions_has_a_mark() -> None:
    tables = committed("curve/default", "points", "attribution")
    figure = discover(OF_A_RUN)["attribution_others"].draw(tables)
    titles = {axes.get_title().partition("\n")[0]: axes for axes in figure.axes}
    places = tables["points"][["key", "clock_mhz", "memory", "disk"]]
    fixed = tables["attribution"].merge(places.query("memory == disk == 'fixed'"), on="key")
    for title, benchmark in (
        ("bcopy, cached", "bcopy_cached"),
        ("memory latency", "pointer_chase_memory"),
        ("L1 latency", "pointer_chase_l1"),
    ):
        own = fixed[fixed["benchmark"] == benchmark].drop_duplicates("key").sort_values("clock_mhz")
        more = own["insts"] > OTHER_WORK * own["insts"].median()
        marked = [text.get_position()[0] for text in titles[title].texts]
        assert marked == list(np.flatnonzero(more))
        assert bool(marked) == (benchmark != "pointer_chase_l1")


def test_no_steps_between_sizes_are_listed() -> None:
    table = pd.DataFrame({"benchmark": ["getpid", "create_delete_2k", "create_delete_10k"]})
    assert _rows.main_rows(table)["benchmark"].tolist() == ["getpid"]
    assert _rows.other_rows(table)["benchmark"].tolist() == ["create_delete_10k"]
    with pytest.raises(NothingToDraw, match="no benchmark but those"):
        _rows.appendix_rows(table[:2], "times_others")


def test_ends_that_meet_share_a_label() -> None:
    figure = Figure(figsize=(4, 3))
    axes = figure.add_subplot()
    axes.set_ylim(0, 1)
    label_ends(
        axes, [(1, 0.5, "one", "red"), (1, 0.503, "two", "blue"), (1, 0.52, "three", "green")]
    )
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["one =\ntwo", "three"]
    low, high = (text.xyann[1] for text in axes.texts)  # type: ignore[attr-defined]
    assert high - low > 0.05


def test_every_entity_and_series_has_a_colour_of_its_own() -> None:
    engines = style.entity_colours([*style.ENTITIES, *"abcdefghi"])
    assert (
        len({engines[name] for name in ("rvsim", "gem5", "rvsim_period", "gem5_period", *"abc")})
        == 7
    )
    looks = style.series_style(f"fixed-lat{at}" for at in range(100, 118))
    assert len({look["color"] for look in looks.values()}) == len(looks)


def test_a_png_is_1500_pixels_wide_with_a_palette(tmp_path: Path) -> None:
    figure = Figure(figsize=(7.5, 2))
    figure.add_subplot()
    (file,) = save(figure, tmp_path / "one", ["png"])
    with Image.open(file) as image:
        assert image.size == (1500, 400) and image.mode == "P"


def test_series_that_lie_on_one_another_are_named() -> None:
    rows = pd.DataFrame(
        {
            "series": ["fixed", "fixed", "memory", "memory", "both", "both"],
            "clock_mhz": [20, 80] * 3,
            "ns_per_op": [4.0, 2.0, 4.0, 1.0, 4.05, 1.01],
        }
    )
    axes = Figure().add_subplot()
    name_equal_series(axes, rows, ["ns_per_op"])
    assert [text.get_text() for text in axes.texts] == ["clock and memory = clock, memory and disk"]


@pytest.mark.parametrize(
    ("missing", "subject"),
    [("", "the operating system"), (np.nan, "the operating system"), ("read", "some benchmarks")],
)
def test_a_mean_that_lacks_rows_is_not_called_the_operating_system(
    missing: object, subject: str
) -> None:
    assert findings.subject(pd.Series({"geomean": 0.5, "not_run": missing})) == subject
