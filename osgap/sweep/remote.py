# SPDX-License-Identifier: BSD-3-Clause
"""Checks what a run with files on a server needs: a network of its machine, and such an image."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from osgap.base.config import ConfigError
from osgap.engines.contract import Engine
from osgap.guest.protocol import LOCAL, REMOTE
from osgap.image.files import knows_remote_files
from osgap.image.variants import is_built
from osgap.machines.axes import NETWORK, Axis
from osgap.machines.machine import load_machine
from osgap.sweep.spec import RunSpec

_NO_VALUES = (None, ("fixed",))
"""The values of an axis that a sweep does not vary."""


def check_remote(run_spec: RunSpec, machines: Path, engine: Engine, image: Path) -> None:
    """Checks a run whose files are on a server, or that varies the network.

    `machines` is the folder of the machine files, `image` the directory of the image, which is not
    read for an engine that boots none, or before it is built. Raises ConfigError or ImageError.
    """
    varied = [axis for axis in NETWORK if run_spec.values(axis) not in _NO_VALUES]
    if not run_spec.remote and not varied:
        return
    reason = f"fs has {run_spec.remote[0]}" if run_spec.remote else f"{varied[0].key} varies it"
    for path in _machine_files(run_spec, machines, varied):
        if load_machine(path).network is None:
            raise ConfigError(f"{path}: network: missing; allowed: one, since {reason}")
    if not run_spec.remote:
        raise ConfigError(
            f"{varied[0].key}: found with fs {', '.join(run_spec.fs)}, which no network moves; "
            f"allowed: beside {', '.join(REMOTE)}"
        )
    if engine.boots_image and is_built(image) and not knows_remote_files(image):
        raise ConfigError(
            f"fs: found {run_spec.remote[0]}; allowed with this image: {', '.join(LOCAL)} (image "
            "variants with `remote = true` know the others)"
        )


def _machine_files(run_spec: RunSpec, machines: Path, varied: list[Axis]) -> Iterator[Path]:
    """The file of the machine, and that of its reference where the network is scaled as there."""
    path = machines / f"{run_spec.machine}.toml"
    yield path
    reference = load_machine(path).reference
    if reference is not None and any("scaled" in (run_spec.values(axis) or ()) for axis in varied):
        yield machines / f"{reference}.toml"
