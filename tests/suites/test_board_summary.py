# SPDX-License-Identifier: BSD-3-Clause
"""Means over the rows of boards and their intervals, against the arithmetic done apart."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from osgap.analysis import student
from osgap.suites.boards.summary import (
    PredictionError,
    cluster_variance,
    mean_interval,
    share_interval,
    summarised,
)

LOGS = st.lists(st.floats(-2, 2), min_size=2, max_size=20)


def errors(logs: list[float], clusters: list[str] | None = None) -> list[PredictionError]:
    names = clusters or [str(at) for at in range(len(logs))]
    return [
        PredictionError("prediction", name, log, {0: log})
        for log, name in zip(logs, names, strict=True)
    ]


@given(LOGS)
def test_independent_rows_have_students_interval(logs: list[float]) -> None:
    found = summarised(errors(logs))
    values = np.array(logs)
    half = student.quantile(len(logs) - 1, 0.975) * values.std(ddof=1) / math.sqrt(len(logs))
    assert found["ratio"] == pytest.approx(math.exp(values.mean()))
    ends = (math.exp(values.mean() - half), math.exp(values.mean() + half))
    assert (found["ratio_low"], found["ratio_high"]) == pytest.approx(ends, rel=1e-6)
    assert found["factor"] == pytest.approx(math.exp(np.abs(values).mean()))
    assert 1 <= found["factor_low"] <= found["factor"] <= found["factor_high"]
    assert found["rows"] == len(logs)


@given(LOGS)
def test_shares_are_of_the_rows_within_a_factor(logs: list[float]) -> None:
    found = summarised(errors(logs))
    shares = [found[name] for name in ("within_125", "within_150", "within_200")]
    assert shares == sorted(shares)
    near = sum(max(math.exp(log), math.exp(-log)) <= 1.5 * (1 + 1e-5) for log in logs)
    assert found["within_150"] == pytest.approx(near / len(logs))
    for name in ("within_125", "within_150", "within_200"):
        assert 0 <= found[f"{name}_low"] <= found[name] <= found[f"{name}_high"] <= 1


def test_a_ratio_of_just_the_factor_is_within_it() -> None:
    found = summarised(errors([math.log(1.25), -math.log(1.25), math.log(1.26)]))
    assert found["within_125"] == pytest.approx(2 / 3)


@given(LOGS, st.integers(2, 4))
def test_rows_that_are_there_several_times_say_no_more(logs: list[float], times: int) -> None:
    """Rows of one cluster that are all equal leave the interval as it is with each once."""
    names = [str(at) for at in range(len(logs))]
    once = mean_interval(np.array(logs), names, np.array([0.0]))
    often = mean_interval(np.array(logs * times), names * times, np.array([0.0]))
    assert often.tolist() == pytest.approx(once.tolist(), abs=1e-9)


def test_one_cluster_has_no_interval() -> None:
    found = summarised(errors([0.1, 0.3], ["same", "same"]))
    assert found["ratio"] == pytest.approx(math.exp(0.2))
    assert math.isnan(found["ratio_low"]) and math.isnan(found["factor_high"])
    assert cluster_variance(np.array([0.1]), ["a"]).df == 0


def test_layouts_widen_the_interval() -> None:
    logs = [[0.1, 0.3], [0.2, 0.5], [0.0, 0.1]]
    rows = [
        PredictionError("prediction", str(at), float(np.mean(own)), dict(enumerate(own)))
        for at, own in enumerate(logs)
    ]
    found = summarised(rows)
    means = np.array([np.mean(own) for own in logs])
    by_layout = np.array(logs).mean(axis=0)
    over_rows, over_layouts = means.var(ddof=1) / 3, by_layout.var(ddof=1) / 2
    degrees = (over_rows + over_layouts) ** 2 / (over_rows**2 / 2 + over_layouts**2 / 1)
    half = stats.t.ppf(0.975, degrees) * math.sqrt(over_rows + over_layouts)
    assert found["layouts"] == 2
    assert math.log(found["ratio_high"] / found["ratio"]) == pytest.approx(half)


def test_only_layouts_that_all_rows_have_are_counted() -> None:
    rows = [
        PredictionError("source", "a", 0.1, {0: 0.1, 1: 0.1}),
        PredictionError("source", "b", 0.2, {1: 0.2}),
    ]
    assert summarised(rows)["layouts"] == 1


@given(st.integers(1, 40), st.data())
def test_the_interval_of_a_share_is_exact(of: int, data: st.DataObject) -> None:
    near = data.draw(st.integers(0, of))
    wanted = stats.binomtest(near, of).proportion_ci(0.95, method="exact")
    assert share_interval(near, of) == pytest.approx((wanted.low, wanted.high))
