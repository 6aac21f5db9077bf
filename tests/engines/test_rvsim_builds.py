# SPDX-License-Identifier: BSD-3-Clause
"""Builds of rvsim in the cache: one is used if it is undamaged, and of this version and host."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from osgap.engines import checkpoints, rvsim_builds
from osgap.engines.rvsim_builds import LIBRARY, RECORD, Build, fitting, folder, remove

RUSTC = "rustc 1.95.0 (59807616e 2026-04-14)"
Plant = Callable[..., Path]


def wheel_library() -> Path:
    """The library of the installed wheel."""
    (place,) = (find_spec("rvsim") or pytest.fail("no rvsim")).submodule_search_locations or []
    return Path(place) / LIBRARY


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    """plant(name, content, field=value): a build in the cache tmp_path."""

    def make(name: str = "rvsim-a", content: bytes = b"library", **fields: object) -> Path:
        values = {
            "version": rvsim_builds.installed_version(),
            "source_sha256": "0" * 64,
            "rustc": RUSTC,
            "processor": rvsim_builds.host_processor(),
            "built": 1.0,
        }
        record = Build.model_validate({**values, **fields}).model_dump_json()

        def fill(pending: Path) -> None:
            (pending / LIBRARY).write_bytes(content)
            (pending / RECORD).write_text(record)

        target = folder(tmp_path) / name
        checkpoints.ensure(target, fill, lambda text: None, "planting")
        return target

    return make


def loaded(cache: Path) -> dict[str, str]:
    """The engine's version and build in a new process, and the library that it loaded."""
    code = (
        "import json, sys; from osgap.engines import load; engine = load('rvsim');"
        "print(json.dumps({'version': engine.version(), 'build': engine.build(),"
        " 'library': sys.modules['rvsim._core'].__file__, 'advice': engine.advice()}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OSGAP_CACHE": str(cache)},
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_without_a_build_the_wheel_runs(tmp_path: Path) -> None:
    found = loaded(tmp_path)
    assert (found["build"], found["library"]) == ("wheel", str(wheel_library()))
    assert "osgap engine rvsim --optimise" in found["advice"]


@pytest.mark.slow
def test_a_fitting_build_runs_in_its_place(tmp_path: Path, plant: Plant) -> None:
    build = plant(content=wheel_library().read_bytes())
    found = loaded(tmp_path)
    assert found["build"] == f"optimised, {RUSTC}"
    assert found["library"] == str(build / LIBRARY)
    # The version is a part of every point's key.
    assert found["version"] == rvsim_builds.installed_version()
    assert "--optimise" not in found["advice"]


@pytest.mark.slow
def test_a_library_that_cannot_be_loaded_gives_way_to_the_wheel(
    tmp_path: Path, plant: Plant
) -> None:
    plant(content=b"of another C library")
    assert fitting(tmp_path) is not None
    found = loaded(tmp_path)
    assert (found["build"], found["library"]) == ("wheel", str(wheel_library()))


@pytest.mark.parametrize(
    "fields", [{"version": "2.0.9"}, {"processor": "another"}], ids=["version", "processor"]
)
def test_a_build_of_another_version_or_host_is_not_used(
    fields: dict[str, object], tmp_path: Path, plant: Plant
) -> None:
    plant(**fields)
    assert fitting(tmp_path) is None
    fits = plant("rvsim-b")
    assert fitting(tmp_path) == fits


def test_of_several_the_newest_is_used(tmp_path: Path, plant: Plant) -> None:
    newest = plant("rvsim-a", built=2.0, rustc="rustc 1.96.0")
    plant("rvsim-b", built=1.0)
    assert fitting(tmp_path) == newest


def test_a_damaged_build_is_not_used(tmp_path: Path, plant: Plant) -> None:
    build = plant()
    (build / LIBRARY).write_bytes(b"librarY")
    assert fitting(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{}", '{"version": 3}', "[" * 9999])
def test_a_record_that_cannot_be_read_is_no_build(text: str, tmp_path: Path, plant: Plant) -> None:
    (plant() / RECORD).write_text(text)
    assert fitting(tmp_path) is None


def test_a_link_to_elsewhere_is_no_build(tmp_path: Path, plant: Plant) -> None:
    build = plant()
    elsewhere = build.rename(tmp_path / "elsewhere")
    build.symlink_to(elsewhere)
    assert fitting(tmp_path) is None


def test_another_users_build_is_not_used(
    tmp_path: Path, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = plant()
    (build / LIBRARY).chmod(0o666)
    assert fitting(tmp_path) is None
    (build / LIBRARY).chmod(0o644)
    assert fitting(tmp_path) == build
    if os.geteuid() == 0:
        os.chown(build / LIBRARY, 4242, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 4242)
    assert fitting(tmp_path) is None


def test_the_wheel_is_used_again_when_the_builds_of_this_processor_are_removed(
    tmp_path: Path, plant: Plant
) -> None:
    foreign = plant("rvsim-foreign", processor="another")
    kept = plant("rvsim-kept", built=3.0)
    plant("rvsim-older", version="2.0.9")
    assert remove(tmp_path, keep=kept) == 1 and fitting(tmp_path) == kept
    assert remove(tmp_path) == 1 and fitting(tmp_path) is None
    assert foreign.is_dir()


def test_the_processor_has_a_model_and_the_digest_of_its_instruction_sets() -> None:
    assert rvsim_builds.host_processor() == rvsim_builds.host_processor()
    assert len(rvsim_builds.host_processor().rpartition(", ")[2]) == 16
