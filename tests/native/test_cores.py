# SPDX-License-Identifier: BSD-3-Clause
"""Cores of several kinds: their names, which were measured, and which CPU measure.sh chooses."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import measured
import pytest
from native import WORKLOADS

from osgap.machines.host import HostMachine, HostMix
from osgap.native.facts import machine_of
from osgap.native.output import parse
from osgap.native.text import cpu_list, cpus_of
from osgap.native.warnings import warnings

MIX = HostMix(instructions=measured.MIX, counted_by="steps")
CPU = measured.CPU
ARM = "processor : {0};BogoMIPS : 48.00;CPU implementer : {1};CPU part : {2};;"
BIG_LITTLE = "".join(ARM.format(n, "0x41", "0xd05" if n < 4 else "0xd0b") for n in range(6))
CAPACITY = {f"{CPU}/cpu{n}/cpu_capacity": "446;" if n < 4 else "1024;" for n in range(6)}
HYBRID = {
    "cpuinfo": "processor : 0;model name : 12th Gen Intel(R) Core(TM) i9-12900K;flags : hybrid;;",
    "cores": "24",
}
INTEL = {"/sys/devices/cpu_core/cpus": "0-15;", "/sys/devices/cpu_atom/cpus": "16-23;"}


def machine(facts: Mapping[str, str | None]) -> HostMachine:
    return machine_of(parse(measured.text(facts), "f"), MIX, "f")


def first(facts: Mapping[str, str | None]) -> str:
    """The first sentence about the machine's cores; "" for none."""
    lines = [line for line in warnings(machine(facts)) if "kind" in line or "fastest" in line]
    return lines[0] if lines else ""


@pytest.mark.parametrize(
    ("cpuinfo", "name"),
    [
        (BIG_LITTLE, "ARM Cortex-A55"),
        (ARM.format(0, "0x41", "0xd05"), "ARM Cortex-A55"),
        (ARM.format(3, "0x61", "0x023"), "Apple Firestorm (M1)"),
        (ARM.format(3, "0x61", "0x22"), "Apple Icestorm (M1)"),
        (ARM.format(3, "0x41", "0xfff"), "ARM 0xfff"),
        (ARM.format(3, "0x99", "0x001"), "0x99 0x001"),
        ("processor : 3;isa : rv64;mvendorid : 0x489;marchid : 0x7;", "SiFive 0x7"),
        ("processor : 3;uarch : sifive,u74-mc;mvendorid : 0x489;", "sifive,u74-mc"),
        (
            "vendor_id : IBM/S390;processor 0: version = FF, machine = 3931;",
            "IBM/S390 machine 3931",
        ),
        ("processor : 3;cpu : POWER9, altivec supported;", "POWER9, altivec supported"),
    ],
)
def test_the_name_is_the_measured_cpus(cpuinfo: str, name: str) -> None:
    assert machine({"cpuinfo": cpuinfo}).processor == name


def test_caches_are_of_the_measured_cpu_alone() -> None:
    other = {path.replace("cpu3", "cpu1"): "9;" for path in measured.FACTS if "/cache/" in path}
    assert [cache.level for cache in machine(other).caches] == [1, 2]
    own = {path: None for path in measured.FACTS if "/cache/" in path}
    assert machine({**other, **own}).caches == ()


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, ""),
        ({f"{CPU}/cpu{n}/cpu_capacity": "1024;" for n in range(4)}, ""),
        # Favoured cores of one kind: a few per cent apart.
        ({f"{CPU}/cpu{n}/cpufreq/cpuinfo_max_freq": f"{5200000 + n}00;" for n in range(4)}, ""),
        ({**HYBRID, "cpu": "23"}, "nothing tells of which kind CPU 23 is"),
        (
            {**HYBRID, **INTEL, "cpu": "23"},
            "2 kinds (CPUs 0-15: performance; CPUs 16-23: efficiency): the numbers are of CPU "
            "23, a slower one",
        ),
        ({**HYBRID, **INTEL, "cpu": "15"}, "of CPU 15, one of the fastest"),
        # The slow ones are off: what is left is of one kind.
        ({**HYBRID, **INTEL, "cpu": "3", f"{CPU}/online": "0-15;"}, ""),
        (
            {**CAPACITY, "cpuinfo": BIG_LITTLE, "cpu": "5"},
            "(CPUs 4-5: ARM Cortex-A76; CPUs 0-3: ARM Cortex-A55): the numbers are of CPU 5, one",
        ),
        (
            {**CAPACITY, "names": "0,1,2,3 0x41 0xd05;4,5 0x41 0xd0b;", "cpu": "2"},
            "(CPUs 4-5: ARM Cortex-A76; CPUs 0-3: ARM Cortex-A55): the numbers are of CPU 2, a ",
        ),
        (
            {f"{CPU}/cpu{n}/cpufreq/cpuinfo_max_freq": f"{5 - n}000000;" for n in range(2)}
            | {"cpu": "1"},
            "2 kinds (CPU 0; CPU 1): the numbers are of CPU 1, a slower one",
        ),
    ],
)
def test_several_kinds_are_said(facts: Mapping[str, str | None], words: str) -> None:
    assert words in first(facts)
    assert bool(words) == bool(first(facts))


