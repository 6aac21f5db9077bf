# SPDX-License-Identifier: BSD-3-Clause
"""The committed comparisons say today what they said, and the guide says what they say."""

from pathlib import Path

import pandas as pd
import pytest

from osgap.analysis.tables import write_tables
from osgap.base.paths import project_root
from osgap.kernels.change import apply_change, read_change
from osgap.kernels.comparison import KernelComparison, make_comparison
from osgap.kernels.results import result_tables
from osgap.kernels.sentences import sentences

ROOT = project_root()
LOCKED = ROOT / "results" / "locked" / "kernels"
PATCHES = ROOT / "disk-images" / "kernel" / "examples"
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
