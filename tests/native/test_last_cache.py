# SPDX-License-Identifier: BSD-3-Clause
"""The working set that measure.sh takes for a machine: four times its last cache."""

from collections.abc import Mapping
from pathlib import Path

import measured
import pytest
from test_cores import facts_in, tree

CPU = measured.CPU
MIB = 1 << 20


def caches(**sizes: str) -> dict[str, str]:
    """Files of a CPU's caches in /sys; the name is CPU and level, `cpu5_2`."""
    files: dict[str, str] = {}
    for number, (name, size) in enumerate(sizes.items()):
        cpu, _, level = name.partition("_")
        folder = f"{CPU}/{cpu}/cache/index{number}"
        files |= {f"{folder}/level": f"{level[0]}\n", f"{folder}/size": f"{size}\n"}
    return files


def uncached(root: Path, files: Mapping[str, str], free_kib: int | None = 16 << 20) -> int:
    """Bytes of the working set; the measured CPU is 5."""
    meminfo = "MemTotal: 99 kB\nMemFree: 9 kB\n"
    meminfo += "" if free_kib is None else f"MemAvailable: {free_kib} kB\n"
    lines = facts_in(tree(root, {"/proc/meminfo": meminfo, **files})).stdout.splitlines()
    (found,) = [line for line in lines if line.startswith("fact uncached ")]
    return int(found.removeprefix("fact uncached "))


@pytest.mark.parametrize(
    ("files", "size"),
    [
        (caches(cpu5_1d="32K", cpu5_1i="32K", cpu5_2="2048K"), 8 * MIB),
        (caches(cpu5_1d="48K", cpu5_2="1280K", cpu5_3="30720K"), 120 * MIB),
        (caches(cpu5_1="32K", cpu5_2="128K"), MIB // 2),
        (caches(cpu5_1="32K", cpu5_2="3M"), 12 * MIB),
        # Another CPU's caches are not those of the measured one.
        (caches(cpu5_1="32K", cpu5_2="512K", cpu0_2="4M"), 2 * MIB),
        # Where none is reported behind the first ones, the last is unknown.
        ({}, 64 * MIB),
        (caches(cpu5_1d="32K", cpu5_1i="32K"), 64 * MIB),
        (caches(cpu0_2="512K"), 64 * MIB),
        (caches(cpu5_2="unknown"), 64 * MIB),
        # The most that orders may have, which 2 GiB in bytes do not overflow.
        (caches(cpu5_3="96M"), 256 * MIB),
        (caches(cpu5_3="1G"), 256 * MIB),
        (caches(cpu5_2="16K"), MIB // 8),
    ],
)
def test_it_is_four_times_the_measured_cpus_last_cache(
    tmp_path: Path, files: Mapping[str, str], size: int
) -> None:
    assert uncached(tmp_path, files) == size


@pytest.mark.parametrize(
    ("free_kib", "size"),
    [(None, 64 * MIB), (512 << 10, 64 * MIB), (100 << 10, 25 * MIB // 2), (1000, MIB // 8)],
)
def test_an_eighth_of_the_free_memory_limits_it(
    tmp_path: Path, free_kib: int | None, size: int
) -> None:
    assert uncached(tmp_path, {}, free_kib) == size
