# SPDX-License-Identifier: BSD-3-Clause
"""Runs of several layouts: grouped, averaged, with intervals; and a run beside them."""

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from synthetic import seal
from synthetic_layouts import CLOCKS, varied, write_layout, write_layouts

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.layouts.average import mean_tables
from osgap.analysis.layouts.coverage import counts, covered_table
from osgap.analysis.layouts.groups import layout_groups, match, several
from osgap.analysis.layouts.starts import by_start
from osgap.analysis.layouts.table import LAYOUTS, layouts_table
from osgap.analysis.layouts.values import SHARES
from osgap.analysis.runs import analyze_runs
from osgap.base.config import ConfigError
from osgap.suites import suites

pytestmark = pytest.mark.slow
SPREAD = 0.05


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[AnalysedRun]:
    """Ten layouts, layout 0 the default image."""
    return _read(write_layouts(tmp_path_factory.mktemp("layouts") / "ten", 10, SPREAD))


@pytest.fixture(scope="module")
def table(runs: list[AnalysedRun]) -> pd.DataFrame:
    return layouts_table(layout_groups(runs, suites()))


def _read(*paths: Path) -> list[AnalysedRun]:
    return analyze_runs(paths, suites())


def _change(run: Path, **image: object) -> None:
    record = json.loads((run / "run.json").read_text())
    record["image"] |= image
    (run / "run.json").write_text(json.dumps(record) + "\n")


def _row(table: pd.DataFrame, quantity: str, name: str = "", series: str = "fixed") -> pd.Series:
    chosen = table[(table["quantity"] == quantity) & (table["series"] == series)]
    at = chosen["set"] if quantity == "mean_R" else chosen["benchmark"]
    return chosen[(at == name) & (chosen["clock_mhz"] == CLOCKS[-1])].iloc[0]


def test_the_default_image_and_its_layouts_are_one_group(runs: list[AnalysedRun]) -> None:
    (group,) = layout_groups(runs, suites())
    assert group.layouts == tuple(range(10)) and group.variant == "default"
    assert group.has_several and not several(layout_groups(runs[:1], suites()))


def test_other_software_is_another_group(tmp_path: Path) -> None:
    write_layouts(tmp_path / "r", 3)
    changed = {"kernel": {"options": ["CONFIG_HZ=250"]}, "layout": 3, "name": "x"}
    _change(write_layout(tmp_path / "r" / "hz", 3), variant=changed)
    flags = {"compiler": "cc 12", "flags": "-O0 -Wall", "libc": "glibc 2.36"}
    _change(write_layout(tmp_path / "r" / "o0", 4), variant={"layout": 4, "programs": flags})
    groups = layout_groups(_read(tmp_path / "r"), suites())
    assert sorted(group.layouts for group in groups) == [(0, 1, 2), (3,), (4,)]


def test_an_older_image_is_not_mixed_with_a_newer_ones_layouts(tmp_path: Path) -> None:
    write_layouts(tmp_path / "new", 3)
    write_layout(tmp_path / "old" / "default", 0, digest="older")
    groups = layout_groups(_read(tmp_path), suites())
    assert sorted(group.layouts for group in groups) == [(0,), (0, 1, 2)]


