# SPDX-License-Identifier: BSD-3-Clause
"""Tables of docs/results: their cells are those of results/locked."""

import re

import pandas as pd
import pytest

from osgap.base.paths import project_root

ROOT = project_root()
LOCKED = ROOT / "results" / "locked"
PAGE = (ROOT / "docs" / "results" / "ousterhout.md").read_text(encoding="utf-8")
ROWS = {
    "getpid": ("getpid", ""),
    "select, 10 full": ("select_10_full", ""),
    "open-close": ("open_close_foo", "unix"),
    "cswitch": ("cswitch", ""),
    "read": ("read", "unix"),
    "bcopy, uncached": ("bcopy_uncached", ""),
    "create-delete, synchronous": ("create_delete_0", "unix"),
    "create-delete, delayed": ("create_delete_0", "sprite"),
    "Andrew": ("andrew_total", "unix"),
}


MODELS = {
    "rvsim": "rvsim",
    "rvsim, with the costs of 1990": "rvsim_period",
    "gem5": "gem5",
    "gem5, with the costs of 1990": "gem5_period",
    "null model": "null_model",
    "informed null model": "informed_null",
    "null model, rules chosen": "null_chosen",
    "R = 1 everywhere": "follows_mips",
    "no model without systems is nearer than": "system_unknown",
}
MEASURES = {
    "error of a cell": "cell_log_error",
    "error of a machine": "machine_log_error",
    "skill, cell": "cell_skill",
    "skill, machine": "machine_skill",
    "skill over the informed null, cell": "cell_skill_informed",
    "rank correlation": "spearman",
    "within 25 %": "cell_within_25",
    "median factor of a cell": "cell_median_factor",
}


def rows_below(heading: str, page: str = PAGE) -> list[list[str]]:
    """The cells of the first table below a heading, without its head."""
    return table_cells(heading, 0, page)[1:]


def table_cells(heading: str, number: int, page: str = PAGE) -> list[list[str]]:
    """The cells of a table below a heading, its head first."""
    section = page.partition(f"\n## {heading}\n")[2]
    tables = re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE)
    assert len(tables) > number, heading
    head, _, *lines = tables[number].splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in (head, *lines)]


def interval(row: pd.Series) -> str:
    """R as the page prints it: without an interval of under 0.01, with a mark for a wide one."""
    text = f"{row['estimate']:.2f}"
    if row["high"] - row["low"] >= 0.01:
        text += f" [{row['low']:.2f}, {row['high']:.2f}]"
    return text + ("*" if row["wide"] == "yes" else "")


def layouts(series: str) -> dict[str, str]:
    """The cells of a column of the first table, from the five layouts."""
    table = pd.read_csv(
        LOCKED / "layouts/five-layouts/rvsim/tables/layouts.csv", keep_default_na=False
    )
    table = table[(table["series"] == series) & (table["clock_mhz"].astype(str) == "640")]
    table = table[table["quantity"].isin(["R", "mean_R"])]
    table = table.astype({"estimate": float, "low": float, "high": float})
    speeds = table[table["quantity"] == "R"].set_index(["benchmark", "fs"])
    cells = {}
    for name, (benchmark, fs) in ROWS.items():
        rows = speeds.loc[benchmark]
        cells[name] = interval(rows.loc[fs] if fs else rows.iloc[0])
    mean = table[(table["quantity"] == "mean_R") & (table["set"] == "figure1")]
    return cells | {"geometric mean without bcopy": interval(mean.iloc[0])}


def one_layout(run: str) -> dict[str, str]:
    """The cells of a column of the first table, from one run."""
    tables = LOCKED / run / "tables"
    table = pd.read_csv(tables / "relative.csv", keep_default_na=False)
    table = table[(table["series"] == "fixed") & (table["clock_mhz"] == 640)]
    speeds = table.set_index(["benchmark", "fs"])["relative"]
    cells = {n: f"{float(speeds.loc[b, fs or 'none']):.2f}" for n, (b, fs) in ROWS.items()}
    means = pd.read_csv(tables / "geomean.csv")
    means = means[(means["series"] == "fixed") & (means["clock_mhz"] == 640)]
    mean = means[means["set"] == "figure1"].iloc[0]["geomean"]
    return cells | {"geometric mean without bcopy": f"{mean:.2f}"}


@pytest.mark.parametrize("column", [1, 2, 3, 4])
def test_the_table_of_one_machine_is_of_the_locked_runs(column: int) -> None:
    printed = {row[0]: row[column] for row in rows_below("One machine at faster clocks")}
    expected = (
        lambda: layouts("fixed"),
        lambda: layouts("both"),
        lambda: one_layout("curve/default"),
        lambda: one_layout("curve/gem5"),
    )[column - 1]()
    assert printed == expected


@pytest.mark.parametrize(("engine", "rank", "ratio"), [("rvsim", 1, 3), ("gem5", 2, 4)])
def test_the_table_of_agreement_is_the_locked_one(engine: str, rank: int, ratio: int) -> None:
    table = pd.read_csv(LOCKED / "paper/fitted/tables/agreement.csv", dtype={"table": str})
    table = table[table["engine"] == engine].set_index("table")
    for row in rows_below("How well it predicts"):
        values = table.loc[re.split(r"[ :]", row[0])[0]]
        form = "{:.2f} [{:.2f}, {:.2f}]"
        assert row[rank] == form.format(*values[["spearman", "spearman_low", "spearman_high"]])
        assert row[ratio] == form.format(*values[["ratio", "ratio_low", "ratio_high"]])


def test_each_share_is_that_of_the_locked_table() -> None:
    table = pd.read_csv(LOCKED / "paper/causes/tables/shares.csv", keep_default_na=False)
    of_rows = table.set_index(["engine", "benchmark", "fs"])
    form = "{:.2f} [{:.2f}, {:.2f}]"
    rows = rows_below("What explains the gap")
    assert len(rows) == 16
    for name, engine, _, *cells in rows:
        benchmark, _, fs = name.rstrip(")").partition(" (")
        is_mean = benchmark == "mean of these"
        values = of_rows.loc[(engine, "all", "") if is_mean else (engine, benchmark, fs or "none")]
        for part, cell in zip(("memory", "disk", "rest", "unexplained"), cells, strict=True):
            texts = [values[f"{part}_share{end}"] for end in ("", "_low", "_high")]
            expected = form.format(*map(float, texts)) if all(texts) else "no loss"
            assert cell == expected, (name, engine, part)


@pytest.mark.parametrize(
    ("heading", "number", "run", "rows"),
    [
        ("A null model", 1, "paper/fitted", "figure1"),
        ("A null model", 2, "paper/fitted", "all"),
        ("With the costs of 1990", 0, "paper/period", "figure1"),
    ],
)
def test_each_error_and_skill_is_that_of_the_locked_table(
    heading: str, number: int, run: str, rows: str
) -> None:
    table = pd.read_csv(LOCKED / run / "tables/skill.csv", dtype={"table": str})
    table = table[(table["rows"] == rows) & (table["scale"] == "own") & (table["table"] == "all")]
    by_model = table.set_index("model")
    (first, *columns), *lines = table_cells(heading, number)
    assert first.split()[0] == str(by_model["cells"].iloc[0])
    for name, *cells in lines:
        row = by_model.loc[MODELS[name]]
        for column, cell in zip(columns, cells, strict=True):
            values = [row[MEASURES[column] + end] for end in ("", "_low", "_high")]
            if values == [0, 0, 0]:
                assert cell == "0"
            elif values[0] == values[0]:
                assert cell == "{:.2f} [{:.2f}, {:.2f}]".format(*values), (name, column)
