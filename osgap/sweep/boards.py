# SPDX-License-Identifier: BSD-3-Clause
"""Checks what a run of the suites of boards needs: an image that has them."""

from __future__ import annotations

from pathlib import Path

from osgap.base.config import ConfigError
from osgap.engines.contract import Engine
from osgap.image.files import knows_boards
from osgap.image.variants import is_built
from osgap.sweep.spec import RunSpec

SUITES = ("boards",)
"""BOARDS_SUITES in workloads/recipe.conf."""


def check_boards(run_spec: RunSpec, engine: Engine, image: Path) -> None:
    """Checks a run of the suites of boards; `image` is the directory of its image.

    The image is not read for an engine that boots none, or before it is built. Raises ConfigError
    or ImageError.
    """
    chosen = [name for name in run_spec.run if name.partition("/")[0] in SUITES]
    if chosen and engine.boots_image and is_built(image) and not knows_boards(image):
        raise ConfigError(
            f"run: found {chosen[0]}; allowed with this image: other suites (image variants with "
            "`boards = true` have it)"
        )
