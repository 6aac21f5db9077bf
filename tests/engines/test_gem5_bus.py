# SPDX-License-Identifier: BSD-3-Clause
"""A bus between harts that have large caches of their own: its latency in gem5's objects, and
where it is refused."""

import pytest
from gem5_scripts import read_system

from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.engines import gem5, load
from osgap.engines.contract import EngineError
from osgap.machines.machine import load_machine
from osgap.machines.system import System, system

MACHINES = project_root() / "configs" / "machines"


def _simulated(name: str, clock_mhz: float | None = None) -> System:
    return system(load_machine(MACHINES / f"{name}.toml"), clock_mhz)


@pytest.mark.parametrize(
    ("name", "clock_mhz", "cycles"),
    [("e4500-4", 400, 112), ("e4500-4", 200, 56), ("e4500-4-near", 400, 0)],
)
def test_what_crosses_the_bus_waits_for_it(
    scripts, name: str, clock_mhz: float, cycles: int
) -> None:
    read = read_system(_simulated(name, clock_mhz))
    caches = scripts.caches.OsgapCaches(read, "own")
    caches._connect_lower([8, 1], 4, 4)
    assert caches.l3bus.response_latency == cycles
    assert {bus.response_latency for bus in (*caches.l2bus, caches.membus)} == {0}


def test_memory_and_bus_together_have_the_latency(scripts) -> None:
    far, near = (read_system(_simulated(name)) for name in ("e4500-4", "e4500-4-near"))
    of_memory = [scripts.latencies.device_cycles(read) for read in (far, near)]
    assert of_memory == [132 - 13 - 112, 132 - 13]


def test_a_bus_that_takes_longer_than_memory_is_refused(scripts) -> None:
    far = _simulated("e4500-4")
    slow = far.model_copy(
        update={"memory": far.memory.model_copy(update={"bus_latency_ns": 320.0})}
    )
    with pytest.raises(EngineError, match=r"^memory.latency_ns: found 330"):
        gem5._check_latency(slow)
    with pytest.raises(ValueError, match=r"memory.latency_ns: found 330; .* and on the bus"):
        scripts.latencies.device_cycles(read_system(slow))


def test_a_bus_without_caches_on_both_sides_is_refused() -> None:
    far = _simulated("e4500-4")
    timed = far.l1d.model_copy(update={"load_cycles": 3})
    for change in ({"harts": 1}, {"l3": None}, {"l1d": timed}):
        with pytest.raises(EngineError, match=r"^memory.bus_latency_ns: .* allowed by gem5"):
            gem5._check_bus(far.model_copy(update=change))


def test_a_bus_beside_a_model_of_memory_is_refused() -> None:
    """A model has a latency of its own: the bus's would be no part of it, but come on top."""
    machine = load_machine(MACHINES / "e4500-4.toml")
    memory = machine.memory.model_copy(update={"model": "DDR3_1600"})
    with pytest.raises(ConfigError, match=r"^memory.bus_latency_ns: found with model DDR3_1600"):
        system(machine.model_copy(update={"memory": memory}))


def test_rvsim_has_no_such_bus() -> None:
    with pytest.raises(EngineError, match=r"^memory.bus_latency_ns: found 280; allowed by rvsim"):
        load("rvsim").check(_simulated("e4500-4"))


def test_the_snoop_filters_know_every_line_of_memory(scripts) -> None:
    caches = scripts.caches.OsgapCaches(read_system(_simulated("e4500")), "own")
    caches._connect_lower([8, 1], 4, 12)
    buses = [caches.membus, caches.l3bus, *caches.l2bus]
    assert {bus.snoop_filter.max_capacity for bus in buses} == {"128MiB"}
