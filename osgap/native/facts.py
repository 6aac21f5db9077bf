# SPDX-License-Identifier: BSD-3-Clause
"""Turns the facts of a measured machine (/proc, /sys) into a HostMachine and warnings about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from osgap.base import units
from osgap.base.quoting import quoted, visible
from osgap.machines.host import HostCache, HostFiles, HostMachine, HostMemory, HostMix
from osgap.native.output import MeasureOutput, NativeError

Facts = Mapping[str, str]
_CPU = "/sys/devices/system/cpu"
_CACHE = re.compile(rf"{_CPU}/cpu\d+/cache/index\d+/level")
CACHE_FILES = ("level", "type", "size", "coherency_line_size", "ways_of_associativity")
_SIZES = {"K": units.BYTES_PER_KIB, "M": 1 << 20, "G": 1 << 30}
_LONGEST = 120
_HYPERVISOR_BOARDS = (
    "qemu",
    "kvm",
    "vmware",
    "virtualbox",
    "firecracker",
    "amazon ec2",
    "google",
    "virtual machine",
)
_TURBO_OFF = {"cpufreq/boost": "0", "intel_pstate/no_turbo": "1"}


def machine_of(output: MeasureOutput, mix: HostMix, where: str) -> HostMachine:
    """The machine that was measured; `mix` is the instruction count of integer_mix there.

    Raises NativeError, naming the file `where`, for a required fact that is missing or malformed.
    """
    facts = output.facts
    uname = facts.get("uname", "").split()
    if len(uname) != 3:
        value = quoted(facts.get("uname", ""))
        raise NativeError(f"{where}: fact uname: found {value}; allowed: system, release, machine")
    try:
        return HostMachine(
            processor=processor(facts),
            architecture=_short(uname[2]),
            board=_board(facts),
            cores=_whole_number(facts, "cores", where),
            cpu=_whole_number(facts, "cpu", where),
            clock_mhz=output.clock_khz / 1000,
            caches=tuple(caches(facts)),
            memory=HostMemory(
                size_mib=_whole_number(facts, "memory", where) // units.BYTES_PER_KIB
            ),
            kernel=_short(" ".join(uname[:2])),
            governor=_of_cpu(facts, "cpufreq/scaling_governor"),
            turbo=_turbo(facts),
            smt=_on_off(facts.get(f"{_CPU}/smt/active", "")),
            mitigations=_mitigations(facts),
            virtual=_virtual(facts),
            container=_container(facts),
            files=_files(output),
            mix=mix,
            uncached_bytes=_whole_number(facts, "uncached", where),
            compiler=_short(facts.get("compiler", "")),
            load_before=_load(facts.get("load", "")),
            load_after=_load(output.load_after),
        )
    except ValueError as error:
        raise NativeError(f"{where}: {' '.join(str(error).split())[:300]}") from None


def caches(facts: Facts) -> Iterator[HostCache]:
    """The caches of the measured core, from sysfs."""
    for path in facts:
        match = _CACHE.fullmatch(path)
        if match:
            folder = path.removesuffix("level")
            cache = {name: facts.get(folder + name, "").strip("; ") for name in CACHE_FILES}
            size = re.fullmatch(r"(\d{1,9})([KMG])", cache["size"])
            if size and cache["level"].isdigit():
                yield HostCache(
                    level=int(cache["level"]),
                    kind=_short(cache["type"]).lower(),
                    size_bytes=int(size[1]) * _SIZES[size[2]],
                    line_bytes=_int(cache["coherency_line_size"]),
                    ways=_int(cache["ways_of_associativity"]),
                )


def processor(facts: Facts) -> str:
    """The processor's name in /proc/cpuinfo, or its implementer and part numbers."""
    cpuinfo = dict(_pairs(facts.get("cpuinfo", "")))
    for key in ("model name", "uarch", "cpu model", "cpu"):
        if cpuinfo.get(key):
            return _short(cpuinfo[key])
    numbers = [cpuinfo[key] for key in ("CPU implementer", "CPU part") if key in cpuinfo]
    return _short(" ".join(numbers)) or "unknown"


