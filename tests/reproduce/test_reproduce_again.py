# SPDX-License-Identifier: BSD-3-Clause
"""The smallest committed run, made again here: the part of them that CI makes."""

import csv
from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.image.files import load_image
from osgap.image.variants import DEFAULT, image_directory
from osgap.reproduce.declared import LOCKED
from osgap.rundir import manifest

RUN = "lab/160mhz"


@pytest.mark.long
@pytest.mark.rvsim
def test_the_smallest_run_is_equal_on_its_image_and_is_made_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["reproduce", RUN, "--output", str(tmp_path / "again")]
    status = main(words)
    with (tmp_path / "again" / "reproduced.csv").open(newline="") as stream:
        (row,) = csv.DictReader(stream)
    committed = manifest.read(project_root() / LOCKED / RUN).image["digest"]
    if load_image(image_directory(DEFAULT)).digest == committed:
        assert (status, row["outcome"]) == (0, "equal")
    else:
        assert status < 2 and row["reason"].startswith("image ")
    capsys.readouterr()
    assert main(words) == status
    assert "finished before: 2 points, all" in capsys.readouterr().out
