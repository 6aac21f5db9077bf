# SPDX-License-Identifier: BSD-3-Clause
"""An image is hashed once a sweep, however many points boot it, and a changed one is refused."""

import json
import os
import shutil
from collections import Counter
from pathlib import Path

import pytest
from checkout import copy_checkout, osgap

from osgap.base import durable
from osgap.image.files import IMAGE_FILES, ImageError, image_contents, load_image
from osgap.rundir.image_copy import copy_image

ENGINE = """
from osgap.engines.fake import Fake


class Booting(Fake):
    name = "booting"
    marks = "sim-control"
    boots_image = True
"""
TELLS = """

_sha256 = sha256


def sha256(path: Path) -> str:
    with open(os.environ["HASHED"], "a") as log:
        log.write(f"{path.name}\\n")
    return _sha256(path)
"""
AXES = ("--engine", "booting", "--cpu-mhz", "20,40", "--memory", "fixed,scaled")


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """An image of a few bytes."""
    directory = tmp_path / "image"
    directory.mkdir()
    for name in IMAGE_FILES:
        (directory / name).write_text(f"the {name}")
    _describe(directory)
    return directory


def _describe(directory: Path) -> None:
    """image.json, for the files as they are now."""
    files = {name: durable.sha256(directory / name) for name in IMAGE_FILES}
    (directory / "image.json").write_text(json.dumps({"files": files}))


@pytest.mark.long
def test_a_sweep_hashes_its_image_once(
    image: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted in all of its processes, by a copy whose digests tell of themselves."""
    copy, hashed, run = copy_checkout(tmp_path / "copy"), tmp_path / "hashed", tmp_path / "run"
    monkeypatch.setenv("HASHED", str(hashed))
    (copy / "osgap" / "engines" / "booting.py").write_text(ENGINE)
    with (copy / "osgap" / "base" / "durable.py").open("a") as file:
        file.write(TELLS)

    def times(*words: str | Path) -> Counter[str]:
        hashed.write_text("")
        done = osgap(copy, *words)
        assert done.returncode == 0, done.stderr
        return Counter(name for name in hashed.read_text().split() if name in IMAGE_FILES)

    sweep = ("sweep", *AXES, "--image", image, "--output", run)
    once = dict.fromkeys(IMAGE_FILES, 1)
    assert times(*sweep) == once
    assert len(list(run.glob("points/*/done.json"))) == 3
    manifest = json.loads((run / "run.json").read_text())
    kept = load_image(run / "inputs" / "image")
    assert manifest["image"]["digest"] == kept.digest == load_image(image).digest
    for name, stamp in kept.stamps.items():
        assert manifest["inputs"][f"image/{name}"] == stamp.sha256
    assert times(*sweep) == once, "the source: the run's own copy is known"
    shutil.rmtree(next((run / "points").iterdir()))
    assert times("resume", run) == {}

    shutil.rmtree(next((run / "points").iterdir()))
    (run / "inputs" / "image" / "Image").write_text("The Image")
    refused = osgap(copy, "resume", run)
    assert refused.returncode == 2
    assert "Image: is not the file that image.json names" in refused.stderr


def test_a_stamp_spares_its_own_file_alone(image: Path) -> None:
    first = load_image(image)
    (image / "Image").write_text("another, longer")
    _describe(image)
    assert load_image(image, first.stamps).digest == load_image(image).digest != first.digest


def test_an_image_that_changes_before_it_is_copied_is_refused(image: Path, tmp_path: Path) -> None:
    loaded = load_image(image)
    (image / "vmlinux").write_text("another, longer")
    with pytest.raises(ImageError, match="vmlinux: changed after the command began"):
        copy_image(tmp_path / "run", loaded, {})
    assert not (tmp_path / "run" / "inputs" / "image").exists()


@pytest.mark.parametrize("damage", ["gone", "of no files", "of another file", "no JSON", "a FIFO"])
def test_an_image_is_checked_whatever_becomes_of_its_record(image: Path, damage: str) -> None:
    load_image(image)
    record = image / "image.json"
    record.unlink()
    if damage == "a FIFO":
        os.mkfifo(record)
    elif damage != "gone":
        text = {"of no files": "{}", "of another file": '{"files": {"Image": "0"}}', "no JSON": "{"}
        record.write_text(text[damage])
    with pytest.raises(ImageError, match=r"image\.json.*remove it and build it with: scons image"):
        load_image(image)


@pytest.mark.parametrize(
    "text", ["1", "{}", "[1]", '[{"sha256": "a"}]', '[{"path": 1, "sha256": "a"}]']
)
def test_what_an_image_holds_is_a_list_of_files(image: Path, text: str) -> None:
    (image / "contents.json").write_text(text)
    with pytest.raises(ImageError, match=r"contents\.json: is no list of files"):
        image_contents(load_image(image))
