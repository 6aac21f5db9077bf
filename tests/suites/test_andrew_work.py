# SPDX-License-Identifier: BSD-3-Clause
"""Andrew's missing work: told by the MicroVAX II's two rows, done by each machine at its MIPS."""

import pandas as pd
import pytest

from osgap.rundir.csvfile import ResultsError
from osgap.suites.ousterhout.andrew import TREE, missing_work, with_missing_work

COPY_S, COMPILE_S = 214, 1202
"""What Table 7 prints for the MicroVAX II."""


def _frame(copy_s: float, compile_s: float) -> pd.DataFrame:
    """The MicroVAX II and a machine of 10 MIPS whose phases take 1 and 2 s; and another row."""
    rows = [
        ("MVAX2", "fixed", "andrew_copyphases", "unix", copy_s, 0.9),
        ("MVAX2", "fixed", "andrew_make", "unix", compile_s, 0.9),
        ("MVAX2", "fixed", "andrew_total", "unix", copy_s + compile_s, 0.9),
        ("X", "fixed", "andrew_copyphases", "sprite", 1.0, 10.0),
        ("X", "fixed", "andrew_make", "sprite", 2.0, 10.0),
        ("X", "fixed", "andrew_total", "sprite", 3.0, 10.0),
        ("X", "fixed", "getpid", "none", 5.0, 10.0),
    ]
    names = ["machine", "series", "benchmark", "fs", "value", "mips"]
    return pd.DataFrame(rows, columns=names)


def test_the_reference_then_takes_what_is_printed_for_a_tree_of_this_size() -> None:
    values = with_missing_work(_frame(6, 33))["value"]
    assert values[:3].tolist() == pytest.approx([COPY_S / TREE, COMPILE_S / TREE, 1416 / TREE])


def test_another_machine_does_the_same_work_at_its_own_mips() -> None:
    copy, compile_ = (COPY_S / TREE - 6) * 0.9, (COMPILE_S / TREE - 33) * 0.9
    work = missing_work(_frame(6, 33))
    assert work == pytest.approx({"andrew_copyphases": copy, "andrew_make": compile_})
    values = with_missing_work(_frame(6, 33))["value"]
    expected = [1 + copy / 10, 2 + compile_ / 10, 3 + (copy + compile_) / 10, 5]
    assert values[3:].tolist() == pytest.approx(expected)


def test_nothing_is_taken_off() -> None:
    frame = _frame(COPY_S / TREE + 1, COMPILE_S / TREE + 1)
    pd.testing.assert_frame_equal(with_missing_work(frame), frame)


def test_runs_without_andrew_are_left_as_they_are() -> None:
    frame = _frame(6, 33).query("benchmark == 'getpid'")
    assert with_missing_work(frame) is frame


def test_without_the_reference_it_is_a_sentence() -> None:
    with pytest.raises(ResultsError, match="MVAX2: found 0 rows of andrew_copyphases"):
        with_missing_work(_frame(6, 33).query("machine == 'X'"))
