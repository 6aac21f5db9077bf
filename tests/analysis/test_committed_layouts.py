# SPDX-License-Identifier: BSD-3-Clause
"""The committed layouts: their intervals follow from them, and hold the images of before."""

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
BEFORE = ("simulators/first-images/default", "simulators/first-images/quick/rvsim")
"""Two images of before: of one without TCP/IP in its kernel, and of one with it."""

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "engine"), [*((name, "rvsim") for name in SETS), ("layouts/ten-layouts", "gem5")]
)
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
    speeds = _speeds("layouts/kernel-options/rvsim")
    assert len(speeds) == 30 and (speeds["covered"] == "yes").mean() >= 0.9


@pytest.mark.long
def test_images_of_before_lie_where_one_more_layout_would() -> None:
    speeds = _speeds(*BEFORE)
    assert len(speeds) >= 120
    assert (speeds["covered"] == "yes").mean() >= 0.9


@pytest.mark.long
def test_on_gem5_too() -> None:
    """Most R lie in their intervals; the others miss them by 0.2 % at most."""
    speeds = _speeds("simulators/first-images/gem5", engine="gem5")
    assert len(speeds) >= 15 and (speeds["covered"] == "yes").mean() >= 0.7
    assert (speeds["value"] > 0.998 * speeds["one_low"]).all()
    assert (speeds["value"] < 1.002 * speeds["one_high"]).all()


def _speeds(*runs: str, engine: str = "rvsim") -> pd.DataFrame:
    """R of these committed runs, each beside where one more of the committed layouts would lie."""
    known = [path for name in SETS if (path := LOCKED / name / engine).is_dir()]
    groups = several(layout_groups(load_runs(known), suites()))
    rows = covered_table(load_runs([LOCKED / name for name in runs]), groups)
    return rows[rows["quantity"] == SPEED]
