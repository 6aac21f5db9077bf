# SPDX-License-Identifier: BSD-3-Clause
"""Simulation engines by name, one module each: the class Gem5 of gem5.py."""

from __future__ import annotations

import importlib
from pathlib import Path

from osgap.base.suggestions import unknown
from osgap.engines.contract import Engine, EngineError
from osgap.machines.host import NATIVE

_HELPERS = frozenset({"__init__", "checkpoints", "contract"})


def names() -> list[str]:
    """Returns the sorted names of all engines."""
    stems = {path.stem for path in Path(__file__).parent.glob("*.py")}
    return sorted(stem for stem in stems - _HELPERS if "_" not in stem)


def load(name: str) -> Engine:
    """Returns the engine called `name`. Raises EngineError for an unknown name."""
    if name == NATIVE:
        raise EngineError(f"{NATIVE}: is a real machine; osgap native measures it")
    if name not in names():
        raise EngineError(unknown("engine", name, names()))
    module = importlib.import_module(f"osgap.engines.{name}")
    engine: Engine = getattr(module, name.capitalize())()
    return engine
