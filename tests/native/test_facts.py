# SPDX-License-Identifier: BSD-3-Clause
"""From /proc and /sys to a machine, and what a reader is told of it."""

from collections.abc import Mapping

import measured
import pytest

from osgap.machines.host import HostMachine, HostMix
from osgap.native.facts import machine_of
from osgap.native.output import NativeError, parse
from osgap.native.record import machine_name
from osgap.native.warnings import warnings

MIX = HostMix(instructions=measured.MIX, counted_by="steps")
CPU = measured.CPU
CLOCK = "/sys/devices/system/clocksource/clocksource0/current_clocksource"


def machine(facts: Mapping[str, str | None] | None = None) -> HostMachine:
    return machine_of(parse(measured.text(facts), "f"), MIX, "f")


def test_a_machine_is_what_it_says() -> None:
    found = machine()
    assert found.processor == "example,board-7" and machine_name(found) == "example-board-7"
    assert (found.architecture, found.cores, found.cpu) == ("riscv64", 4, 3)
    assert found.clock_mhz == 1500.123
    assert [(c.level, c.kind, c.size_bytes, c.line_bytes, c.ways) for c in found.caches] == [
        (1, "data", 32768, 64, 8),
        (2, "unified", 2 << 20, 0, 0),
    ]
    assert found.last_cache_bytes == 2 << 20
    assert found.memory.size_mib == 3906
    assert found.kernel == "Linux 6.1.0-1"
    assert (found.governor, found.smt, found.turbo) == ("performance", "off", "")
    assert found.mitigations == {"spectre_v1": "Mitigation: __user pointer sanitization"}
    assert found.files.model_dump() == {
        "type": "ext4",
        "options": "rw,noatime",
        "rotational": "0",
        "write_cache": "write through",
        "synchronous": True,
    }
    assert (found.virtual, found.container) == ("", "")
    assert warnings(found) == []


@pytest.mark.parametrize(
    ("cpuinfo", "name"),
    [
        ("model name : Intel(R) Core(TM) i5-8250U CPU @ 1.60GHz;", "intel-core-i5-8250u"),
        ("model name : AMD Ryzen 7 5800X 8-Core Processor;", "amd-ryzen-7-5800x-8-core"),
        ("CPU implementer : 0x41;CPU part : 0xd0b;", "arm-cortex-a76"),
        ("nothing", "unknown"),
    ],
)
def test_a_name_comes_from_the_processors(cpuinfo: str, name: str) -> None:
    assert machine_name(machine({"cpuinfo": cpuinfo})) == name


@pytest.mark.parametrize("path", ["/proc/device-tree/model", "/sys/firmware/devicetree/base/model"])
def test_a_board_has_the_name_of_its_device_tree(path: str) -> None:
    """measure.sh printed the second path once."""
    assert machine({path: "StarFive VisionFive 2 v1.3B "}).board == "StarFive VisionFive 2 v1.3B"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"load": "1.50 0.2 0.1 1/2 3"}, "the load was 1.5 before it began"),
        ({f"{CPU}/cpu3/cpufreq/scaling_governor": "powersave;"}, "the governor is powersave"),
        ({f"{CPU}/smt/active": "1;"}, "SMT is on"),
        ({f"{CPU}/vulnerabilities/meltdown": "Mitigation: PTI;"}, "page tables are kept apart"),
        ({"/.dockerenv": "present"}, "in a container (docker)"),
        ({"/run/systemd/container": "lxc;"}, "in a container (lxc)"),
        ({"/sys/class/dmi/id/sys_vendor": "QEMU;"}, "a virtual machine (qemu)"),
        ({"cpuinfo": "flags : fpu hypervisor;"}, "a virtual machine (a hypervisor)"),
        ({"mount": "tmpfs tmpfs rw"}, "files are on tmpfs: in memory"),
        ({"uncached": "3145728"}, "working sets of 3 MiB are no larger than twice"),
        (
            {f"{CPU}/cpu3/cache/index0/level": None, f"{CPU}/cpu3/cache/index1/level": None},
            "the caches are unknown",
        ),
        ({"compiler": "none"}, "there is no tcc"),
        ({CLOCK: "hpet;"}, "the clock source is hpet"),
        ({"/sys/fs/cgroup/cpu.max": "50000 100000;"}, "a quota of 0.5 CPUs (cgroup): a benchmark"),
        (
            {"/sys/fs/cgroup/cpu.max": "100000 100000;", "throttled": "1"},
            "a quota of 1 CPU (cgroup) stopped the benchmarks 1 time: outliers come from it",
        ),
    ],
)
def test_what_distorts_is_said(facts: Mapping[str, str | None], words: str) -> None:
    (line,) = warnings(machine(facts))
    assert words in line


def test_a_file_system_that_cannot_be_synchronous_is_said() -> None:
    text = measured.text(rounds=1).replace("round 0 unix", "round 0 sprite", 1)
    found = machine_of(parse(text, "f"), MIX, "f")
    assert not found.files.synchronous
    assert "there are no rows of `unix` files" in warnings(found)[0]


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"uname": "Linux"}, "f: fact uname: found 'Linux'; allowed: system, release, machine"),
        ({"cores": "many"}, "f: fact cores: found 'many'; allowed: a whole number"),
        ({"memory": None}, "f: fact memory: found ''; allowed: a whole number"),
        ({"cores": "0"}, "f: 1 validation error for HostMachine cores"),
    ],
)
def test_without_these_nothing_is_known(facts: Mapping[str, str | None], sentence: str) -> None:
    with pytest.raises(NativeError) as told:
        machine(facts)
    assert str(told.value).startswith(sentence)
