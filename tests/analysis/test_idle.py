# SPDX-License-Identifier: BSD-3-Clause
"""Idle time of several harts: what stats.txt says, against the guest kernel's own count."""

import pytest

from osgap.base.paths import project_root
from osgap.rundir.load import load_run

LOCKED = project_root() / "results" / "locked" / "publications/kennaway"


@pytest.mark.slow
@pytest.mark.parametrize("harts", [1, 2, 4, 12])
def test_stats_and_kernel_agree_on_idle_time_of_the_committed_runs(harts: int) -> None:
    run = load_run(LOCKED / "gem5" / f"smp-{harts}.smp")
    for point in run.points.values():
        told = point.modes.set_index("region")["idle_ns"]
        samples = point.samples.set_index("region").loc[told.index]
        stats_share = samples["idle_cycles"] / (harts * samples["cycles"])
        kernel_share = told / (harts * samples["guest_ns"])
        assert len(told) == (20 if harts == 1 else 40)
        # The kernel's count begins a little before the region and ends a little after.
        assert (stats_share - kernel_share).abs().max() < 0.01
        # A lone extraction leaves all other harts idle.
        assert stats_share.max() == pytest.approx(1 - 1 / harts, abs=0.05)
