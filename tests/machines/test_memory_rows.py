# SPDX-License-Identifier: BSD-3-Clause
"""Open rows of DRAM in a machine file: what is simulated, and what is refused."""

from pathlib import Path

import pytest

from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.engines import load, rvsim_config
from osgap.engines.contract import EngineError
from osgap.machines.machine import Machine, load_machine
from osgap.machines.system import system

BASE = project_root() / "configs" / "machines" / "base.toml"
ROWS = """
[memory.rows]
column_ns = { value = 15, source = "assumed" }
activate_ns = { value = 20, source = "assumed" }
precharge_ns = { value = 25, source = "assumed" }
"""


def _machine(tmp_path: Path, text: str = ROWS) -> Machine:
    file = tmp_path / "rows.toml"
    file.write_text(BASE.read_text().replace("\n[disk]", f"{text}\n[disk]"))
    return load_machine(file)


def test_rvsim_has_the_rows_and_the_rest_on_the_bus_both_ways(tmp_path: Path) -> None:
    options = rvsim_config.config(system(_machine(tmp_path), 200))
    rows = options.memory_controller
    assert (rows.t_cas, rows.t_ras, rows.t_pre) == (3, 4, 5)
    # 40 cycles without the 3 of the way and the 12 of the rows: an odd one is lost.
    assert options.bus_latency == (40 - 3 - 12) // 2


def test_rows_follow_a_memory_that_is_scaled(tmp_path: Path) -> None:
    simulated = system(_machine(tmp_path), 40, "scaled").memory
    assert simulated.rows is not None
    assert (simulated.latency_ns, simulated.rows.column_ns, simulated.rows.all_ns) == (100, 7.5, 30)


def test_rows_that_take_longer_than_a_miss_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"memory.rows: found 60 ns .*latency_ns, 50 ns"):
        system(_machine(tmp_path), latency_ns=50)


def test_rows_that_leave_nothing_for_the_caches_are_refused_by_rvsim(tmp_path: Path) -> None:
    simulated = system(_machine(tmp_path), 100, latency_ns=70)
    with pytest.raises(EngineError, match=r"memory.rows: found 6 cycles .* by rvsim: 4 or fewer"):
        load("rvsim").check(simulated)


def test_rows_beside_a_model_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"memory.rows: found with model DDR3_1600; allowed: one"):
        system(_machine(tmp_path, f'model = "DDR3_1600"\n{ROWS}'))
