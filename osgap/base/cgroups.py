# SPDX-License-Identifier: BSD-3-Clause
"""Limits that control groups set for this process, of both versions and at all levels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path("/")
"""The directory that holds proc and sys."""


def cpu_quota(root: Path = ROOT) -> float | None:
    """The time of CPUs that a second may use, by the smallest quota; None without one."""
    quotas = []
    for folder in _folders("cpu", root):
        limit, _, period = _read(folder / "cpu.max").partition(" ")
        quotas.append((limit, period))
        quotas.append((_read(folder / "cpu.cfs_quota_us"), _read(folder / "cpu.cfs_period_us")))
    numbers = [int(a) / int(b) for a, b in quotas if a.isdigit() and b.isdigit() and int(b)]
    return min(numbers, default=None)


def free_memory(root: Path = ROOT) -> int | None:
    """Bytes until the nearest limit, without files that are only cached; None without a limit."""
    return min(_free(root), default=None)


def _free(root: Path) -> Iterator[int]:
    for folder in _folders("memory", root):
        for limit_file, used_file, cached in (
            ("memory.max", "memory.current", "inactive_file"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        ):
            limit, used = _read(folder / limit_file), _read(folder / used_file)
            if limit.isdigit() and used.isdigit():
                lines = (line.partition(" ") for line in _read(folder / "memory.stat").split("\n"))
                rows = {name: value for name, _, value in lines}
                reclaimed = rows.get(cached, "0")
                resident = int(used) - (int(reclaimed) if reclaimed.isdigit() else 0)
                yield max(0, int(limit) - resident)


def _folders(controller: str, root: Path) -> Iterator[Path]:
    """The directories of this process's groups with a controller, and of those around them."""
    groups = dict(_own_groups(root))
    for line in _read(root / "proc/self/mountinfo").split("\n"):
        left, _, right = line.partition(" - ")
        fields, kind = left.split(), right.split()
        if len(fields) < 5 or not kind or kind[0] not in ("cgroup", "cgroup2"):
            continue
        names = "" if kind[0] == "cgroup2" else controller
        if names and controller not in kind[-1].split(","):
            continue
        group = groups.get(names)
        if group is not None:
            yield from _climb(root / fields[4][1:], fields[3], group)


def _own_groups(root: Path) -> Iterator[tuple[str, str]]:
    """Controller ("" for version 2) and path of each of this process's groups."""
    for line in _read(root / "proc/self/cgroup").split("\n"):
        _, _, rest = line.partition(":")
        names, _, path = rest.partition(":")
        if path:
            yield from ((name, path) for name in names.split(","))


def _climb(mount: Path, top: str, group: str) -> Iterator[Path]:
    """The directory of a group in its mount, then those around it.

    `top` is the group at the mount. In a container, paths may be those of the host.
    """
    inside = PurePosixPath(group)
    if inside.is_relative_to(top):
        inside = inside.relative_to(top)
    elif top != "/" or ".." in inside.parts:
        inside = PurePosixPath()
    for part in (inside, *inside.parents):
        yield mount / str(part).lstrip("/")
        if str(part) == ".":
            return


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
