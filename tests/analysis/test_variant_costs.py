# SPDX-License-Identifier: BSD-3-Clause
"""The table of image variants: a variant's times by those with the default image."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.runs import placed_points
from osgap.analysis.variant_costs import COMBINED
from osgap.base.paths import project_root
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs

RAVELING = project_root() / "results" / "locked" / "publications" / "raveling"


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
    assert last["musl"] == pytest.approx(float(np.exp(np.log(ratios).mean())))
    few = [point for point in placed_points(runs) if point.analysed.variant in ("default", "musl")]
    ((_, alone),) = COMBINED.compute(few).printed
    assert isinstance(alone, pd.DataFrame) and list(alone.columns) == ["benchmark", "musl"]


def test_without_a_default_image_or_a_variant_it_says_so(runs: list[AnalysedRun]) -> None:
    for chosen in (["default"], ["musl", "hz250"]):
        points = [point for point in placed_points(runs) if point.analysed.variant in chosen]
        with pytest.raises(ResultsError, match="no machine has runs of the default image and of"):
            COMBINED.compute(points)
    elsewhere = load_runs([RAVELING / "gem5" / "musl", RAVELING / "rvsim" / "default"])
    with pytest.raises(ResultsError):
        COMBINED.compute(placed_points(elsewhere))
