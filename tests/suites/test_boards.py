# SPDX-License-Identifier: BSD-3-Clause
"""Predicted values of boards from runs whose times are known."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from board_runs import measured_times, write_board
from synthetic import Bench, write_run

from osgap.analysis import student
from osgap.analysis.tables import write_tables
from osgap.drawing.figure import FigureError, discover, drawn, render
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.boards import FIGURES
from osgap.suites.boards.beside import beside
from osgap.suites.boards.results import board_runs, board_tables, rows_of
from osgap.suites.boards.rows import BoardRow, load_rows
from osgap.suites.boards.simulated import image_group, simulated_boards
from osgap.suites.boards.tables import board_table

FEW = ("syscall_null", "syscall_read", "syscall_write", "chase_16m", "mem", "memcpy")


@pytest.fixture(scope="module")
def rows() -> list[BoardRow]:
    return load_rows()


def table(paths: list[Path], rows: list[BoardRow], board: str = "d1") -> pd.DataFrame:
    own = rows_of(rows, board)
    return board_table(own, simulated_boards(load_runs(paths), [board])).set_index("row")


def few(*names: str, board: str = "d1") -> dict[str, Bench]:
    """The benches of some benchmarks, as long as was measured."""
    return {name: bench for name, bench in measured_times(board).items() if name in names}


@pytest.mark.parametrize(
    "board",
    ["d1", *(pytest.param(name, marks=pytest.mark.slow) for name in ("visionfive2", "p550"))],
)
def test_what_takes_as_long_as_measured_has_ratio_one(
    board: str, rows: list[BoardRow], tmp_path: Path
) -> None:
    found = table([write_board(tmp_path / "run", board)], rows, board)
    counted = found[found["counted"] == "yes"]
    of_image = {row.name for row in rows if row.board == board and row.counts_on("distro")}
    assert set(counted.index) == of_image
    # A time of the guest's clock is a whole number of ns.
    assert counted["ratio"].tolist() == pytest.approx([1] * len(counted), rel=2e-3)
    assert counted["predicted"].tolist() == pytest.approx(counted["measured"].tolist(), rel=2e-3)
    assert (counted["layouts"] == 1).all() and counted["ratio_low"].isna().all()
    assert (found.loc[found["comparable"] == "no", "why"] != "").all()


def test_twice_the_time_is_half_the_rate(rows: list[BoardRow], tmp_path: Path) -> None:
    benches = few("memcpy", "syscall_null")
    found = table([write_board(tmp_path / "run", "d1", slower=2, benches=benches)], rows)
    assert found.loc["null call", "predicted"] == pytest.approx(2 * 0.61, rel=1e-3)
    assert found.loc["memcpy", "predicted"] == pytest.approx(
        found.loc["memcpy", "measured"] / 2, rel=1e-3
    )
    assert found.loc[["null call", "memcpy"], "ratio"].tolist() == pytest.approx([2, 2], rel=1e-3)


def test_the_interval_over_layouts_is_students(rows: list[BoardRow], tmp_path: Path) -> None:
    factors = [1.0, 1.1, 1.3]
    paths = [
        write_board(
            tmp_path / f"{layout}",
            "d1",
            layout=layout,
            slower=factor,
            benches=few("memcpy", "syscall_null"),
        )
        for layout, factor in enumerate(factors)
    ]
    found = table(paths, rows)
    logs = np.log(factors)
    half = student.quantile(2, 0.975) * logs.std(ddof=1) / np.sqrt(3)
    wanted = np.exp([logs.mean(), logs.mean() - half, logs.mean() + half])
    ratios = ["ratio", "ratio_low", "ratio_high"]
    for name in ("null call", "memcpy"):
        assert found.loc[name, ratios].tolist() == pytest.approx(wanted.tolist(), rel=1e-3)
        low, middle, high = found.loc[name, ["predicted_low", "predicted", "predicted_high"]]
        assert low < middle < high
    assert found.loc["null call", "layouts"] == 3
    rate = found.loc["memcpy"]
    assert rate["predicted_low"] == pytest.approx(rate["measured"] / wanted[2], rel=1e-3)


def test_runs_of_one_layout_are_taken_together(rows: list[BoardRow], tmp_path: Path) -> None:
    calls = write_board(
        tmp_path / "a", "d1", slower=1.2, benches=few("syscall_null", "syscall_read")
    )
    more = write_board(
        tmp_path / "b", "d1", slower=1.4, benches=few("syscall_null", "syscall_write")
    )
    found = table([calls, more], rows)
    assert found.loc["null call", "ratio"] == pytest.approx(1.3, rel=1e-3)
    # A sum of benchmarks may have them from two runs.
    assert found.loc["null I/O", "ratio"] == pytest.approx(1.3, rel=1e-3)
    assert found.loc["null call", "layouts"] == 1


def test_a_row_without_its_image_is_shown_and_not_counted(
    rows: list[BoardRow], tmp_path: Path
) -> None:
    run = write_board(tmp_path / "run", "p550", image="boards", benches=few("spawn", board="p550"))
    found = table([run], rows, "p550")
    assert found.loc["process created", "ratio"] == pytest.approx(1, rel=1e-3)
    assert found.loc["process created", "counted"] == "no"
    assert found.loc["process created", "comparable"] == "yes"


def test_a_difference_below_nothing_predicts_nothing(rows: list[BoardRow], tmp_path: Path) -> None:
    benches = few("signal_catch", "syscall_null")
    benches["signal_send"] = Bench("signal_send", "us", 20000.0, count=10000)
    run = write_board(tmp_path / "run", "d1", benches=benches)
    found = table([run], rows)
    assert pd.isna(found.loc["signal handled", "predicted"])
    assert found.loc["signal handled", "counted"] == "no"
    assert found.loc["null call", "counted"] == "yes"


def test_a_switch_is_less_its_overhead(rows: list[BoardRow], tmp_path: Path) -> None:
    benches = {
        "ctx_2_16k": Bench("ctx_2_16k", "us", 32000.0),
        "ctx_overhead_16k": Bench("ctx_overhead_16k", "us", 7000.0),
    }
    found = table([write_board(tmp_path / "run", "d1", benches=benches)], rows)
    assert found.loc["switch, 2 processes of 16 KiB", "ratio"] == pytest.approx(1, rel=1e-2)


def test_a_rate_whose_benchmark_moves_nothing_is_refused(
    rows: list[BoardRow], tmp_path: Path
) -> None:
    run = write_board(tmp_path / "run", "d1", benches={"memcpy": Bench("memcpy", "us", 1e4)})
    with pytest.raises(ResultsError, match="row memcpy of d1: boards/memcpy moves no bytes"):
        table([run], rows)


@pytest.mark.slow
def test_two_systems_of_a_board_are_refused(rows: list[BoardRow], tmp_path: Path) -> None:
    one = write_board(tmp_path / "a", "d1", benches=few("syscall_null"))
    other = write_board(tmp_path / "b", "d1", benches=few("syscall_read"), clock_mhz=40)
    with pytest.raises(ResultsError, match=r"b: found another system of d1 on rvsim than in .*a;"):
        table([one, other], rows)
    # On another engine they may differ.
    gem5 = write_board(tmp_path / "c", "d1", engine="gem5", benches=few("memcpy"), clock_mhz=40)
    assert set(table([one, gem5], rows)["engine"]) == {"rvsim", "gem5"}


def test_runs_that_are_of_no_board_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = write_board(tmp_path / "own", "d1", benches=few("syscall_null"))
    base = write_run(tmp_path / "base", clocks=(20,))
    reflected = write_board(
        tmp_path / "reflected", "d1", benches=few("syscall_null"), calls="sud-first"
    )
    assert [run.path for run in board_runs([own, base, reflected], ["d1"])] == [own]
    said = capsys.readouterr().err
    assert f"Left out: {base}, of base on rvsim" in said and f"Left out: {reflected}" in said
    with pytest.raises(ResultsError, match="found a run of 'base' on rvsim; allowed: a simulated"):
        board_runs([base], ["d1", "p550"])
    with pytest.raises(ResultsError, match="found a run of 'boards/d1'"):
        board_runs([own], ["p550"])


@pytest.mark.parametrize(
    ("variant", "group"),
    [
        ("default", "default"),
        ("layout-3", "default"),
        ("distro", "distro"),
        ("distro-layout-4", "distro"),
        ("period-moves-layout-1", "period-moves"),
        ("layout-x", "layout-x"),
    ],
)
def test_a_layout_is_of_the_group_of_its_image(variant: str, group: str) -> None:
    assert image_group(variant) == group


@pytest.mark.slow
def test_engines_and_images_are_compared_row_by_row(rows: list[BoardRow], tmp_path: Path) -> None:
    benches = few("syscall_null", "syscall_stat", "memcpy")
    factors = {("rvsim", "boards"): 1.0, ("rvsim", "distro"): 1.5, ("gem5", "distro"): 1.2}
    paths = [
        write_board(
            tmp_path / f"{engine}-{image}-{layout}",
            "d1",
            engine=engine,
            image=image,
            layout=layout,
            slower=factor * (1 + layout / 10),
            benches=benches,
        )
        for (engine, image), factor in factors.items()
        for layout in range(2)
    ]
    tables = board_tables(rows_of(rows, "d1"), load_runs(paths))
    pairs = tables["board_pairs"].set_index(["between", "row"])
    engines = pairs.loc[("engines", "null call")]
    assert (engines["a"], engines["b"], engines["both"]) == ("gem5", "rvsim", "distro")
    assert engines["ratio"] == pytest.approx(1.2 / 1.5, rel=1e-3)
    images = pairs.loc[("images", "memcpy")]
    assert (images["a"], images["b"], images["both"]) == ("distro", "boards", "rvsim")
    assert images["ratio"] == pytest.approx(1.5, rel=1e-3)
    assert images["ratio_low"] < 1.5 < images["ratio_high"]
    # Two layouts on each side, a tenth apart: Welch's interval with 2 degrees of freedom.
    half = student.quantile(2, 0.975) * np.log(1.1) / np.sqrt(2)
    assert np.log(images["ratio_high"] / images["ratio"]) == pytest.approx(half, rel=1e-2)
    summary = tables["board_summary"].set_index(["engine", "image", "against", "role"])
    assert summary.loc[("gem5", "distro", "rvsim", "prediction"), "ratio"] == pytest.approx(
        0.8, rel=1e-3
    )
    assert summary.loc[("rvsim", "distro", "boards", "source"), "rows"] == 1
    assert summary.loc[("rvsim", "distro", "boards", "source"), "layouts"] == 2


def test_without_several_layouts_a_pair_has_no_interval(
    rows: list[BoardRow], tmp_path: Path
) -> None:
    benches = few("syscall_null")
    paths = [
        write_board(tmp_path / "a", "d1", benches=benches),
        write_board(tmp_path / "b", "d1", benches=benches, engine="gem5", slower=2),
    ]
    (pair,) = board_tables(rows_of(rows, "d1"), load_runs(paths))["board_pairs"].to_dict("records")[
        :1
    ]
    assert pair["ratio"] == pytest.approx(2, rel=1e-3) and pd.isna(pair["ratio_low"])


@pytest.mark.slow
def test_the_figure_names_the_rows_that_are_farthest(rows: list[BoardRow], tmp_path: Path) -> None:
    paths = [
        write_board(
            tmp_path / "runs" / f"{board}-{layout}",
            board,
            layout=layout,
            slower=dict.fromkeys(measured_times(board), 1 + layout / 20)
            | {"syscall_stat": 4.0, "spawn": 0.2},
        )
        for board in ("p550", "d1")
        for layout in range(2)
    ]
    tables = board_tables(rows, load_runs(paths))
    (figure,) = discover(FIGURES).values()
    write_tables(tables, tmp_path / "tables")
    (file,) = render(figure, tmp_path / "tables", tmp_path / "figures", ["svg"])
    text = file.read_text(encoding="utf-8")
    for label in ("HiFive Premier P550", "rvsim, distro", "operating system", "measured, us"):
        assert label in text
    p550, d1 = drawn(figure, tables).axes
    named = [{label.get_text().replace("\n", " ") for label in axes.texts} for axes in (p550, d1)]
    assert named == [{"process created"}, {"stat"}]
    assert [axes.get_title() for axes in (p550, d1)] == ["HiFive Premier P550", "Allwinner D1"]


def test_a_figure_without_a_counted_row_is_refused(rows: list[BoardRow], tmp_path: Path) -> None:
    run = write_board(tmp_path / "run", "p550", image="default", benches=few("spawn", board="p550"))
    tables = board_tables(rows_of(rows, "p550"), load_runs([run]))
    (figure,) = discover(FIGURES).values()
    with pytest.raises(FigureError, match="no row is comparable and predicted"):
        drawn(figure, tables)


@pytest.mark.slow
def test_a_page_has_every_counted_row(rows: list[BoardRow], tmp_path: Path) -> None:
    run = write_board(tmp_path / "run", "d1", slower=1.25)
    (part,) = beside(load_runs([run]))
    counted = [row for row in rows if row.board == "d1" and row.comparable]
    assert sorted(part.rows["row"]) == sorted(row.name for row in counted)
    ratios = part.rows["predicted_us"] / part.rows["measured_us"]
    assert ratios.tolist() == pytest.approx([1.25] * len(counted), rel=2e-3)
    system = sum(row.kind == "system" for row in counted)
    assert (
        f"with the image distro predicts {system} rows of the operating system (Allwinner D1):"
        in part.headline
    )
    assert "predicted times are 1.25 [1.25, 1.25] times the measured ones" in part.headline
    assert "100 % [84, 100] within a factor of 1.25" in part.headline


def test_a_page_of_other_runs_has_none(written_few: Path) -> None:
    assert beside(load_runs([written_few])) == []
