# SPDX-License-Identifier: BSD-3-Clause
"""Which points on rvsim share a boot: those whose guest could not tell them apart, no others."""

from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.engines import rvsim
from osgap.image.files import Image
from osgap.machines.machine import load_machine
from osgap.machines.system import System, system

MACHINES = project_root() / "configs" / "machines"
BASE = load_machine(MACHINES / "base.toml")


def _checkpoint(found: System, digest: str = "a", version: str = "1") -> str:
    engine = rvsim.Rvsim()
    engine.version = lambda: version  # type: ignore[method-assign]
    path = Path("not-there")
    return engine._checkpoint(Image(path, path, digest), found, path).name


def test_clock_caches_latency_and_disk_share_a_boot() -> None:
    faster = system(BASE, 640, "scaled", "scaled")
    larger = faster.model_copy(
        update={"l1d": faster.l1d.model_copy(update={"size_bytes": 1 << 16}), "tlb_entries": 512}
    )
    first = _checkpoint(system(BASE, 20))
    assert {_checkpoint(found) for found in (faster, larger, system(BASE, 80))} == {first}


def test_networks_share_a_boot_with_each_other_and_with_none() -> None:
    """The guest is told of its network after the boot."""
    own, faster = (
        system(BASE, 20, remote=True, network_mbit_s=rate, network_delay_us=5) for rate in (10, 100)
    )
    assert own.network != faster.network
    assert {_checkpoint(found) for found in (own, faster)} == {_checkpoint(system(BASE, 20))}
    boot = rvsim._boot_system(own)
    assert "network" not in boot and boot == rvsim._boot_system(system(BASE, 20))


def test_another_image_simulator_memory_or_number_of_harts_boots_again() -> None:
    base = system(BASE, 20)
    more = base.model_copy(update={"memory": base.memory.model_copy(update={"size_mib": 256})})
    several = [system(load_machine(MACHINES / f"smp-{harts}.toml")) for harts in (2, 4)]
    names = [
        _checkpoint(base),
        _checkpoint(base, digest="b"),
        _checkpoint(base, version="2"),
        *(_checkpoint(found) for found in (more, *several)),
    ]
    assert len(set(names)) == len(names) == 6


@pytest.mark.parametrize("harts", [1, 2, 4])
def test_the_boots_own_machine_is_as_the_guest_sees_it(harts: int) -> None:
    """Checked by the engine as any other."""
    found = system(load_machine(MACHINES / f"smp-{harts}.toml"))
    boot = System.model_validate({**rvsim._boot_system(found), "disk": found.disk.model_dump()})
    assert (boot.harts, boot.memory.size_mib) == (harts, found.memory.size_mib)
    rvsim.Rvsim().check(boot)
