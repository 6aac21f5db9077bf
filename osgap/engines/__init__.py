# SPDX-License-Identifier: BSD-3-Clause
"""Engines by name: one module each, found by its file."""

from __future__ import annotations

import importlib
from pathlib import Path

from osgap.base.suggestions import unknown
from osgap.engines.contract import Engine, EngineError
from osgap.machines.host import NATIVE

_HELPERS = frozenset({"__init__", "checkpoints", "contract"})


def names() -> list[str]:
    """The engines that this package has, sorted."""
    here = Path(__file__).parent
    stems = {path.stem for path in here.glob("*.py")}
    return sorted(s for s in stems - _HELPERS if "_" not in s)


def recorded_names() -> list[str]:
    """The engine names that a recorded point may have: `names()`, and that of real machines."""
    return [*names(), NATIVE]


def load(name: str) -> Engine:
    """The engine called `name`. Raises EngineError for a name that is none."""
    if name == NATIVE:
        raise EngineError(f"{NATIVE}: is a real machine; osgap native measures it")
    if name not in names():
        raise EngineError(unknown("engine", name, names()))
    module = importlib.import_module(f"osgap.engines.{name}")
    engine: Engine = module.engine()
    return engine
