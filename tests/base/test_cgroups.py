# SPDX-License-Identifier: BSD-3-Clause
"""Quotas and memory limits of control groups: both versions, nested, and inside containers."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from osgap.base.cgroups import cpu_quota, free_memory

V2 = "30 20 0:25 {} /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"
V1 = "30 20 0:25 {} /sys/fs/cgroup/{} rw - cgroup cgroup rw,{}\n"


def tree(root: Path, group: str, mounts: str, files: Mapping[str, str]) -> Path:
    texts = {"proc/self/cgroup": group, "proc/self/mountinfo": mounts}
    texts |= {f"sys/fs/cgroup/{name}": text for name, text in files.items()}
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize(
    ("group", "mounts", "files", "quota"),
    [
        ("0::/a/b\n", V2.format("/"), {"a/b/cpu.max": "max 100000\n"}, None),
        ("0::/a/b\n", V2.format("/"), {"a/b/cpu.max": "150000 100000\n"}, 1.5),
        # The smallest of all levels holds.
        ("0::/a/b\n", V2.format("/"), {"a/b/cpu.max": "9 2", "a/cpu.max": "50000 100000"}, 0.5),
        ("0::/a/b\n", V2.format("/"), {"cpu.max": "400000 100000"}, 4),
        # A container sees its own group at the mount, under a path of the host or one above it.
        ("0::/docker/x/y\n", V2.format("/docker/x"), {"y/cpu.max": "7 2"}, 3.5),
        ("0::/../other\n", V2.format("/"), {"cpu.max": "7 2"}, 3.5),
        ("0::/\n", V2.format("/docker/x"), {"cpu.max": "7 2"}, 3.5),
        (
            "4:cpu,cpuacct:/a\n0::/b\n",
            V1.format("/", "cpu", "cpu,cpuacct"),
            {"cpu/a/cpu.cfs_quota_us": "20000", "cpu/a/cpu.cfs_period_us": "10000"},
            2,
        ),
        (
            "4:cpu:/a\n",
            V1.format("/", "cpu", "cpu"),
            {"cpu/a/cpu.cfs_quota_us": "-1", "cpu/a/cpu.cfs_period_us": "10000"},
            None,
        ),
        ("", "", {}, None),
    ],
)
def test_the_smallest_quota_holds(
    tmp_path: Path, group: str, mounts: str, files: Mapping[str, str], quota: float | None
) -> None:
    assert cpu_quota(tree(tmp_path, group, mounts, files)) == quota


def test_memory_is_free_until_the_nearest_limit(tmp_path: Path) -> None:
    files = {
        "a/b/memory.max": "max",
        "a/b/memory.current": "10",
        "a/memory.max": "1000",
        "a/memory.current": "700",
        "a/memory.stat": "anon 1\ninactive_file 100\n",
    }
    assert free_memory(tree(tmp_path, "0::/a/b\n", V2.format("/"), files)) == 400


def test_memory_of_version_1(tmp_path: Path) -> None:
    files = {"m/a/memory.limit_in_bytes": "1000", "m/a/memory.usage_in_bytes": "900"}
    mounts = V1.format("/", "m", "memory")
    assert free_memory(tree(tmp_path, "3:memory:/a\n", mounts, files)) == 100
