# SPDX-License-Identifier: BSD-3-Clause
"""The committed comparisons say today what they said, and the guide says what they say."""

from pathlib import Path

import pandas as pd
import pytest

from osgap.analysis.tables import write_tables
from osgap.base.paths import project_root
from osgap.kernels.change import apply_change, read_change
from osgap.kernels.comparison import KernelComparison, make_comparison, sweep_of
from osgap.kernels.plan import lines, make_plan
from osgap.kernels.results import result_tables
from osgap.kernels.sentences import sentences
from osgap.reproduce.declared import declarations

ROOT = project_root()
LOCKED = ROOT / "results" / "locked" / "kernels"
PATCHES = ROOT / "disk-images" / "kernel" / "examples"
COMMITTED = "kernels/longer-panic"
GUIDE = (ROOT / "docs" / "guide" / "kernel-ab.md").read_text()


def _comparison(name: str) -> KernelComparison:
    base = read_change([], "default", "--base")
    return make_comparison(
        base, apply_change(base, read_change([PATCHES / name], "default", "x")), 5
    )


@pytest.mark.parametrize("patch", sorted(path.stem for path in PATCHES.glob("*.patch")))
def test_a_committed_comparison_and_the_guide_agree_with_its_runs(
    patch: str, tmp_path: Path
) -> None:
    comparison = _comparison(f"{patch}.patch")
    tables = result_tables(comparison, LOCKED / patch, 60.0, 2)
    write_tables(tables, tmp_path)
    for name in tables:
        again, committed = (
            pd.read_csv(folder / f"{name}.csv") for folder in (tmp_path, LOCKED / patch / "tables")
        )
        # The minutes are those of the host that ran the points.
        columns = [column for column in committed if column != "minutes"]
        pd.testing.assert_frame_equal(again[columns], committed[columns])
    verdict = next(sentences(tables["kernel_ab"], comparison))
    assert f"\n{verdict}\n" in GUIDE


def test_where_nothing_has_run_the_committed_points_tell_how_long_it_takes(tmp_path: Path) -> None:
    comparison = _comparison("longer-getpid.patch")
    plan = make_plan(comparison, sweep_of(comparison, {}), tmp_path / "a", tmp_path / "b", 2)
    minutes = next(run.minutes for run in declarations().run if run.name == COMMITTED)
    assert plan.seconds * 2 / 60 == pytest.approx(minutes, abs=0.051)
    told = list(lines(plan, comparison))[-1]
    assert f"as long as those of results/locked/{COMMITTED} on another host" in told
    others = sweep_of(comparison, {"run": ["ousterhout/getpid"]})
    plan = make_plan(comparison, others, tmp_path / "a", tmp_path / "b", 2)
    assert list(lines(plan, comparison))[-1] == "no finished point tells how long they take"