def test_two_sweeps_of_the_same_images_are_one_group(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_layouts(tmp_path / name, 2)
    (group,) = layout_groups(_read(tmp_path), suites())
    assert group.layouts == (0, 1)
    assert (layouts_table([group])["starts"] == 2).all()


def test_an_image_record_that_is_none_is_refused(tmp_path: Path) -> None:
    _change(write_layout(tmp_path / "r", 1), variant={"layout": "one"})
    with pytest.raises(ConfigError, match=r"run.json: image"):
        layout_groups(_read(tmp_path / "r"), suites())


def test_the_table_has_the_means_and_students_interval(
    runs: list[AnalysedRun], table: pd.DataFrame
) -> None:
    assert list(table.columns) == LAYOUTS.names and (table["layouts"] == 10).all()
    speeds = []
    for run in runs:
        own = run.tables["relative"]
        own = own[(own["benchmark"] == "cswitch") & (own["series"] == "fixed")]
        speeds.append(own[own["clock_mhz"] == CLOCKS[-1]]["relative"].iloc[0])
    logs = np.log(speeds)
    half = 2.2622 * logs.std(ddof=1) / 10**0.5
    row = _row(table, "R", "cswitch")
    ends = np.exp([logs.mean(), logs.mean() - half, logs.mean() + half])
    assert row[["estimate", "low", "high"]].tolist() == pytest.approx(ends, rel=1e-4)
    assert row["one_low"] < row["low"] < row["high"] < row["one_high"]
    assert row["width"] == pytest.approx((row["high"] - row["low"]) / row["estimate"])


def test_what_is_1_by_definition_has_no_row(table: pd.DataFrame) -> None:
    speeds = table[table["quantity"].isin(["R", "mean_R"])]
    assert (speeds["clock_mhz"] != CLOCKS[0]).all() and (speeds["reference_mhz"] == 20).all()
    assert "integer_mix" not in set(speeds["benchmark"])


def test_shares_add_up_and_are_absent_without_a_gap(table: pd.DataFrame) -> None:
    shares = {name: _row(table, name, "cswitch") for name in SHARES}
    assert sum(row["estimate"] for row in shares.values()) == pytest.approx(1)
    assert shares["memory_share"]["estimate"] == pytest.approx(1, abs=0.1)
    row = shares["memory_share"]
    assert row["low"] < 1 < row["high"]
    # getpid keeps up with the clock: there is no gap to share.
    assert _row(table, "memory_share", "getpid")[["estimate", "low", "wide"]].tolist()[2] == ""


def test_a_wide_row_is_marked_and_a_narrow_one_is_not(tmp_path: Path) -> None:
    wide = layouts_table(layout_groups(_read(write_layouts(tmp_path / "w", 5, 0.2)), suites()))
    narrow = layouts_table(layout_groups(_read(write_layouts(tmp_path / "n", 5, 0.001)), suites()))
    assert _row(wide, "R", "cswitch")["wide"] == "yes"
    assert (narrow["wide"] != "yes").all() and _row(narrow, "R", "cswitch")["wide"] == "no"


def test_averages_are_the_tables_estimates(runs: list[AnalysedRun], table: pd.DataFrame) -> None:
    (group,) = layout_groups(runs, suites())
    tables = mean_tables(group)
    first = runs[0].tables
    assert {name: list(one.columns) for name, one in tables.items()} == {
        name: list(one.columns) for name, one in first.items()
    }
    own = tables["relative"]
    own = own[(own["clock_mhz"] == 320) & (own["series"] == "fixed")].set_index("benchmark")
    assert own.loc["read", "relative"] == pytest.approx(_row(table, "R", "read")["estimate"])
    means = tables["geomean"].set_index(["set", "series", "clock_mhz"])
    estimate = _row(table, "mean_R", "figure1")["estimate"]
    assert means.loc[("figure1", "fixed", 320), "geomean"] == pytest.approx(estimate)


def test_a_further_layout_is_covered_and_a_shifted_one_is_not(
    runs: list[AnalysedRun], tmp_path: Path
) -> None:
    groups = layout_groups(runs, suites())
    write_layout(tmp_path / "one", 0, varied(50, SPREAD), digest="other")
    write_layout(tmp_path / "far", 0, varied(50, SPREAD, {"read": 1.0}), digest="far")
    one, far = (covered_table(_read(tmp_path / name), groups) for name in ("one", "far"))
    known = one[(one["quantity"] == "R") & (one["clock_mhz"] == 320)]
    assert (known["covered"] == "yes").mean() >= 0.9 and (known["layouts"] == 10).all()
    missed = far[(far["covered"] == "no") & (far["quantity"] == "R")]
    assert set(far[far["benchmark"] == "read"]["covered"]) == {"no", "yes"}
    assert (missed["benchmark"] == "read").sum() == 4
    counted = counts(one, layouts_table(groups))
    last = counted.iloc[-1]
    assert (last["benchmark"], last["rows"]) == ("all", len(known))
    assert last["share"] == pytest.approx((known["covered"] == "yes").mean())


@pytest.mark.long
def test_a_layout_is_judged_by_the_others(runs: list[AnalysedRun]) -> None:
    rows = covered_table(runs, layout_groups(runs, suites()))
    assert rows["run"].nunique() == 10 and (rows["layouts"] == 9).all()
    # Each is drawn as the others are: 95 %, of 200 rows that hang together in tens.
    speeds = rows[rows["quantity"] == "R"]
    assert 0.88 < (speeds["covered"] == "yes").mean() < 0.99


def test_layouts_of_another_system_match_nothing(runs: list[AnalysedRun], tmp_path: Path) -> None:
    groups = layout_groups(runs, suites())
    run = write_layout(tmp_path / "r", 0)
    for file in run.glob("points/*/point.json"):
        point = json.loads(file.read_text()) | {"engine": "gem5"}
        file.write_text(json.dumps(point) + "\n")
    for point_directory in run.glob("points/*"):
        seal(point_directory)
    (other,) = _read(run)
    assert match(runs[0], groups) is groups[0] and match(other, groups) is None
    assert covered_table([other], groups).empty


def test_starts_of_a_layout_are_found_by_their_system(tmp_path: Path) -> None:
    run = write_layout(tmp_path / "r", 1)
    add_start(run, 5)
    (analysed,) = _read(run)
    (first, own), (second, tables) = by_start(analysed, suites())
    assert (first, second) == (0, 5) and own is analysed.tables
    # Each start has its own reference: R is that of the first, its times being the same.
    merged = own["relative"].merge(
        tables["relative"], on=["series", "clock_mhz", "benchmark", "fs"], suffixes=("_a", "_b")
    )
    assert len(merged) == len(own["relative"]) == len(tables["relative"])
    assert merged["relative_b"].tolist() == pytest.approx(merged["relative_a"].tolist())


def test_layouts_with_starts_count_both(tmp_path: Path) -> None:
    for run in write_layouts(tmp_path / "r", 3).iterdir():
        add_start(run, 5)
    rows = layouts_table(layout_groups(_read(tmp_path / "r"), suites()))
    own = rows[rows["quantity"] != "time"]
    assert (own["layouts"] == 3).all() and (own["starts"] == 6).all()


def add_start(run: Path, seed: int) -> None:
    """Copies every point as one of another start, which is in no series."""
    record = json.loads((run / "run.json").read_text())
    for key in list(record["points"]):
        _tell_disks_apart(run / "points" / key)
        new = run / "points" / f"{key}-s{seed}"
        shutil.copytree(run / "points" / key, new)
        point = json.loads((new / "point.json").read_text())
        point["key"] = new.name
        point["axes"]["seed"] = point["orders"]["seed"] = seed
        (new / "point.json").write_text(json.dumps(point) + "\n")
        seal(new)
        record["points"].append(new.name)
    (run / "run.json").write_text(json.dumps(record) + "\n")


def _tell_disks_apart(point: Path) -> None:
    """The synthetic run says of no system that its disk is scaled."""
    record = json.loads((point / "point.json").read_text())
    if point.name.startswith(("disk", "both")):
        record["resolved"]["disk"]["overhead_ns"] = 1
    (point / "point.json").write_text(json.dumps(record) + "\n")
    seal(point)
