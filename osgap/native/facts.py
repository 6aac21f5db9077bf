# SPDX-License-Identifier: BSD-3-Clause
"""Turns the facts of a measured machine (/proc, /sys) into a HostMachine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from osgap.base import units
from osgap.base.quoting import quoted
from osgap.machines.host import HostCache, HostFiles, HostMachine, HostMemory, HostMix
from osgap.native.output import MeasureOutput, NativeError
from osgap.native.processor import core_kinds, is_hybrid, processor
from osgap.native.surroundings import container, quota, virtual
from osgap.native.text import CPU, Facts, cpus_of, fact, short

_CACHE = re.compile(rf"{CPU}/cpu(\d+)/cache/index\d+/level")
CACHE_FILES = ("level", "type", "size", "coherency_line_size", "ways_of_associativity")
_SIZES = {"K": units.BYTES_PER_KIB, "M": 1 << 20, "G": 1 << 30}
_CLOCK_SOURCE = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
_TURBO_OFF = {"cpufreq/boost": "0", "intel_pstate/no_turbo": "1"}


def machine_of(output: MeasureOutput, mix: HostMix, where: str) -> HostMachine:
    """The machine that was measured. Raises NativeError, naming `where`, for a malformed fact."""
    facts = output.facts
    uname = facts.get("uname", "").split()
    if len(uname) != 3:
        value = quoted(facts.get("uname", ""))
        raise NativeError(f"{where}: fact uname: found {value}; allowed: system, release, machine")
    try:
        return HostMachine(
            processor=processor(facts),
            architecture=short(uname[2]),
            board=_board(facts),
            cores=_whole_number(facts, "cores", where),
            cpu=_whole_number(facts, "cpu", where),
            clock_mhz=output.clock_khz / 1000,
            caches=tuple(caches(facts)),
            memory=HostMemory(
                size_mib=_whole_number(facts, "memory", where) // units.BYTES_PER_KIB
            ),
            kernel=short(" ".join(uname[:2])),
            governor=fact(facts, f"{CPU}/cpu{fact(facts, 'cpu')}/cpufreq/scaling_governor"),
            turbo=_turbo(facts),
            smt=_on_off(facts.get(f"{CPU}/smt/active", "")),
            mitigations=_mitigations(facts),
            virtual=virtual(facts),
            container=container(facts),
            files=_files(output),
            mix=mix,
            uncached_bytes=_whole_number(facts, "uncached", where),
            compiler=short(facts.get("compiler", "")),
            load_before=_load(facts.get("load", "")),
            load_after=_load(output.load_after),
            core_kinds=core_kinds(facts),
            hybrid=is_hybrid(facts),
            allowed=tuple(sorted(cpus_of(facts.get("allowed", "")))),
            quota=quota(facts),
            throttled=_int(fact(facts, "throttled")),
            clock_source=fact(facts, _CLOCK_SOURCE),
        )
    except ValueError as error:
        raise NativeError(f"{where}: {' '.join(str(error).split())[:300]}") from None


def caches(facts: Facts) -> Iterator[HostCache]:
    """The caches of the measured CPU, from sysfs; without the fact `cpu` those of all CPUs."""
    measured = fact(facts, "cpu")
    for path in facts:
        match = _CACHE.fullmatch(path)
        if match and measured in ("", match[1]):
            folder = path.removesuffix("level")
            cache = {name: facts.get(folder + name, "").strip("; ") for name in CACHE_FILES}
            size = re.fullmatch(r"(\d{1,9})([KMG])", cache["size"])
            if size and cache["level"].isdigit():
                yield HostCache(
                    level=int(cache["level"]),
                    kind=short(cache["type"]).lower(),
                    size_bytes=int(size[1]) * _SIZES[size[2]],
                    line_bytes=_int(cache["coherency_line_size"]),
                    ways=_int(cache["ways_of_associativity"]),
                )


def _files(output: MeasureOutput) -> HostFiles:
    facts = output.facts
    kind, _, rest = facts.get("mount", "").partition(" ")
    device = dict(pair.partition("=")[::2] for pair in facts.get("device", "").split(" ", 1))
    options = rest.partition(" ")[2]
    parts = {part.fs for part in output.parts}
    return HostFiles(
        type=short(kind) or "unknown",
        options=short(options),
        rotational=short(device.get("rotational", "")),
        write_cache=short(device.get("cache", "")),
        synchronous="unix" in parts,
    )


def _board(facts: Facts) -> str:
    dmi = [facts.get(f"/sys/class/dmi/id/{name}", "") for name in ("sys_vendor", "product_name")]
    models = ("/sys/firmware/devicetree/base/model", "/proc/device-tree/model")
    model = next((facts[path] for path in models if path in facts), "")
    return short(" ".join(part.strip("; ") for part in (*dmi, model) if part.strip("; ")))


def _turbo(facts: Facts) -> Literal["on", "off", ""]:
    for name, off in _TURBO_OFF.items():
        value = facts.get(f"{CPU}/{name}", "").strip("; ")
        if value:
            return "off" if value == off else "on"
    return ""


def _on_off(value: str) -> Literal["on", "off", ""]:
    value = value.strip("; ")
    return "on" if value == "1" else "off" if value == "0" else ""


def _mitigations(facts: Facts) -> dict[str, str]:
    """Weakness of the processor -> the kernel's mitigation, without those that do not affect it."""
    folder = f"{CPU}/vulnerabilities/"
    return {
        path.removeprefix(folder): text
        for path in facts
        if path.startswith(folder) and (text := fact(facts, path)) != "Not affected"
    }


def _whole_number(facts: Facts, name: str, where: str) -> int:
    text = facts.get(name, "").strip()
    if not text.isdigit() or len(text) > 15:
        raise NativeError(f"{where}: fact {name}: found {quoted(text)}; allowed: a whole number")
    return int(text)


def _int(text: str) -> int:
    return int(text) if text.isdigit() and len(text) < 10 else 0


def _load(text: str) -> float:
    match = re.match(r"\d{1,6}\.\d{1,3}", text)
    return float(match[0]) if match else 0.0
