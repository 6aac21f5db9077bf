# SPDX-License-Identifier: BSD-3-Clause
"""The informed null model by hand, from printed times and Anderson's instructions."""

import pandas as pd
import pytest

from osgap.analysis.reference import load_reference
from osgap.suites.ousterhout.cells import BENCHMARKS, cells_table
from osgap.suites.ousterhout.informed import EVENTS, informed_speed
from osgap.suites.ousterhout.published import Paper
from osgap.suites.ousterhout.simulated import SIMULATED

REFERENCE = load_reference("ousterhout_tables")
PAPER = Paper(REFERENCE, 1990)
NULL = 0.321
CALL, SWITCH = 108 - 45, 178 - 81
"""Instructions of the DECstation 3100 beyond a VAX's, of a system call and of a switch."""


@pytest.mark.parametrize(
    ("metric", "more", "instructions"),
    [
        ("getpid", CALL, 207 * 0.9),
        ("cswitch_roundtrip", 4 * CALL + 2 * SWITCH, 3660 * 0.9),
        ("select_10_full", CALL, 1820 * 0.9),
        ("open_close_foo", 2 * CALL, 2900 * 0.9),
    ],
)
def test_entry_is_added_to_the_microvaxs_instructions(
    metric: str, more: float, instructions: float
) -> None:
    speed = informed_speed(PAPER, metric, "DS3100", "Ultrix 3.1", NULL)
    assert speed == pytest.approx(instructions / (instructions + more))


@pytest.mark.parametrize("machine", ["8800", "HP835", "RT-APC", "Sun3", "MVAX2"])
def test_a_machine_without_a_source_enters_as_a_vax_does(machine: str) -> None:
    for metric in EVENTS:
        assert informed_speed(PAPER, metric, machine, "any", NULL) == 1


def test_a_file_on_sprite_waits_for_one_turn_of_the_disk() -> None:
    expected = (100 / (60e3 / 3600)) / (12 / 0.9)
    speed = informed_speed(PAPER, "create_delete_0k", "DS3100", "Sprite", NULL)
    assert speed == pytest.approx(expected)


@pytest.mark.parametrize(
    ("metric", "os"),
    [("create_delete_0k", "Mach 2.5"), ("read_file_cache", "Sprite"), ("andrew_total", "Sprite")],
)
def test_of_other_cells_it_says_what_the_null_model_says(metric: str, os: str) -> None:
    assert informed_speed(PAPER, metric, "DS3100", os, NULL) == NULL


def test_in_1989_sprite_is_related_to_sprite_which_waits_as_well() -> None:
    paper = Paper(REFERENCE, 1989)
    assert informed_speed(paper, "create_delete_0k", "DS3100", "Sprite", NULL) == NULL
    # The rating of 1989 is 13 MIPS, so the same times are more instructions.
    speed = informed_speed(paper, "getpid", "DS3100", "Sprite", NULL)
    assert speed == pytest.approx(1 / (1 + (117 - 45) / (92 * 1.8)))


def test_its_values_in_the_cells_give_its_speeds() -> None:
    """A time of the null model, or a rate, follows from R as the printed one does."""
    rows = [
        (name, "fixed", benchmark, "none", "ms", 1.0, 1.0, 1.0)
        for name in ("DS3100", "MVAX2")
        for benchmark in set(BENCHMARKS.values())
    ]
    cells = cells_table(REFERENCE, pd.DataFrame(rows, columns=SIMULATED.names[1:]))
    of_machine = cells[cells["machine"] == "DS3100"].set_index(["os", "metric"])
    getpid = of_machine.loc[("Ultrix 3.1", "getpid")]
    assert getpid["informed"] * 12 == pytest.approx(207 * 0.9 + CALL)
    assert getpid["null"] * 12 == pytest.approx(207 * 0.9)
    create = of_machine.loc[("Sprite", "create_delete_0k")]
    assert create["informed"] == pytest.approx(60e3 / 3600) and create["null"] == 100
    copying = of_machine.loc[("Sprite", "bcopy_cached")]
    assert copying["informed"] == copying["null"] == pytest.approx(3.5 * 12 / 0.9)
    assert (cells[cells["machine"] == "MVAX2"]["relative_informed"] == 1).all()
