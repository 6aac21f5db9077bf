# SPDX-License-Identifier: BSD-3-Clause
"""The committed layouts: their intervals follow from them, and hold a layout that was left out."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

from osgap.analysis.layouts.coverage import covered_table
from osgap.analysis.layouts.groups import layout_groups, several
from osgap.analysis.layouts.values import SPEED
from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.rundir import manifest
from osgap.suites import load_runs, suites

LOCKED = project_root() / "results" / "locked"
SETS = {"layouts/ten-layouts": 10, "layouts/five-layouts": 5}
COVERED = [
    ("layouts/ten-layouts", "rvsim", 150),
    ("layouts/ten-layouts", "gem5", 150),
    ("layouts/five-layouts", "rvsim", 300),
    ("layouts/five-layouts", "gem5", 300),
]
"""Sets of layouts, and how many R they have: a benchmark, file system and clock in each."""

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("name", "engine"), [(name, engine) for name, engine, _ in COVERED])
def test_the_committed_intervals_follow_from_the_runs(
    name: str, engine: str, tmp_path: Path
) -> None:
    home = LOCKED / name / engine
    groups = several(layout_groups(load_runs([home]), suites()))
    assert [len(group.layouts) for group in groups] == [SETS[name]]
    words = ["analyze", str(home), "--table", "layouts", "--output", str(tmp_path / "made")]
    assert main(words) == 0
    made, kept = (
        pd.read_csv(directory / "tables" / "layouts.csv") for directory in (tmp_path / "made", home)
    )
    # Their last digits may depend on how the host's processor sums.
    pd.testing.assert_frame_equal(made, kept, rtol=1e-4, atol=1e-6)


def test_a_kernel_of_other_options_lies_where_one_more_layout_would() -> None:
    """As a newer Linux in Debian would: the numbers agree within what layouts do."""
    assert manifest.variant(LOCKED / "layouts/kernel-options" / "rvsim") == "more-calls"
    speeds = _speeds("layouts/kernel-options/rvsim", known=[f"{home}/rvsim" for home in SETS])
    assert len(speeds) == 30 and (speeds["covered"] == "yes").mean() >= 0.9


@pytest.mark.long
@pytest.mark.parametrize(("name", "engine", "rows"), COVERED)
def test_a_layout_lies_where_the_others_predict_it(name: str, engine: str, rows: int) -> None:
    home = f"{name}/{engine}"
    speeds = _speeds(home, known=[home])
    assert len(speeds) == rows and (speeds["covered"] == "yes").mean() >= 0.9


def _speeds(name: str, *, known: Sequence[str]) -> pd.DataFrame:
    """R of this committed run, each beside where one more of the known layouts would lie."""
    groups = several(layout_groups(load_runs([LOCKED / home for home in known]), suites()))
    rows = covered_table(load_runs([LOCKED / name]), groups)
    return rows[rows["quantity"] == SPEED]
