# SPDX-License-Identifier: BSD-3-Clause
"""Chooses declared runs by name or group, and says what is in the way of one on this host."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from osgap import engines
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.base.suggestions import unknown
from osgap.image.variants import DEFAULT
from osgap.reproduce.declared import TODAYS, Declarations, DeclaredRun, option
from osgap.sweep.spec import find_sweep, load_sweep


def select(declared: Declarations, names: Sequence[str]) -> list[DeclaredRun]:
    """The runs with these names, and those in the folders with these names, in order; all for none.

    Raises OsgapError for an unknown name.
    """
    runs = list(declared.run)
    folders = {str(path) for run in runs for path in [Path(run.name), *Path(run.name).parents]}
    for name in names:
        if name not in folders:
            raise OsgapError(unknown("run", name, sorted(folders - {"."})))
    return [run for run in runs if not names or any(_is_in(run.name, name) for name in names)]


def _is_in(run: str, name: str) -> bool:
    return run == name or run.startswith(f"{name}/")


def variants(run: DeclaredRun) -> list[str]:
    """The image variants of its sweeps, each once. Raises ConfigError for a bad sweep file."""
    listed: dict[str, None] = {}
    for words in run.sweeps:
        chosen = option(words, "--variant").split(",")
        if chosen == [""] and (name := option(words, "--sweep")):
            sweep = load_sweep(find_sweep(name, project_root() / "configs" / "sweeps"))
            chosen = list(sweep.variant)
        listed |= dict.fromkeys(name or DEFAULT for name in chosen)
    return list(listed)


def obstacle(run: DeclaredRun, *, earlier: bool) -> str:
    """The reason why a run is not made here, "" without.

    With `earlier` a run of an earlier image is made, on today's.
    """
    if run.exemption:
        return run.exemption
    if run.image != TODAYS and not earlier:
        return f"its image is of commit {run.image} (--earlier: on today's)"
    return _missing(run.engine) if run.engine else ""


@cache
def _missing(engine: str) -> str:
    """The reason why an engine does not run here, "" without."""
    try:
        engines.load(engine).version()
    except OsgapError as error:
        return str(error)
    return ""
