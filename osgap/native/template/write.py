# SPDX-License-Identifier: BSD-3-Clause
"""Writes the machine file of a measured machine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import wrap

from osgap.base import durable
from osgap.base.paths import project_root
from osgap.base.quoting import one_line, quoted
from osgap.base.suggestions import no_directory
from osgap.guest.records import Sample
from osgap.machines.figure import Figure
from osgap.machines.host import HostMachine
from osgap.machines.inherit import EXTENDS, MACHINE_NAME
from osgap.machines.machine import load_machine
from osgap.native.output import NativeError
from osgap.native.template.caches import ShapedCache, shaped_caches
from osgap.native.template.core import (
    MeasuredCore,
    measured_core,
    misaligned_traps,
    page_table_levels,
    width_of,
)
from osgap.native.template.memory import MemoryTimes, memory_times
from osgap.native.template.times import ROWS, measured_times
from osgap.native.template.todo import todo_lines
from osgap.native.text import Facts

GUEST_MIB = 128
"""The guest's memory in the machine files of configs/machines."""
_BASE = "base"
_WIDTH = 100
_MEANINGS = {
    "page_table_levels": "3 for Sv39, 4 for Sv48, 5 for Sv57",
    "misaligned_traps": "true, if a misaligned access traps to the firmware",
}
_HEAD = """\
# {name}: written by `osgap native --machine-file`. Each figure says what told it: a fact of the
# machine, or a time measured on it. docs/guide/boards.md says how to go on.
# TODO: look these up in the manual of the core or of the chip, and write where you found them.
"""


def check_target(path: Path) -> None:
    """Raises NativeError for a path that cannot become a new machine file."""
    problem = ""
    if path.suffix != ".toml" or "/" in path.stem or not re.fullmatch(MACHINE_NAME, path.stem):
        problem = (
            f"found {quoted(path.name)}; allowed: a name of letters, digits, _ and -, and .toml"
        )
    elif path.exists():
        problem = f"{path}: exists; allowed: a new file"
    elif not path.parent.is_dir():
        problem = no_directory(path.parent)
    if problem:
        raise NativeError(f"--machine-file: {problem}")


def write_machine_file(
    path: Path, machine: HostMachine, facts: Facts, samples: Iterable[Sample]
) -> None:
    """Writes the new file `path`. Raises NativeError for a machine of which too little is known.

    It extends the base machine if that is beside it or in the folder above; elsewhere it has the
    base machine's disk. Raises OSError.
    """
    check_target(path)
    folders = (path.parent, path.parent.parent)
    extends = any((folder / f"{_BASE}.toml").is_file() for folder in folders)
    text = template(path.stem, machine, facts, samples, extends=extends)
    durable.write_text(path, text)


def template(
    name: str, machine: HostMachine, facts: Facts, samples: Iterable[Sample], *, extends: bool
) -> str:
    """The text of the machine file called `name`. Raises NativeError."""
    times = measured_times(samples, machine.uncached_bytes)
    if not times.chases:
        allowed = f"a measurement with {ROWS[0]} and so on (--run boards)"
        raise NativeError(f"--machine-file: found no chase that was measured; allowed: {allowed}")
    core = measured_core(machine, facts)
    caches = shaped_caches(machine.caches, facts)
    memory = memory_times([cache for cache in caches if cache.name != "l1i"], times, core)
    switches = {
        "page_table_levels": page_table_levels(facts),
        "misaligned_traps": misaligned_traps(facts, core),
    }
    todo = todo_lines(caches, memory, _missing(core, switches))
    lines = [*_head(name, todo), *_top(machine, core, extends=extends)]
    lines += ["", "[cpu]", 'core = "in-order-pipelined" # assumed']
    lines += ["width = {} # {}".format(*width_of(machine, times))]
    lines += _figures({"clock_mhz": core.clock, "tlb_entries": core.tlb_entries})
    lines += [
        f"{key} = {json.dumps(switch[0])} # {switch[1]}"
        for key, switch in switches.items()
        if switch
    ]
    for cache in caches:
        lines += _cache(cache, memory)
    lines += ["", "[memory]", *_memory(machine, memory)]
    lines += [] if extends else _disk()
    return "".join(f"{line}\n" for line in lines)


def _missing(core: MeasuredCore, switches: Mapping[str, object]) -> Iterator[str]:
    """The keys of [cpu] that most machines tell and this one does not."""
    if core.tlb is None:
        yield "tlb_entries: assumed"
    yield from (f"{key}: {_MEANINGS[key]}" for key, switch in switches.items() if switch is None)


def _head(name: str, todo: Iterable[str]) -> Iterator[str]:
    yield from _HEAD.format(name=name).splitlines()
    for line in todo:
        yield from wrap(line, _WIDTH, initial_indent="# - ", subsequent_indent="#   ")


def _top(machine: HostMachine, core: MeasuredCore, *, extends: bool) -> Iterator[str]:
    if extends:
        yield f"{EXTENDS} = {_quoted(_BASE)}"
    place = f"{machine.board}: " if machine.board else ""
    words = f"{place}one {machine.processor} core at {core.written_mhz:g} MHz, as it was measured"
    yield f"description = {_quoted(words)}"


def _cache(cache: ShapedCache, memory: MemoryTimes) -> Iterator[str]:
    yield from ("", f"[{cache.name}]")
    figures = {"size_kib": cache.size, "ways": cache.ways, "line_bytes": cache.line}
    if cache.name in memory.load_cycles:
        figures["load_cycles"] = memory.load_cycles[cache.name]
    if cache.name == "l1d" and memory.mshrs is not None:
        figures["mshrs"] = memory.mshrs
    yield from _figures(figures)


def _memory(machine: HostMachine, memory: MemoryTimes) -> Iterator[str]:
    size = Figure(
        value=GUEST_MIB, source=f"the guest's; the machine has {machine.memory.size_mib} MiB"
    )
    figures = {"size_mib": size, "latency_ns": memory.latency_ns}
    yield from _figures({**figures, "bandwidth_mb_s": memory.bandwidth_mb_s})


def _disk() -> Iterator[str]:
    """The base machine's disk."""
    yield from (
        "",
        "# The base machine's: what a real machine keeps its files on is not simulated.",
    )
    yield "[disk]"
    disk = load_machine(project_root() / "configs" / "machines" / f"{_BASE}.toml").disk
    yield from _figures(dict(disk))


def _figures(figures: Mapping[str, Figure]) -> Iterator[str]:
    for key, figure in figures.items():
        yield f"{key} = {{ value = {figure.value:.10g}, source = {_quoted(figure.source)} }}"


def _quoted(text: str) -> str:
    """The text as a string of TOML, which has JSON's escapes."""
    return json.dumps(one_line(text), ensure_ascii=False)
