# SPDX-License-Identifier: BSD-3-Clause
"""Files on a server need a network of the machine and an image that has them.

No prediction describes them. All of that is checked before anything runs.
"""

import json
from pathlib import Path

import pytest
from rich.console import Console

from osgap import engines
from osgap.base import durable
from osgap.base.config import ConfigError, validate
from osgap.base.paths import project_root
from osgap.image.files import IMAGE_FILES, Image, ImageError, knows_remote_files
from osgap.machines.machine import load_machine
from osgap.predict.adaptive import Folders, first_points, run_predicted
from osgap.rundir.manifest import Aim
from osgap.sweep import estimate
from osgap.sweep.host import Host, SweepContext
from osgap.sweep.plan import Plan, make_plan
from osgap.sweep.remote import check_remote
from osgap.sweep.run import run_sweeps, sweep_runs
from osgap.sweep.spec import RunSpec, SweepFile

MACHINES = project_root() / "configs" / "machines"
BASE = load_machine(MACHINES / "base.toml")
SERVED = {"description": "x", "machine": "base", "engine": "fake", "fs": ["unix", "nfs"]}


def _asked(**keys: object) -> RunSpec:
    return validate({**SERVED, **keys}, RunSpec, "f")


def _plan(**keys: object) -> Plan:
    return make_plan(_asked(**keys), BASE, engines.load("fake"), Image(Path(), Path(), "none"))


@pytest.fixture
def machines(tmp_path: Path) -> Path:
    """Machine files: with a network, without, and without one in the reference alone."""
    folder = tmp_path / "machines"
    folder.mkdir()
    text = (MACHINES / "base.toml").read_text()
    plain, _, _ = text.partition("[network]")
    rating = 'mips = { value = 1, source = "x" }\n'
    (folder / "base.toml").write_text(text)
    (folder / "bare.toml").write_text(rating + plain)
    (folder / "related.toml").write_text(f'reference = "bare"\n{rating}{text}')
    return folder


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({}, "bare.toml: network: missing; allowed: one, since fs has nfs"),
        (
            {"fs": ["unix"], "network_mbit_s": [100]},
            "bare.toml: network: missing; allowed: one, since network_mbit_s varies it",
        ),
        (
            {"fs": ["unix"], "network": ["fixed", "scaled"]},
            "bare.toml: network: missing; allowed: one, since network varies it",
        ),
        (
            {"machine": "related", "network": ["scaled"]},
            "bare.toml: network: missing; allowed: one, since fs has nfs",
        ),
        (
            {"machine": "base", "fs": ["unix", "sprite"], "network_delay_us": ["x2"]},
            "network_delay_us: found with fs unix, sprite, which no network moves; allowed: beside "
            "nfs, afs, diskless",
        ),
    ],
)
def test_what_files_on_a_server_need_is_said_with_the_file(
    machines: Path, keys: dict[str, object], words: str
) -> None:
    asked = _asked(**{"machine": "bare", **keys})
    with pytest.raises(ConfigError) as caught:
        check_remote(asked, machines, engines.load("fake"), Path())
    assert str(caught.value).endswith(words)
    missing = words.startswith("bare")
    assert str(caught.value).startswith(str(machines) if missing else "network_delay_us")


@pytest.mark.parametrize(
    "keys",
    [
        {"machine": "base"},
        {"machine": "base", "network": ["scaled"], "network_mbit_s": [100]},
        {"machine": "related", "network": ["fixed"]},
        {"machine": "bare", "fs": ["unix", "sprite"]},
        {"machine": "bare", "fs": ["sprite"], "network": ["fixed"]},
        {"machine": "not-there", "fs": ["sprite"]},
    ],
)
def test_what_is_there_is_not_refused(machines: Path, keys: dict[str, object]) -> None:
    check_remote(_asked(**keys), machines, engines.load("fake"), Path())


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The directory of a built image."""
    directory = tmp_path / "image"
    directory.mkdir()
    for name in IMAGE_FILES:
        (directory / name).write_text(name)
    _record(directory, {})
    return directory


def _record(directory: Path, more: object) -> None:
    files = {name: durable.sha256(directory / name) for name in IMAGE_FILES}
    record = {"files": files, **more} if isinstance(more, dict) else more
    (directory / "image.json").write_text(json.dumps(record))


@pytest.mark.parametrize(
    ("record", "knows"),
    [
        ({}, False),
        ({"variant": {"name": "musl"}}, False),
        ({"variant": {"name": "remote", "remote": False}}, False),
        ({"variant": {"name": "remote", "remote": 1}}, False),
        ({"variant": ["remote"]}, False),
        ({"remote": True}, False),
        ({"variant": {"name": "remote", "remote": True}}, True),
        ({"variant": {"name": "remote-layout-1", "layout": 1, "remote": True}}, True),
    ],
)
def test_an_images_record_says_whether_its_guest_knows_them(
    image: Path, record: dict[str, object], knows: bool
) -> None:
    _record(image, record)
    assert knows_remote_files(image) == knows
    qemu, fake = engines.load("qemu"), engines.load("fake")
    check_remote(_asked(), MACHINES, fake, image)
    check_remote(_asked(fs=["unix", "sprite"]), MACHINES, qemu, image)
    if knows:
        check_remote(_asked(), MACHINES, qemu, image)
        return
    told = (
        r"^fs: found nfs; allowed with this image: unix, sprite \(image variants with "
        r"`remote = true` know the others\)$"
    )
    with pytest.raises(ConfigError, match=told):
        check_remote(_asked(), MACHINES, qemu, image)


def test_a_damaged_record_is_named_and_one_that_is_missing_is_left_to_the_loader(
    image: Path,
) -> None:
    _record(image, [])
    with pytest.raises(ImageError, match=r"image\.json: names no files"):
        check_remote(_asked(), MACHINES, engines.load("qemu"), image)
    (image / "image.json").unlink()
    check_remote(_asked(), MACHINES, engines.load("qemu"), image)


def _context(tmp_path: Path, image: Path) -> SweepContext:
    return SweepContext(tmp_path / "run", Host(1, image, tmp_path), Console())


def test_all_runs_are_checked_before_the_first_one(
    machines: Path, image: Path, tmp_path: Path
) -> None:
    """The first run could be made; the second could not, and nothing is written."""
    context = _context(tmp_path, image)
    asked = SweepFile.model_validate({**SERVED, "machine": ["base", "bare"]})
    for check in (sweep_runs, run_sweeps):
        with pytest.raises(ConfigError, match=r"bare\.toml: network: missing"):
            check(asked, machines, context)
    with pytest.raises(ConfigError, match=r"bare\.toml: network: missing"):
        estimate.show_plan(asked, machines, tmp_path, context)
    asked = SweepFile.model_validate({**SERVED, "engine": "qemu"})
    with pytest.raises(ConfigError, match="fs: found nfs; allowed with this image: unix, sprite"):
        run_sweeps(asked, machines, context)
    assert not context.run.exists()


def test_no_prediction_is_made_of_files_on_a_server(image: Path, tmp_path: Path) -> None:
    told = r"--predict: found with fs unix, nfs; allowed: files on the machine's disk"
    with pytest.raises(ConfigError, match=told):
        first_points(_plan(clock_mhz=[20, 40, 80]))
    asked, context = SweepFile.model_validate(SERVED), _context(tmp_path, image)
    with pytest.raises(ConfigError, match=told):
        run_predicted(asked, Folders(MACHINES, tmp_path), Aim(), context)
    assert not context.run.exists()
    assert len(first_points(_plan(fs=["unix"], clock_mhz=[20, 40, 80])).specs) == 2
