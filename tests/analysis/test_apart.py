# SPDX-License-Identifier: BSD-3-Clause
"""The tables of a run whose memory's latency and bandwidth vary apart, by a model that is known."""

from pathlib import Path

import pandas as pd
import pytest
from synthetic_apart import (
    BANDWIDTHS_MB_S,
    CLOCKS,
    COSTS,
    LATENCIES_NS,
    cost_ns,
    write_apart,
)

from osgap.analysis.analysed import Tables
from osgap.analysis.constants import SERIES, series_rank
from osgap.analysis.machine_time import machine_time
from osgap.analysis.tables import write_tables
from osgap.drawing import style
from osgap.drawing.display_names import series_name
from osgap.drawing.figure import render_all
from osgap.figures import OF_A_RUN
from osgap.machines.series import Series, parse_series
from osgap.printing.headline import headline
from osgap.rundir.load import Run, load_run
from osgap.suites import analyze

ROUNDING = 1e-4


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return load_run(write_apart(tmp_path_factory.mktemp("apart") / "run"))


@pytest.fixture(scope="module")
def apart(loaded: Run) -> Tables:
    return analyze(loaded)


def test_each_pair_of_values_is_a_series_with_both_clocks(apart: Tables) -> None:
    points = apart["points"]
    sizes = points.groupby("series", sort=False).size()
    assert len(sizes) == 9 and set(sizes) == {len(CLOCKS)}
    assert list(sizes.index)[:4] == ["fixed", "fixed-bw200", "fixed-bw800", "fixed-lat100"]
    one = points[points["series"] == "fixed-lat400-bw200"].iloc[0]
    assert (one["latency_ns"], one["bandwidth_mb_s"]) == (400, 200)
    own = points[points["series"] == "fixed"].iloc[0]
    assert (own["latency_ns"], own["bandwidth_mb_s"]) == (200, 400)


def test_r_is_relative_to_the_slowest_clock_with_the_same_memory(apart: Tables) -> None:
    relatives = apart["relative"]
    fast = relatives[relatives["clock_mhz"] == CLOCKS[1]].merge(
        apart["points"][["key", "latency_ns", "bandwidth_mb_s"]], on="key"
    )
    assert len(fast) == 9 * len(COSTS)
    for row in fast.to_dict("records"):
        if row["benchmark"] == "integer_mix":
            continue
        at = row["benchmark"], row["latency_ns"], row["bandwidth_mb_s"]
        slow, own = (sum(cost_ns(at[0], clock, *at[1:])) for clock in CLOCKS)
        assert row["relative"] == pytest.approx(slow / own / 8, rel=ROUNDING), at
    assert (relatives[relatives["clock_mhz"] == CLOCKS[0]]["relative"] == 1).all()


def test_a_series_without_its_slowest_clock_has_no_other_memorys_reference(tmp_path: Path) -> None:
    run = load_run(write_apart(tmp_path / "run", leave_out=["fixed-lat100"]))
    relatives = analyze(run)["relative"]
    assert relatives[relatives["series"] == "fixed-lat100"]["relative"].isna().all()
    assert relatives[relatives["series"] != "fixed-lat100"]["relative"].notna().all()


def test_one_other_memory_is_one_series(tmp_path: Path) -> None:
    run = load_run(
        write_apart(tmp_path / "run", clocks=[20, 40, 80], latencies=[100.0], bandwidths=[800.0])
    )
    tables = analyze(run)
    assert set(tables["points"]["series"]) == {"fixed-lat100-bw800"}


def test_a_run_that_varies_neither_has_the_columns_that_it_had(
    written_tables: dict[str, pd.DataFrame],
) -> None:
    assert "latency_ns" not in written_tables["points"]


def test_checks_compare_with_each_points_own_memory(apart: Tables) -> None:
    latency = apart["checks"][apart["checks"]["check"] == "memory_latency"]
    assert len(latency) == len(CLOCKS) * len(LATENCIES_NS) * len(BANDWIDTHS_MB_S)
    assert set(latency["configured"]) == set(LATENCIES_NS)
    assert (latency["error"].abs() < ROUNDING).all()


def test_on_the_machines_own_time_memory_is_its_own_too(loaded: Run, apart: Tables) -> None:
    ten = {
        key: type(point)(
            point.record.model_copy(update={"time_scale": 10.0}),
            point.path,
            point.samples,
            point.records,
        )
        for key, point in loaded.points.items()
    }
    own = machine_time(Run(loaded.path, "x", loaded.keys, loaded.series, ten, ()), apart)["points"]
    assert own["latency_ns"].tolist() == (apart["points"]["latency_ns"] * 10).tolist()
    assert own["bandwidth_mb_s"].tolist() == (apart["points"]["bandwidth_mb_s"] / 10).tolist()


def test_the_sentence_of_the_run_gives_the_range(apart: Tables) -> None:
    means = apart["geomean"]
    fast = means[(means["set"] == "figure1") & (means["clock_mhz"] == CLOCKS[1])]
    fast = fast[fast["series"] != "fixed"]
    others = fast["geomean"] * fast["mips_ratio"]
    told = headline({**apart, "geomean": means[means["set"] == "figure1"]})
    assert told is not None and others.notna().all()
    assert told.startswith("A processor 8 times faster made some benchmarks of Ousterhout 1990 ")
    ends = f"{others.min():.1f} to {others.max():.1f}"
    assert told.endswith(f" With other latencies or bandwidths of memory: {ends} times.")


def test_names_of_series_are_read_as_they_are_made() -> None:
    for series in (
        Series("fixed"),
        Series("both", (("latency_ns", 100.0),)),
        Series("memory", (("bandwidth_mb_s", 1e6),)),
        Series("disk", (("latency_ns", 0.5), ("bandwidth_mb_s", 12.25))),
    ):
        assert parse_series(series.name) == series
    both = Series("fixed", (("latency_ns", 100.0), ("bandwidth_mb_s", 800.0)))
    assert both.name == "fixed-lat100-bw800"
    for strange in ("fixed-lat", "fixed-lat1.2.3", "fixed-bw1-lat1", "mine", "fixed-latnan", ""):
        assert parse_series(strange) == Series(strange)


def test_series_are_in_order_of_their_values() -> None:
    names = ["both", "fixed-lat400", "memory", "x", "fixed-lat1000", "fixed", "fixed-bw50", "disk"]
    assert sorted(names, key=series_rank) == [
        "fixed",
        "fixed-bw50",
        "fixed-lat400",
        "fixed-lat1000",
        "memory",
        "disk",
        "both",
        "x",
    ]


def test_no_two_series_look_alike() -> None:
    many = [f"fixed-lat{at}" for at in range(40)]
    looks = style.series_style(many)
    assert len({(one["color"], one["marker"]) for one in looks.values()}) == len(looks) == 44
    assert list(looks)[:4] == list(SERIES)
    assert series_name("memory-lat100-bw800") == "clock and memory, 100 ns, 800 MB/s"


@pytest.mark.long
def test_every_figure_of_such_a_run_is_drawn(tmp_path: Path) -> None:
    run = write_apart(tmp_path / "run", latencies=[100.0, 400.0])
    write_tables(analyze(load_run(run)), run / "tables")
    drawn = {path.name for path in render_all(OF_A_RUN, run)}
    assert {"scaling.png", "times.png", "attribution.png"} <= drawn
    # There is no series `fixed`: the figure says which one it is of.
    svg = (run / "figures" / "attribution.svg").read_text()
    assert "faster: clock only, 100 ns<" in svg
