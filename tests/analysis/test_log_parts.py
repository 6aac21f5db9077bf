# SPDX-License-Identifier: BSD-3-Clause
"""The parts of log R: their sum is log R, and rounding is no part."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.analysis.constants import SERIES
from osgap.analysis.layouts.values import log_parts

SPEEDS = st.floats(1e-4, 1e4)


def _parts(*speeds: float) -> pd.Series:
    """The parts of one benchmark whose R in each of SERIES are `speeds`."""
    rows = pd.DataFrame({"benchmark": "getpid", "series": SERIES, "relative": speeds})
    return log_parts(rows, "relative", ["benchmark"]).loc["getpid"]


@given(SPEEDS, st.sampled_from([-np.inf, np.inf]), st.sampled_from(range(4)))
def test_the_last_bit_of_a_speed_is_no_loss(speed: float, towards: float, which: int) -> None:
    speeds = [speed] * 4
    speeds[which] = float(np.nextafter(speed, towards))
    parts = _parts(*speeds)
    assert (parts["memory"], parts["disk"]) == (0.0, 0.0)


@given(SPEEDS, SPEEDS, SPEEDS, SPEEDS)
def test_the_parts_are_log_r(fixed: float, memory: float, disk: float, both: float) -> None:
    parts = _parts(fixed, memory, disk, both)
    whole = parts["memory"] + parts["disk"] + parts["rest"]
    assert whole == pytest.approx(parts["log_relative"], abs=1e-11)
    assert parts["log_relative"] == pytest.approx(np.log(fixed))


def test_a_memory_that_keeps_up_is_its_part() -> None:
    parts = _parts(1.0, 2.0, 1.0, 2.0)
    assert parts["memory"] == pytest.approx(-np.log(2)) and parts["disk"] == 0
