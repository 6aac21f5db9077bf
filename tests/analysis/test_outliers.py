# SPDX-License-Identifier: BSD-3-Clause
"""Batches that stand out are found, and batches that vary smoothly are not."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from synthetic import seal
from synthetic_layouts import write_layout

from osgap.analysis.outliers import OUTLIERS, outliers_table
from osgap.base.paths import project_root
from osgap.rundir.load import load_run
from osgap.suites import analyze


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_layout(tmp_path / "run", 0)


def _told(run: Path, values: list[float]) -> pd.DataFrame:
    """What is found where one benchmark has these batches after its first."""
    loaded = load_run(run)
    key = next(iter(loaded.points))
    rows = pd.DataFrame({"value": [2 * values[0], *values]})
    rows = rows.assign(key=key, benchmark="extract", fs="none", metric="ms", timer_irqs=0)
    return outliers_table(loaded, rows.assign(batch=range(len(rows))))


def test_a_planted_batch_is_found_with_its_place_and_the_others_range(run: Path) -> None:
    others = [28.0, 31.0, 33.0, 30.0, 29.0, 35.0, 32.0, 31.5]
    found = _told(run, [*others[:4], 47.8, *others[4:]])
    assert list(found.columns) == OUTLIERS.names and len(found) == 1
    row = found.iloc[0]
    assert (row["benchmark"], row["batch"], row["value"]) == ("extract", 5, 47.8)
    assert (row["others_low"], row["others_high"], row["median"]) == (28.0, 35.0, 31.5)
    assert row["deviation"] == pytest.approx(47.8 / 31.5 - 1)


def test_two_do_not_hide_each_other_and_fast_ones_count(run: Path) -> None:
    found = _told(run, [10.0, 10.1, 10.2, 10.1, 10.0, 20.0, 21.0, 10.1])
    assert found["batch"].tolist() == [6, 7]
    assert _told(run, [10.0, 10.1, 10.2, 5.0, 10.1])["batch"].tolist() == [4]


@pytest.mark.parametrize(
    "values",
    [
        [10.0, 10.0, 10.0, 10.0],
        [10.0, 10.0, 10.0, 10.4],  # within 5 %
        [10.0, 14.0, 18.0, 22.0, 26.0],  # far apart, all of them
        [10.0, 10.0, 20.0],  # too few to say
        [10.0, 10.0, float("nan"), 20.0],
    ],
)
def test_what_is_no_outlier(run: Path, values: list[float]) -> None:
    assert _told(run, values).empty


def test_the_first_batch_is_cold_and_no_outlier(run: Path) -> None:
    """In _told it takes twice as long as the others."""
    assert _told(run, [10.0, 10.1, 10.0, 10.1]).empty


@pytest.mark.parametrize("count", [4, 9])
def test_smooth_noise_gives_an_outlier_in_one_set_of_fifty_at_most(run: Path, count: int) -> None:
    rng = np.random.default_rng(count)
    loaded = load_run(run)
    sets = 500
    values = np.exp(rng.normal(0, 0.1, (sets, count))).ravel()
    rows = pd.DataFrame({"value": values, "batch": np.tile(np.arange(1, count + 1), sets)})
    rows["benchmark"] = np.repeat([f"b{at}" for at in range(sets)], count)
    rows = rows.assign(key=next(iter(loaded.points)), fs="none", metric="ms", timer_irqs=0)
    found = outliers_table(loaded, rows)
    assert 0 <= found["benchmark"].nunique() <= sets / 50


def test_a_run_has_the_table_only_where_a_batch_stands_out(run: Path) -> None:
    assert "outliers" not in analyze(load_run(run))
    point = next((run / "points").iterdir())
    file = point / "samples.csv"
    frame = pd.read_csv(file)
    more = frame[frame["benchmark"] == "getpid"].iloc[[-1] * 3]
    more = more.assign(batch=[3, 4, 5], region=len(frame) + np.arange(3))
    more.iloc[1, list(frame.columns).index("guest_ns")] *= 3
    pd.concat([frame, more]).to_csv(file, index=False)
    regions = pd.read_csv(point / "regions.csv")
    (point / "regions.csv").write_text("dump,region,benchmark,fs,batch\n")
    (point / "stats.txt").unlink()
    assert len(regions)
    seal(point)
    tables = analyze(load_run(run))
    assert tables["outliers"]["batch"].tolist() == [4]


@pytest.mark.slow
def test_the_extractions_that_stand_out_on_gem5_are_found() -> None:
    folder = project_root() / "results/locked/publications/kennaway-causes/ticks"
    found = analyze(load_run(folder / "smp-4.smp-hz25"))["outliers"]
    extractions = found[found["benchmark"] == "at_once_tmpfs_4"]
    assert extractions["batch"].tolist() == [3, 7, 9]
    assert extractions["value"].tolist() == pytest.approx([86.7, 65.3, 92.7], abs=0.05)
    assert (extractions["others_low"] > 59).all()
