# SPDX-License-Identifier: BSD-3-Clause
"""Some suites are in some images alone; a run of them in another is refused at once."""

import json
from pathlib import Path

import pytest

from osgap import engines
from osgap.base.config import ConfigError
from osgap.image.builder.recipe import recipe
from osgap.image.files import VARIANT_SUITES
from osgap.sweep.spec import RunSpec, SweepFile, each_run
from osgap.sweep.suites import check_suites


def asked(*run: str) -> RunSpec:
    sweep = SweepFile.model_validate({"description": "one", "machine": "base", "run": run})
    (run_spec,) = each_run(sweep).values()
    return run_spec


def recorded(directory: Path, variant: object) -> Path:
    record = {"files": {}, **({"variant": variant} if variant else {})}
    (directory / "image.json").write_text(json.dumps(record))
    return directory


def test_the_suites_are_those_that_the_build_leaves_out_of_other_images() -> None:
    assert recipe()["VARIANT_SUITES"] == VARIANT_SUITES


def test_an_image_that_has_them_runs_them(tmp_path: Path) -> None:
    image = recorded(tmp_path, {"name": "boards", "boards": True})
    for run in (("boards",), ("checks", "boards/chase_16k")):
        check_suites(asked(*run), engines.load("qemu"), image)


@pytest.mark.parametrize("variant", [None, {"name": "musl"}, {"name": "x", "boards": False}])
@pytest.mark.parametrize("name", ["boards", "boards/chase_16k"])
def test_an_image_without_them_is_refused_in_one_sentence(
    tmp_path: Path, variant: object, name: str
) -> None:
    image = recorded(tmp_path, variant)
    with pytest.raises(ConfigError) as refused:
        check_suites(asked("checks", name), engines.load("qemu"), image)
    assert str(refused.value) == (
        f"run: found {name}; allowed with this image: other suites (image variants with "
        "`boards = true` have it)"
    )
    check_suites(asked("checks", "ousterhout/getpid"), engines.load("qemu"), image)


def test_no_image_is_read_for_an_engine_that_boots_none_or_before_it_is_built(
    tmp_path: Path,
) -> None:
    check_suites(asked("boards"), engines.load("fake"), recorded(tmp_path, None))
    check_suites(asked("boards"), engines.load("qemu"), tmp_path / "absent")
