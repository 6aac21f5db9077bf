# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a run's image has the suites that some images have alone."""

from __future__ import annotations

from pathlib import Path

from osgap.base.config import ConfigError
from osgap.engines.contract import Engine
from osgap.image.files import VARIANT_SUITES, has_suite
from osgap.image.variants import is_built
from osgap.sweep.spec import RunSpec


def check_suites(run_spec: RunSpec, engine: Engine, image: Path) -> None:
    """Checks the suites of a run; `image` is the directory of its image.

    The image is not read for an engine that boots none, or before it is built. Raises ConfigError
    or ImageError.
    """
    if not engine.boots_image or not is_built(image):
        return
    for name in run_spec.run:
        suite = name.partition("/")[0]
        if suite in VARIANT_SUITES and not has_suite(image, suite):
            raise ConfigError(
                f"run: found {name}; allowed with this image: other suites (image variants with "
                f"`{suite} = true` have it)"
            )
