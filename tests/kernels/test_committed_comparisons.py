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


ITSELF = make_comparison(read_change([], "default", "--base"), None, 20)


def _comparison(name: str) -> KernelComparison:
    base = read_change([], "default", "--base")
    return make_comparison(
        base, apply_change(base, read_change([PATCHES / name], "default", "x")), 5
    )


def _tables(name: str, comparison: KernelComparison, folder: Path) -> dict[str, pd.DataFrame]:
    """The tables of a committed comparison, made again, which are those that are committed."""
    tables = result_tables(comparison, LOCKED / name, 60.0, 2)
    write_tables(tables, folder)
    for table in tables:
        again, committed = (
            pd.read_csv(place / f"{table}.csv") for place in (folder, LOCKED / name / "tables")
        )
        # The minutes are those of the host that ran the points.
        columns = [column for column in committed if column != "minutes"]
        pd.testing.assert_frame_equal(again[columns], committed[columns])
    return dict(tables)


@pytest.mark.parametrize("patch", sorted(path.stem for path in PATCHES.glob("*.patch")))
def test_a_committed_comparison_and_the_guide_agree_with_its_runs(
    patch: str, tmp_path: Path
) -> None:
    comparison = _comparison(f"{patch}.patch")
    tables = _tables(patch, comparison, tmp_path)
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


def test_the_guide_has_the_false_alarms_of_the_committed_runs(tmp_path: Path) -> None:
    alarms = _tables("itself", ITSELF, tmp_path)["kernel_ab_alarms"]
    assert len(alarms) == 3 and (alarms["comparisons"] >= 20).all()
    for row in alarms.itertuples():
        assert (
            f"| {row.layouts} | {row.comparisons} "
            f"| {row.alone_alarms} of {row.rows}: {row.alone_percent:.1f} % "
            f"[{row.alone_percent_low:.1f}, {row.alone_percent_high:.1f}] "
            f"| {row.alarms} of {row.comparisons}: {row.alarms_percent:.0f} % "
            f"[{row.alarms_percent_low:.0f}, {row.alarms_percent_high:.0f}] |"
        ) in GUIDE
