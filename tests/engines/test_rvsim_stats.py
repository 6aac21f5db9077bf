# SPDX-License-Identifier: BSD-3-Clause
"""rvsim's statistics under gem5's names: one hart as ever, several by number with their sum."""

import pytest

from osgap.base.paths import project_root
from osgap.engines.rvsim_stats import region_stats
from osgap.machines.machine import load_machine
from osgap.machines.system import System, system


class Raw(dict):
    """What rvsim gives: statistics by path, and a query for all of them."""

    def query(self, pattern: str) -> list[tuple[str, float]]:
        assert pattern == "**"
        return list(self.items())


def _hart(number: int, user: int, idle: int) -> dict[str, float]:
    core = f"core{number}"
    caches = {
        f"{core}.cache.{cache}.{name}": 10.0 + number
        for cache in ("l1i", "l1d", "l2")
        for name in ("hits", "misses", "fills", "writebacks")
    }
    return {
        **caches,
        f"{core}.pipeline.cycles.total": 1000.0,
        f"{core}.pipeline.cycles.wfi": float(idle),
        f"{core}.pipeline.stalls.fetch_wait": 20.0,
        f"{core}.commit.retire_histogram.zero": 900.0,
        f"hart{number}.cycles.user": float(user),
        f"hart{number}.retired_insts": 100.0 + number,
    }


def _system(harts: int) -> System:
    return system(load_machine(project_root() / "configs" / "machines" / f"smp-{harts}.toml"))


def test_one_hart_has_no_number() -> None:
    found = region_stats(Raw(_hart(0, 200, 300)), _system(1))
    assert found["system.cpu.numCycles"] == 1000 and found["simInsts"] == 100
    assert found["osgap.cycles.kernel"] == 500
    assert not [name for name in found if "cpu0" in name or "::0" in name]


def test_several_harts_have_rows_of_their_own_and_sums_named_so() -> None:
    llc = {f"llc.{name}": 5.0 for name in ("hits", "misses", "fills", "writebacks")}
    raw = Raw({**_hart(0, 200, 300), **_hart(1, 400, 500), **llc})
    found = region_stats(raw, _system(2))
    assert found["simSeconds"] == pytest.approx(1000 / 80e6)
    assert found["simInsts"] == 201 and found["system.cpu1.commitStats0.numInsts"] == 101
    rows = [found[f"osgap.cycles.kernel::{row}"] for row in ("0", "1", "total")]
    assert rows == [500, 100, 600]
    parts = [found[f"osgap.cycles.{name}::total"] for name in ("user", "kernel", "idle")]
    assert sum(parts) == 2 * found["system.cpu0.numCycles"]
    assert found["system.mem_ctrls.bytesRead::total"] == 5 * 64
    assert found["system.l2.overallMisses::total"] == 5
    assert not [name for name in found if name.startswith("system.cpu.")]
