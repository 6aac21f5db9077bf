# SPDX-License-Identifier: BSD-3-Clause
"""The limit up to which two runs differ by their layouts alone."""

import numpy as np
import pandas as pd
import pytest

from osgap.analysis.layouts.difference import LayoutSpreads, with_limits
from osgap.analysis.layouts.spread import Spread, spread

SPREAD = 0.05


def _one_row(time_ratio: float) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "series": ["fixed"],
            "clock_mhz": [320.0],
            "benchmark": ["x"],
            "fs": ["none"],
            "time_ratio": [time_ratio],
            "relative_ratio": [1 / time_ratio],
        }
    )


def _layouts(spread: Spread, *, averaged: bool = False) -> LayoutSpreads:
    keys = [
        ("time", "", "fixed", None, 320.0, "x", "none"),
        ("R", "", "fixed", 20.0, 320.0, "x", "none"),
    ]
    return LayoutSpreads(dict.fromkeys(keys, spread), 20.0, averaged)


@pytest.mark.slow
@pytest.mark.parametrize("layouts", [5, 10])
def test_layouts_alone_differ_in_five_pairs_of_a_hundred(layouts: int) -> None:
    rng = np.random.default_rng([8, layouts])
    wrong = 0
    sets = 600
    for _ in range(sets):
        known = _layouts(spread(list(rng.normal(0, SPREAD, (layouts, 1)))))
        a, b = rng.normal(0, SPREAD, 2)
        row = with_limits(_one_row(float(np.exp(b - a))), known, known).iloc[0]
        wrong += row["time_differs"] == "yes"
    # Three standard errors of 600 draws are 0.027.
    assert wrong / sets == pytest.approx(0.05, abs=0.027)


def test_what_a_tick_of_the_clock_makes_is_no_difference() -> None:
    known = _layouts(Spread(5, 5, 0.0, 0.0, 0.0, 0))
    assert with_limits(_one_row(1.0009), known, known).iloc[0]["time_differs"] == "no"
    assert with_limits(_one_row(1.0011), known, known).iloc[0]["time_differs"] == "yes"