def test_a_mask_without_the_fastest_is_said() -> None:
    facts = {**CAPACITY, "cpuinfo": BIG_LITTLE, "cpu": "3", "allowed": "0-3"}
    assert any(
        "CPUs 0-3 alone, which leaves out the fastest" in w for w in warnings(machine(facts))
    )


def test_lists_of_cpus() -> None:
    assert cpus_of("0-2,8;") == {0, 1, 2, 8} and cpus_of("") == set()
    assert cpu_list({8, 0, 2, 1}) == "CPUs 0-2,8" and cpu_list([7]) == "CPU 7"


def facts_in(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The end of `measure.sh --facts` on a machine whose /proc and /sys are in `root`."""
    return subprocess.run(
        ["sh", WORKLOADS / "native" / "measure.sh", "--facts", *words],
        env={**os.environ, "OSGAP_ROOT": str(root)},
        capture_output=True,
        text=True,
    )


def chosen(root: Path) -> str:
    lines = facts_in(root).stdout.splitlines()
    return next(line for line in lines if line.startswith("fact cpu ")).removeprefix("fact cpu ")


def tree(root: Path, files: Mapping[str, str]) -> Path:
    """Files of /proc and /sys below `root`."""
    least = {"/proc/self/status": "Cpus_allowed_list:\t0-5\n", "/proc/cpuinfo": "processor : 0\n"}
    for path, text in {**least, **files}.items():
        (root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
        (root / path[1:]).write_text(text)
    return root


@pytest.mark.parametrize(
    ("files", "cpu"),
    [
        ({}, "5"),
        ({f"{CPU}/cpu{n}/cpu_capacity": "1024\n" if n < 2 else "446\n" for n in range(6)}, "1"),
        ({"/sys/devices/cpu_core/cpus": "0-3\n", "/sys/devices/cpu_atom/cpus": "4-5\n"}, "3"),
        ({f"{CPU}/cpu2/cpufreq/cpuinfo_max_freq": "5000000\n"}, "2"),
        ({f"{CPU}/cpu5/online": "0\n"}, "4"),
        (
            {"/sys/devices/cpu_core/cpus": "0-3\n", "/proc/self/status": "Cpus_allowed_list:\t4-5"},
            "5",
        ),
    ],
)
def test_the_fastest_usable_cpu_is_chosen(
    tmp_path: Path, files: Mapping[str, str], cpu: str
) -> None:
    assert chosen(tree(tmp_path, files)) == cpu


def test_a_cpu_that_may_not_be_used_is_refused(tmp_path: Path) -> None:
    done = facts_in(tree(tmp_path, {f"{CPU}/cpu5/online": "0\n"}), "--cpu", "5")
    assert done.returncode == 2 and not done.stdout
    assert "--cpu: found 5; allowed: one of 0-5 that is not off" in done.stderr


def test_facts_have_the_measured_cpus_block_and_all_names(tmp_path: Path) -> None:
    block = "processor\t: {}\nCPU implementer\t: 0x41\nCPU part\t: {}\n\n"
    cpuinfo = "".join(block.format(n, "0xd05" if n < 4 else "0xd0b") for n in range(6))
    lines = facts_in(tree(tmp_path, {"/proc/cpuinfo": cpuinfo})).stdout.splitlines()
    facts = dict(line.removeprefix("fact ").partition(" ")[::2] for line in lines)
    assert "0xd0b" in facts["cpuinfo"] and "0xd05" not in facts["cpuinfo"]
    assert sorted(facts["names"].split(";"))[1:] == ["0,1,2,3 0x41 0xd05", "4,5 0x41 0xd0b"]
