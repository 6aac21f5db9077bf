# SPDX-License-Identifier: BSD-3-Clause
"""Files cut, with a bit turned, or gone: named by digest, and made again or refused."""

import shutil
from pathlib import Path

import pytest
from kills import results
from shared import Once
from stderr import sentences
from sweeping import states, sweep, tell

from osgap.engines import checkpoints
from osgap.image.files import ImageError, load_image

DAMAGES = ("truncated", "flipped", "gone")


@pytest.mark.long
def test_damaged_results_are_named_and_made_again(tmp_path: Path) -> None:
    run = tmp_path / "run"
    axes = ("--cpu-mhz", "20,30,40,50,60,70,80,90,100")
    assert sweep(run, *axes).returncode == 0
    before = results(run)
    kinds = [(name, how) for name in ("stats.txt", "samples.csv", "done.json") for how in DAMAGES]
    damaged = dict(zip(sorted(states(run)), kinds, strict=True))
    for key, (name, how) in damaged.items():
        _damage(run / "points" / key / name, how)
    again = sweep(run, *axes)
    assert again.returncode == 0, again.stderr
    assert results(run) == before
    told = [line for line in again.stdout.splitlines() if "the point runs again" in line]
    # Without done.json a point is one that was never finished.
    assert len(told) == len(kinds) - 1
    for key, kind in damaged.items():
        if kind != ("done.json", "gone"):
            assert any(str(run / "points" / key) in line for line in told)
            assert (run / "damaged" / f"{key}.1").is_dir()


@pytest.mark.slow
def test_a_resumed_run_makes_damaged_results_again(fake_run: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(fake_run, run)
    before = results(run)
    key = sorted(states(run))[0]
    _damage(run / "points" / key / "samples.csv", "flipped")
    again = tell("resume", run)
    assert again.returncode == 0, again.stderr
    assert results(run) == before and (run / "damaged" / f"{key}.1").is_dir()


def _damage(path: Path, damage: str) -> None:
    """One fault of a file: cut in the middle, one bit of it turned, or gone."""
    whole = path.read_bytes()
    if damage == "gone":
        path.unlink()
    elif damage == "truncated":
        path.write_bytes(whole[: len(whole) // 2])
    else:
        middle = len(whole) // 2
        path.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["state", "sha256.json"])
def test_a_damaged_checkpoint_is_made_again(tmp_path: Path, name: str, damage: str) -> None:
    target, said = checkpoints.directory(tmp_path, "engine-key"), []

    def make(made: Path) -> None:
        (made / "state").write_bytes(b"a machine that is ready\n")

    def ensure() -> str:
        return checkpoints.ensure(target, make, said.append, "booting")

    digest = ensure()
    assert ensure() == digest and said == ["booting"]
    _damage(target / name, damage)
    assert ensure() == digest
    assert said[1].startswith(str(target)) and said[1].endswith("it is made again")
    assert ensure() == digest and len(said) == 3


@pytest.mark.slow
def test_a_sweep_makes_a_damaged_checkpoint_again(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert sweep(run, "--cpu-mhz", "20").returncode == 0
    before = results(run)
    (file,) = (tmp_path / "cache" / "checkpoints").glob("fake-*/memory")
    whole = file.read_bytes()
    _damage(file, "flipped")
    shutil.rmtree(run)
    again = sweep(run, "--cpu-mhz", "20")
    assert again.returncode == 0 and "it is made again" in again.stderr
    assert file.read_bytes() == whole and results(run) == before


@pytest.mark.image
@pytest.mark.parametrize(
    ("name", "damage"),
    [
        *((name, how) for name in ("Image", "vmlinux", "fw_jump.bin") for how in DAMAGES[:2]),
        ("image.json", "truncated"),
    ],
)
def test_a_damaged_image_is_refused_by_name(
    once: Once, tmp_path: Path, name: str, damage: str
) -> None:
    image = tmp_path / "image"
    shutil.copytree(once.image(), image)
    load_image(image)
    _damage(image / name, damage)
    with pytest.raises(ImageError, match=r"remove it and build it with: scons image"):
        load_image(image)
    if name == "Image" and damage == "flipped":
        told = sweep(tmp_path / "run", "--engine", "rvsim", "--image", str(image))
        assert told.returncode == 2 and str(image / name) in told.stderr
        assert len(sentences(told.stderr)) == 1
