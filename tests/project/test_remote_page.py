# SPDX-License-Identifier: BSD-3-Clause
"""Tables of remote.md and remote-files.md: their cells are those of results/locked."""

from functools import cache

import pandas as pd
import pytest
from test_results_pages import table_cells

from osgap.base.paths import project_root
from osgap.suites import load_runs

ROOT = project_root()
LOCKED = ROOT / "results" / "locked"
PAGE = (ROOT / "docs" / "results" / "remote.md").read_text(encoding="utf-8")
METHOD = (ROOT / "docs" / "method" / "remote-files.md").read_text(encoding="utf-8")
TABLES = {"7, Andrew": "7", "9, open-close": "9", "10, create-delete": "10", "all": "all"}
MODELS = (("rvsim", "rvsim"), ("gem5", "gem5"), ("gem5", "informed_null"))
BENCHMARKS = {
    "open-close": "open_close_foo",
    "create-delete, 100 KB": "create_delete_100k",
    "cold read": "read_cold",
    "Andrew without compiling": "andrew_copyphases",
}
FILES = {"local": "unix", "NFS": "nfs", "diskless": "diskless"}
SERIES = ("fixed", "memory", "disk", "network", "both", "memory+network", "disk+network")
MACHINES = ("DS3100", "SS1", "MVAX2")
HARTS = ("default-kernel", "smp-kernel/smp-1", "smp-kernel/smp-2")
NETWORKS = ("fixed", "fixed-net100", "fixed-net1000")
NEAR = "How near the simulation comes"
FASTER = "Does a faster processor make files on a server relatively worse?"
FOOTPRINT = "Why an open-close takes so long"


@pytest.mark.parametrize(
    ("number", "quantity", "measure"), [(0, "R", "cell_log_error"), (1, "time", "ratio")]
)
def test_errors_are_those_of_the_table(number: int, quantity: str, measure: str) -> None:
    skill = pd.read_csv(
        LOCKED / "paper/fitted/tables/remote_skill.csv", dtype={"table": str}
    ).set_index(["quantity", "table", "engine", "model"])
    _, *rows = table_cells(NEAR, number, PAGE)
    assert [row[0] for row in rows] == list(TABLES)
    for name, *cells in rows:
        expected = []
        for engine, model in MODELS:
            row = skill.loc[(quantity, TABLES[name], engine, model)]
            low, high = row[f"{measure}_low"], row[f"{measure}_high"]
            expected.append(f"{row[measure]:.2f} [{low:.2f}, {high:.2f}]")
        assert cells[-3:] == expected, name


@cache
def _relative(engine: str) -> pd.DataFrame:
    (run,) = load_runs([LOCKED / f"remote/clocks-{engine}"])
    return run.tables["relative"].set_index(["benchmark", "fs", "series", "clock_mhz"]).sort_index()


@pytest.mark.slow
def test_r_at_the_fastest_clock_is_that_of_both_runs() -> None:
    runs = [_relative(engine) for engine in ("rvsim", "gem5")]
    _, *rows = table_cells(FASTER, 0, PAGE)
    assert [row[:2] for row in rows] == [[name, files] for name in BENCHMARKS for files in FILES]
    for name, files, *cells in rows:
        for series, cell in zip(SERIES, cells, strict=True):
            keys = (BENCHMARKS[name], FILES[files], series, 640)
            values = (float(run.loc[keys, "relative"]) for run in runs)
            assert cell == ", ".join(f"{value:.2f}" for value in values), keys


def _penalty(engine: str, benchmark: str, series: str, clock: int) -> str:
    values = _relative(engine)["value"]
    nfs, local = (values[(benchmark, fs, series, clock)] for fs in ("nfs", "unix"))
    return f"{100 * (nfs / local - 1):.0f}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "benchmark", "engines"),
    [(0, "andrew_total", ("gem5",)), (1, "andrew_copyphases", ("rvsim", "gem5"))],
)
def test_penalties_are_those_of_the_runs(
    row: int, benchmark: str, engines: tuple[str, ...]
) -> None:
    _, *rows = table_cells(FASTER, 1, PAGE)
    points = [("fixed", 20), *((series, 640) for series in (*SERIES, "both+network"))]
    assert rows[row][1:] == [
        ", ".join(_penalty(engine, benchmark, *point) for engine in engines) for point in points
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "column"), [("rvsim", 0), ("gem5", 1)])
def test_rates_are_those_of_the_run(engine: str, column: int) -> None:
    (run,) = load_runs([LOCKED / f"remote/rates-{engine}"])
    table = run.tables["relative"].set_index(["benchmark", "fs", "series", "clock_mhz"])
    names = {**BENCHMARKS, "create-delete of 100 KB": "create_delete_100k"}
    _, *rows = table_cells("A faster network", 0, PAGE)
    for operation, *cells in rows:
        name, files = operation.rsplit(", ", 1)
        points = [table.loc[(names[name], FILES[files], series, 640)] for series in NETWORKS]
        assert cells[column] == ", ".join(f"{point['relative']:.2f}" for point in points)
        values = [float(point["value"]) for point in points]
        # A rate grows where a time falls.
        power = -1 if points[0]["metric"] == "MB/s" else 1
        ratios = (f"{(value / values[0]) ** power:.2f}" for value in values[1:])
        assert cells[2 + column] == ", ".join(ratios), operation


def _open_close_ms(engine: str, machine: str, variant: str) -> str:
    (run,) = load_runs([LOCKED / f"remote/footprint-{engine}/{machine}.{variant}"])
    samples = run.tables["samples"]
    rows = samples[(samples["benchmark"] == "open_close_foo") & (samples["fs"] == "nfs")]
    (key,) = rows["key"].unique()
    scale = run.run.points[key].record.time_scale
    return f"{rows['guest_ns'].sum() * scale / rows['count'].sum() / 1e6:.1f}"


@pytest.mark.slow
def test_times_of_an_open_and_a_close_are_those_of_the_runs() -> None:
    _, *rows = table_cells(FOOTPRINT, 0, PAGE)
    cells = {name.partition(",")[0]: values for name, *values in rows}
    for name, suffix, variant in (
        ("as simulated", "", "remote"),
        ("with first caches of 1 MiB", "-1MiB", "remote"),
        ("with a kernel compiled for size", "", "remote-small"),
        ("with both", "-1MiB", "remote-small"),
    ):
        assert cells[name] == [
            ", ".join(
                _open_close_ms(engine, machine + suffix, variant) for engine in ("rvsim", "gem5")
            )
            for machine in MACHINES
        ], name


@pytest.mark.slow
def test_times_on_one_and_two_harts_are_those_of_the_runs() -> None:
    operations = {
        **BENCHMARKS,
        "create-delete, empty": "create_delete_0",
        "Andrew, copy": "andrew_copy",
    }
    _, *rows = table_cells("One machine for both", 0, METHOD)
    for operation, *cells in rows:
        for folder, cell in zip(HARTS, cells, strict=True):
            for engine, text in zip(("rvsim", "gem5"), cell.split(", "), strict=True):
                (run,) = load_runs([LOCKED / f"remote/harts-{engine}/{folder}"])
                samples = run.tables["samples"]
                is_named = samples["benchmark"] == operations[operation]
                rows_nfs = samples[is_named & (samples["fs"] == "nfs")]
                ms = rows_nfs["guest_ns"].sum() / rows_nfs["count"].sum() / 1e6
                decimals = len(text.partition(".")[2])
                printed = float(text.replace(",", ""))
                assert printed == pytest.approx(ms, abs=0.5001 * 10**-decimals), operation
