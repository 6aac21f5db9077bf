# SPDX-License-Identifier: BSD-3-Clause
"""One machine at two time scales: on its own time everything takes what it took."""

from dataclasses import replace

import pytest
from outcomes import per_operation_ns

from osgap.base.paths import project_root
from osgap.engines import load
from osgap.guest.protocol import Orders
from osgap.machines.machine import fitted, load_machine
from osgap.machines.system import system

pytestmark = pytest.mark.rvsim
BASE = project_root() / "configs" / "machines" / "base.toml"
SUN3 = BASE.parent / "paper" / "Sun3.toml"
RUN = tuple(
    f"ousterhout/{name}"
    for name in ("getpid", "cswitch", "read", "open_close_foo", "create_delete_0")
)


@pytest.mark.long
def test_twice_the_time_scale_changes_no_time_of_the_machines_own(make_job) -> None:
    """Only the tick, which stays at 25 Hz, takes half as much: it is in no median here."""
    machine = fitted(load_machine(SUN3), "rvsim")
    # As much memory as the other tests' machine has: one boot serves all.
    base = load_machine(BASE).memory.size_mib
    machine = machine.model_copy(
        update={"memory": machine.memory.model_copy(update={"size_mib": base})}
    )
    found = []
    for scale in (machine.time_scale, 2 * machine.time_scale):
        scaled = system(machine.model_copy(update={"time_scale": scale}))
        job = make_job("rvsim", 20, *RUN)
        orders = Orders("sim-control", RUN, ("unix",), scaled.disk.model_dump(), 0, {})
        outcome = load("rvsim").run(replace(job, system=scaled, orders=orders))
        names = (name.rpartition("/")[2] for name in RUN)
        found.append({name: per_operation_ns(outcome, name) * scale for name in names})
    for name, once in found[0].items():
        assert found[1][name] == pytest.approx(once, rel=0.02), name
