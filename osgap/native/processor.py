# SPDX-License-Identifier: BSD-3-Clause
"""The processor's name, and the kinds of its cores, from facts of a machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import cast

from osgap.base import config
from osgap.machines.host import HostCores
from osgap.native.text import CPU, Facts, cpus_of, fact, pairs, short

_FILE = Path(__file__).with_name("processor.toml")
_NAME_KEYS = ("model name", "Model Name", "uarch", "cpu model", "cpu")
_NEAR = 0.9
"""Cores whose capacity or highest clock is less than this part of another's are another kind: the
cores of one kind differ by a few per cent."""
_TYPES = {"core": "performance", "atom": "efficiency", "lowpower": "low-power"}
"""Names of the kernel's counters for the kinds of Intel's cores, fastest first."""


def processor(facts: Facts) -> str:
    """The name of the measured CPU in its block of /proc/cpuinfo, or by the numbers in it."""
    cpu = fact(facts, "cpu")
    named = (name for name, cpus in _named(facts) if cpu.isdigit() and int(cpu) in cpus)
    return next(named, "") or name_of(_blocks(facts)[0]) or "unknown"


def name_of(block: Mapping[str, str]) -> str:
    """The name in a block of /proc/cpuinfo, "" for none."""
    for key in _NAME_KEYS:
        if block.get(key):
            return short(block[key])
    if "CPU implementer" in block:
        return _arm(block["CPU implementer"], block.get("CPU part", ""))
    if "mvendorid" in block:
        vendor = _names()["riscv"].get(_hex(block["mvendorid"], 3), block["mvendorid"])
        return short(f"{vendor} {block.get('marchid', '')}")
    # s390 has `processor 0: version = FF, identification = 1, machine = 3931`.
    machine = re.search(r"\bmachine = (\w+)", " ".join(block.values()))
    return short(f"{block.get('vendor_id', '')} machine {machine[1]}") if machine else ""


def core_kinds(facts: Facts) -> tuple[HostCores, ...]:
    """The kinds of cores, fastest first, of the CPUs that are online; none if it is one kind."""
    types = {
        cpu: kind for kind in _TYPES for cpu in _listed(facts, f"/sys/devices/cpu_{kind}/cpus")
    }
    speeds = _numbers(facts, "cpu_capacity") or _numbers(facts, "cpufreq/cpuinfo_max_freq")
    names = {cpu: name for name, cpus in _named(facts) for cpu in cpus}
    if types or not speeds.keys() <= names.keys():
        names = {}  # a block of one CPU tells nothing of the others
    online = _listed(facts, f"{CPU}/online")
    groups: dict[tuple[str, str, float], set[int]] = {}
    for cpu in types or names | speeds:
        if not online or cpu in online:
            level = 0.0 if types else _level(speeds.get(cpu, 0.0), speeds.values())
            groups.setdefault((types.get(cpu, ""), names.get(cpu, ""), level), set()).add(cpu)

    def rank(group: tuple[str, str, float]) -> tuple[int, float]:
        fastest = max(speeds.get(cpu, 0.0) for cpu in groups[group])
        return list(_TYPES).index(group[0]) if group[0] else 0, -fastest

    kinds = [
        HostCores(
            name=" ".join(part for part in (group[1], _TYPES.get(group[0], "")) if part),
            cpus=tuple(sorted(groups[group])),
            speed=max(speeds.get(cpu, 0.0) for cpu in groups[group]),
        )
        for group in sorted(groups, key=rank)
    ]
    return tuple(kinds) if len(kinds) > 1 else ()


def is_hybrid(facts: Facts) -> bool:
    """Returns whether the processor has cores of several kinds, of which no list is there."""
    listed = any(f"/sys/devices/cpu_{kind}/cpus" in facts for kind in _TYPES)
    return not listed and "hybrid" in _blocks(facts)[0].get("flags", "").split()


def _blocks(facts: Facts) -> list[dict[str, str]]:
    """The blocks of /proc/cpuinfo, between which two semicolons stand; at least an empty one."""
    return [pairs(block) for block in re.split(r";\s*;", facts.get("cpuinfo", "")) if block] or [{}]


def _named(facts: Facts) -> Iterator[tuple[str, set[int]]]:
    """The names of cores with their CPUs: of all blocks, and of the fact `names`."""
    for block in _blocks(facts):
        if block.get("processor", "").isdigit() and name_of(block):
            yield name_of(block), cpus_of(block["processor"])
    for line in facts.get("names", "").split(";"):
        cpus, _, text = line.strip().partition(" ")
        implementer, _, part = text.partition(" ")
        if cpus:
            arm = implementer.startswith("0x")
            yield _arm(implementer, part) if arm else short(text), cpus_of(cpus)


def _numbers(facts: Facts, name: str) -> dict[int, float]:
    """CPU -> the number in its file `name`."""
    pattern = re.compile(rf"{CPU}/cpu(\d{{1,5}})/{name}")
    matches = ((pattern.fullmatch(path), short(text)) for path, text in facts.items())
    return {int(m[1]): float(text) for m, text in matches if m and re.fullmatch(r"\d{1,12}", text)}


def _listed(facts: Facts, path: str) -> set[int]:
    return cpus_of(facts.get(path, ""))


def _level(speed: float, speeds: Iterable[float]) -> float:
    """The highest speed of the kind of core that has `speed`."""
    level = 0.0
    for other in sorted(speeds, reverse=True):
        if other < _NEAR * level or not level:
            level = other
        if other <= speed:
            break
    return level


def _arm(implementer: str, part: str) -> str:
    maker = _names()["arm"].get(_hex(implementer, 2))
    if not isinstance(maker, dict):
        return short(f"{implementer} {part}")
    return short(f"{maker['name']} {maker.get(_hex(part, 3)) or maker.get(_hex(part, 2), part)}")


def _hex(text: str, digits: int) -> str:
    match = re.fullmatch(r"0x([0-9a-fA-F]{1,16})", text)
    return f"0x{int(match[1], 16):0{digits}x}" if match else text


@cache
def _names() -> dict[str, dict[str, object]]:
    return cast(dict[str, dict[str, object]], config.read_toml(_FILE))
