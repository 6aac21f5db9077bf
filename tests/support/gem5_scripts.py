# SPDX-License-Identifier: BSD-3-Clause
"""The scripts of configs/gem5, with recorders in the place of gem5's classes."""

import importlib
import re
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace

import pytest

from osgap.base.paths import project_root
from osgap.machines.system import System

SCRIPTS = project_root() / "configs" / "gem5"
_MODULES = ("board", "caches", "core", "latencies", "memory", "processor", "run", "system")
_GEM5 = (
    "m5",
    "m5.objects",
    "m5.ext",
    "m5.ext.pyfdt",
    "gem5.components.boards.riscv_board",
    "gem5.components.cachehierarchies.classic.abstract_classic_cache_hierarchy",
    "gem5.components.cachehierarchies.classic.caches.mmu_cache",
    "gem5.components.memory",
    "gem5.components.memory.memory",
    "gem5.components.memory.simple",
    "gem5.components.processors.abstract_core",
    "gem5.components.processors.base_cpu_core",
    "gem5.components.processors.base_cpu_processor",
    "gem5.isas",
    "gem5.resources.resource",
    "gem5.simulate.exit_event",
    "gem5.simulate.simulator",
)


class Recorder:
    """Any class of gem5: keeps what it is made with; a port keeps what is connected to it."""

    def __init__(self, *args, **settings) -> None:
        self.args = args
        self.__dict__.update(settings)

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        made = Recorder()
        self.__dict__[name] = made
        return made

    def __call__(self, *args, **settings):
        return Recorder(*args, **settings)

    def __iter__(self):
        return iter([self])


class Stub(ModuleType):
    """A module of gem5, all of whose names are recorders' classes."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (Recorder,), {})
        setattr(self, name, made)
        return made


def load_scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """The modules of configs/gem5, imported with stubs for gem5's own."""
    for name in _GEM5:
        for end in [match.start() for match in re.finditer(r"\.", name)]:
            monkeypatch.setitem(sys.modules, name[:end], Stub(name[:end]))
    for name in _GEM5:
        monkeypatch.setitem(sys.modules, name, Stub(name))
    sys.modules["m5.objects"].NULL = None
    sys.modules["gem5.isas"].ISA = SimpleNamespace(RISCV="riscv")
    sys.modules["gem5.components.memory"].single_channel = SimpleNamespace(
        SingleChannelDDR3_1600=lambda size: ("DDR3_1600", size)
    )
    monkeypatch.syspath_prepend(str(SCRIPTS))
    for name in _MODULES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    loaded = {name: importlib.import_module(name) for name in _MODULES}
    yield SimpleNamespace(**loaded)
    for name in _MODULES:
        sys.modules.pop(name, None)


def read_system(resolved: System) -> SimpleNamespace:
    """What run.py reads: a resolved system as nested namespaces."""
    parsed: SimpleNamespace = importlib.import_module("system").parse(resolved.model_dump_json())
    return parsed
