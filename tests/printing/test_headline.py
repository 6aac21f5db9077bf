# SPDX-License-Identifier: BSD-3-Clause
"""One sentence from the table of means, whatever series and clocks a run has."""

import pandas as pd
import pytest

from osgap.printing.headline import headline

Mean = tuple[str, float, float]


def _tables(*means: Mean, name: str = "figure1") -> dict[str, pd.DataFrame]:
    rows = [(name, series, clock, mean, 7) for series, clock, mean in means]
    columns = ["set", "series", "clock_mhz", "geomean", "of"]
    return {"geomean": pd.DataFrame(rows, columns=columns)}


def _curve(series: str, mean: float, clock: float = 640.0) -> list[Mean]:
    return [(series, 20.0, 1.0), (series, clock, mean)]


FIXED = _curve("fixed", 0.24)


@pytest.mark.parametrize(
    ("means", "sentence"),
    [
        (
            [*FIXED, *_curve("memory", 0.44), *_curve("disk", 0.5), *_curve("both", 1.001)],
            "Clock alone from 20 to 640 MHz: the mean MIPS-relative speed (R) falls to 0.24; "
            "with memory scaled too 0.44, with the disk 0.50, with both 1.00.",
        ),
        (FIXED, "Clock alone from 20 to 640 MHz: the mean MIPS-relative speed (R) falls to 0.24."),
        (
            [*_curve("both", 0.9), *FIXED],
            "Clock alone from 20 to 640 MHz: the mean MIPS-relative speed (R) falls to 0.24; "
            "with memory and the disk scaled too 0.90.",
        ),
        (
            [*FIXED, *_curve("disk", 0.5, 320.0)],
            "Clock alone from 20 to 640 MHz: the mean MIPS-relative speed (R) falls to 0.24; "
            "with the disk scaled too 0.50 (at 320 MHz).",
        ),
        (
            [*_curve("both", 0.998), *_curve("memory", 1.2)],
            "Clock and memory from 20 to 640 MHz: the mean MIPS-relative speed (R) rises to 1.20; "
            "clock, memory and disk 1.00.",
        ),
        (
            [("fixed", 20.0, 1.0), ("both", 20.0, 1.0)],
            "One clock alone, 20 MHz: the MIPS-relative speed (R) compares with a slower clock, "
            "and there is none.",
        ),
        (
            [("fixed", 20.0, 1.0), ("both", 80.0, 0.7)],
            "At 80 MHz (series both), beside 20 MHz: the mean MIPS-relative speed (R) is 0.70.",
        ),
    ],
)
def test_the_sentence(means: list[Mean], sentence: str) -> None:
    assert headline(_tables(*means)) == sentence


def test_another_suites_mean_says_whose_it_is() -> None:
    assert headline(_tables(*FIXED, name="mcvoy")) == (
        "Clock alone from 20 to 640 MHz: the mean MIPS-relative speed (R) of the rows of "
        "Hohmuth 1996 falls to 0.24."
    )


def test_a_run_without_a_mean_has_none() -> None:
    tables = _tables(*FIXED)
    tables["geomean"]["geomean"] = float("nan")
    assert headline(tables) is None
    assert headline({"geomean": tables["geomean"].iloc[:0]}) is None
