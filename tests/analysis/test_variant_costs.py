# SPDX-License-Identifier: BSD-3-Clause
"""The table of image variants: a variant's times by those with the default image."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.runs import placed_points
from osgap.analysis.variant_costs import COMBINED
from osgap.base.paths import project_root
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs

RAVELING = project_root() / "results" / "locked" / "publications" / "raveling"
LAYOUTS = project_root() / "results" / "locked" / "layouts"


@pytest.fixture(scope="module")
def runs() -> list[AnalysedRun]:
    return load_runs([RAVELING / "rvsim"])


def of(runs: Sequence[AnalysedRun], variant: str, benchmark: str) -> float:
    (run,) = (run for run in runs if run.variant == variant)
    times = run.tables["times"].set_index("benchmark")["ns_per_op"]
    return float(times[benchmark])


def test_a_ratio_is_a_variants_time_by_the_default_images(runs: list[AnalysedRun]) -> None:
    rows = COMBINED.compute(placed_points(runs)).rows
    assert set(rows["variant"]) == {run.variant for run in runs} - {"default"}
    assert "integer_mix" not in set(rows["benchmark"]), "a check of the machine, no result"
    for row in rows.to_dict("records"):
        expected = of(runs, row["variant"], row["benchmark"]) / of(
            runs, "default", row["benchmark"]
        )
        assert row["ratio"] == pytest.approx(expected)


def test_it_prints_the_longer_side_downwards_with_the_means_of_the_variants(
    runs: list[AnalysedRun],
) -> None:
    result = COMBINED.compute(placed_points(runs))
    ((title, printed),) = result.printed
    assert isinstance(printed, pd.DataFrame)
    assert title == "rvsim, base, 20 MHz, fixed: time by the default image's"
    assert list(printed.columns) == ["benchmark", *dict.fromkeys(result.rows["variant"])]
    last = printed.iloc[-1]
    ratios = result.rows.loc[result.rows["variant"] == "musl", "ratio"]
    assert last["benchmark"] == "geometric mean"
    assert last["musl"] == f"{np.exp(np.log(ratios).mean()):.2f}"
    few = [point for point in placed_points(runs) if point.analysed.variant in ("default", "musl")]
    ((_, alone),) = COMBINED.compute(few).printed
    assert isinstance(alone, pd.DataFrame) and list(alone.columns) == ["benchmark", "musl"]


def test_a_ratio_differs_outside_the_interval_of_one_more_layout_of_the_default_image() -> None:
    layouts, other = (LAYOUTS / name / "rvsim" for name in ("ten-layouts", "kernel-options"))
    together = load_runs([layouts, other])
    result = COMBINED.compute(placed_points(together))
    rows = result.rows
    assert set(rows["variant"]) == {"more-calls"} and set(rows["layouts"]) == {10}
    row = rows[(rows["benchmark"] == "select_10_full") & (rows["clock_mhz"] == 320)].iloc[0]
    base = [run.tables["relative"] for run in together if run.variant != "more-calls"]
    places = [(f["benchmark"] == "select_10_full") & (f["clock_mhz"] == 320) for f in base]
    values = [float(f.loc[at, "value"].iloc[0]) for f, at in zip(base, places, strict=True)]
    times = np.log(values) + np.log(1000)  # us
    half = stats.t.ppf(0.975, 9) * times.std(ddof=1) * np.sqrt(1 + 1 / 10)
    assert row["default_ns_per_op"] == pytest.approx(np.exp(times.mean()))
    assert (row["one_low"], row["one_high"]) == pytest.approx((np.exp(-half), np.exp(half)))
    outside = ~rows["ratio"].between(rows["one_low"], rows["one_high"])
    assert (rows["differs"] == np.where(outside, "yes", "no")).all()
    assert 0 < outside.sum() < len(rows) / 5
    marked = sum(table["more-calls"].str.endswith("*").sum() for _, table in result.printed[:-1])
    assert marked == outside.sum()
    assert str(result.printed[-1]).startswith("*: outside the 95 % interval")


def test_without_a_default_image_or_a_variant_it_says_so(runs: list[AnalysedRun]) -> None:
    for chosen in (["default"], ["musl", "hz250"]):
        points = [point for point in placed_points(runs) if point.analysed.variant in chosen]
        with pytest.raises(ResultsError, match="no machine has runs of the default image and of"):
            COMBINED.compute(points)
    elsewhere = load_runs([RAVELING / "gem5" / "musl", RAVELING / "rvsim" / "default"])
    with pytest.raises(ResultsError):
        COMBINED.compute(placed_points(elsewhere))