def warnings(machine: HostMachine) -> list[str]:
    """Sentences about conditions of the machine that distort its numbers."""
    lines = [
        (machine.virtual, f"a virtual machine ({machine.virtual}): its host may take its time"),
        (
            machine.container,
            f"in a container ({machine.container}): every system call may be filtered",
        ),
        (
            machine.governor not in ("", "performance"),
            f"the governor is {machine.governor}: the clock may not be the highest",
        ),
        (machine.smt == "on", "SMT is on: a busy sibling slows the core that was measured"),
        (
            "PTI" in machine.mitigations.get("meltdown", ""),
            "the kernel's page tables are kept apart (PTI): every system call changes them",
        ),
        (
            machine.load_before > _BUSY,
            f"the load was {machine.load_before:g} before it began: other programs ran beside it",
        ),
        (
            not machine.files.synchronous,
            f"files are on {machine.files.type}, where nothing can be "
            "synchronous: there are no rows of `unix` files",
        ),
        (machine.files.type == "tmpfs", "files are on tmpfs: in memory, on no disk"),
        (
            machine.last_cache_bytes > 0 and machine.uncached_bytes < 2 * machine.last_cache_bytes,
            f"working sets of {machine.uncached_bytes >> 20} MiB are no larger than twice the last "
            "cache: the rows called uncached are partly cached",
        ),
        (not machine.caches, "the caches are unknown: the rows called uncached may be cached"),
        (
            not machine.compiler or machine.compiler == "none",
            "there is no tcc: Andrew's compile phase is left out, and with it the total",
        ),
    ]
    return [line for holds, line in lines if holds]


_BUSY = 0.5
"""Load average above which the machine counts as busy; read before the benchmarks start."""


def _files(output: MeasureOutput) -> HostFiles:
    facts = output.facts
    kind, _, rest = facts.get("mount", "").partition(" ")
    device = dict(pair.partition("=")[::2] for pair in facts.get("device", "").split(" ", 1))
    options = rest.partition(" ")[2]
    parts = {part.fs for part in output.parts}
    return HostFiles(
        type=_short(kind) or "unknown",
        options=_short(options),
        rotational=_short(device.get("rotational", "")),
        write_cache=_short(device.get("cache", "")),
        synchronous="unix" in parts,
    )


def _board(facts: Facts) -> str:
    dmi = [facts.get(f"/sys/class/dmi/id/{name}", "") for name in ("sys_vendor", "product_name")]
    model = facts.get("/sys/firmware/devicetree/base/model", "")
    return _short(" ".join(part.strip("; ") for part in (*dmi, model) if part.strip("; ")))


def _turbo(facts: Facts) -> Literal["on", "off", ""]:
    for name, off in _TURBO_OFF.items():
        value = facts.get(f"{_CPU}/{name}", "").strip("; ")
        if value:
            return "off" if value == off else "on"
    return ""


def _on_off(value: str) -> Literal["on", "off", ""]:
    value = value.strip("; ")
    return "on" if value == "1" else "off" if value == "0" else ""


def _mitigations(facts: Facts) -> dict[str, str]:
    """Weakness of the processor -> the kernel's mitigation, without those that do not affect it."""
    folder = f"{_CPU}/vulnerabilities/"
    mitigations = {
        path.removeprefix(folder): _short(text)
        for path, text in facts.items()
        if path.startswith(folder)
    }
    return {name: text for name, text in mitigations.items() if text != "Not affected"}


def _virtual(facts: Facts) -> str:
    flags = dict(_pairs(facts.get("cpuinfo", ""))).get("flags", "").split()
    kind = _short(facts.get("/sys/hypervisor/type", ""))
    board = _board(facts).lower()
    hypervisor = next((name for name in _HYPERVISOR_BOARDS if name in board), "")
    return kind or hypervisor or ("a hypervisor" if "hypervisor" in flags else "")


def _container(facts: Facts) -> str:
    kind = _short(facts.get("/run/systemd/container", ""))
    if kind:
        return kind
    names = {"/.dockerenv": "docker", "/run/.containerenv": "podman"}
    return next((name for path, name in names.items() if path in facts), "")


def _of_cpu(facts: Facts, name: str) -> str:
    ending = re.compile(rf"{_CPU}/cpu\d+/{name}")
    return next((_short(text) for path, text in facts.items() if ending.fullmatch(path)), "")


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split(";"):
        key, _, value = line.partition(":")
        yield key.strip(), value.strip()


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


def _short(text: str) -> str:
    """The text of a fact, printable, on one line and of limited length."""
    return visible(" ".join(text.strip("; \0").split()))[:_LONGEST]
