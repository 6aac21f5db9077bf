# SPDX-License-Identifier: BSD-3-Clause
"""The curve between two clocks, of benchmarks whose times obey the formula."""

import numpy as np
import pandas as pd
import pytest

from osgap.figures._two_clocks import STEPS, curve

PARTS = {"getpid": (1.0, 0.0), "read": (1.0, 0.5), "create_delete_0": (0.1, 2.0)}
"""Benchmark -> at the first clock, the time that follows the processor, and the rest."""
FASTER = 16.0


def _mean(ratio: float) -> float:
    logs = [np.log((busy + rest) / (busy / ratio + rest) / ratio) for busy, rest in PARTS.values()]
    return float(np.exp(np.mean(logs)))


def _group(*ratios: float) -> pd.DataFrame:
    rows = [("fixed", 20 * ratio, ratio, _mean(ratio)) for ratio in ratios]
    return pd.DataFrame(rows, columns=["series", "clock_mhz", "mips_ratio", "geomean"])


def _relatives() -> pd.DataFrame:
    rows = [
        ("fixed", 20 * FASTER, name, (busy + rest) / (busy / FASTER + rest) / FASTER)
        for name, (busy, rest) in PARTS.items()
    ]
    other = [("fixed", 20 * FASTER, "null_call", 0.9), ("memory", 20 * FASTER, "read", 0.9)]
    columns = ["series", "clock_mhz", "benchmark", "relative"]
    return pd.DataFrame([*rows, *other], columns=columns)


def test_between_two_clocks_it_is_what_a_simulation_there_would_show() -> None:
    x, y = curve(_group(1, FASTER), {"relative": _relatives()}, list(PARTS))
    assert len(x) == STEPS and (x[0], x[-1]) == (1, FASTER)
    assert y.tolist() == pytest.approx([_mean(ratio) for ratio in x])
    assert y[STEPS // 2] < (y[0] + y[-1]) / 2


@pytest.mark.parametrize("ratios", [(1.0, 4.0, FASTER), (1.0,)])
def test_other_numbers_of_clocks_are_joined_as_they_are(ratios: tuple[float, ...]) -> None:
    group = _group(*ratios)
    x, y = curve(group[::-1], {"relative": _relatives()}, list(PARTS))
    assert x.tolist() == list(ratios) and y.tolist() == group["geomean"].tolist()


def test_without_the_rows_of_the_mean_it_is_a_straight_line() -> None:
    for tables, benchmarks in (
        ({}, list(PARTS)),
        ({"relative": _relatives()}, ["getpid"]),
        ({"relative": _relatives()}, ["none"]),
    ):
        x, _ = curve(_group(1, FASTER), tables, benchmarks)
        assert x.tolist() == [1, FASTER]
