# SPDX-License-Identifier: BSD-3-Clause
"""The image that this checkout builds is that of the committed runs, to the byte."""

import pytest

from osgap.base.paths import project_root
from osgap.image.files import Image, image_record
from osgap.rundir import manifest

RUN = project_root() / "results" / "locked" / "curve" / "default"
MADE_OF = ("compiler", "packages")


@pytest.mark.long
@pytest.mark.build
def test_the_default_image_is_that_of_the_committed_runs(image: Image) -> None:
    """Even the order of variables in a benchmark's C file makes another image."""
    committed, built = manifest.read(RUN).image, image_record(image)
    for part in MADE_OF:
        if built[part] != committed[part]:
            pytest.skip(f"built with another {part}: {built[part]}")
    assert image.digest == committed["digest"]
    assert {name: built["files"][name] for name in committed["files"]} == committed["files"]
