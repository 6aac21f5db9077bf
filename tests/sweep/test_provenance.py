# SPDX-License-Identifier: BSD-3-Clause
"""A run says what it was made from, holds it, can be moved, and can be run again from itself."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from forks import osgap
from kills import results
from sweeping import states, sweep, tell

from osgap.base.packed import read_archive
from osgap.base.paths import project_root
from osgap.image.files import IMAGE_FILES
from osgap.points.planned import read_plan
from osgap.rundir.archive import lock
from osgap.rundir.directory import ARCHIVE
from osgap.rundir.point import key_of

ROOT = project_root()
AXES = ("--cpu-mhz", "20,40", "--memory", "fixed,scaled")


def _replay(run: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return osgap("replay", str(run), *arguments, folder=ROOT, timeout=600)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.long
def test_the_manifest_says_what_a_run_was_made_from(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert sweep(run, *AXES).returncode == 0
    manifest = json.loads((run / "run.json").read_text())
    base = run / "inputs" / "machines" / "base.toml"
    assert manifest["inputs"] == {"machines/base.toml": _digest(base)}
    assert base.read_bytes() == (ROOT / "configs" / "machines" / "base.toml").read_bytes()
    assert {"engine", "python", "rvsim", "snakemake", "numpy"} <= set(manifest["versions"])
    (start,) = manifest["starts"]
    words = ["sweep", "--engine", "fake", "--output", str(run), *AXES]
    assert start["command"][-len(words) :] == words and "osgap" in start["command"][-len(words) - 1]
    assert set(start["host"]) == {"name", "system", "processor", "cores", "memory_mib"}
    assert start["when"].endswith("+00:00") and len(start["checkpoint"]) == 64
    before = (run / "run.json").read_bytes()
    assert sweep(run, *AXES).returncode == 0
    assert (run / "run.json").read_bytes() == before, "nothing was run"
    shutil.rmtree(next((run / "points").iterdir()))
    assert tell("resume", run).returncode == 0
    starts = json.loads((run / "run.json").read_text())["starts"]
    assert len(starts) == 2 and starts[1]["command"][1:] == ["resume", str(run)]


@pytest.mark.slow
def test_a_run_can_be_archived_moved_and_goes_on_where_it_is(
    fake_run: Path, tmp_path: Path
) -> None:
    run, moved = tmp_path / "run", tmp_path / "elsewhere" / "run"
    shutil.copytree(fake_run, run)
    before = results(run)
    archive = shutil.make_archive(str(tmp_path / "archive"), "gztar", tmp_path, "run")
    shutil.rmtree(run)
    shutil.unpack_archive(archive, moved.parent)
    shutil.rmtree(next((moved / "points").iterdir()))
    assert sorted(set(states(moved).values())) == ["done", "queued"]
    assert tell("resume", moved).returncode == 0
    assert results(moved) == before and not run.exists()


@pytest.mark.long
def test_a_replay_gives_the_same_numbers_and_finds_another(fake_run: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(fake_run, run)
    same = _replay(run)
    assert same.returncode == 0, same.stderr
    rows = [line.split() for line in same.stdout.splitlines()[1:]]
    assert len(rows) == 3 and all(row[1] != "0" and row[2] == "0" for row in rows)

    key = sorted(states(run))[0]
    point = run / "points" / key
    text = (point / "stats.txt").read_text()
    line = next(row for row in text.splitlines() if row.startswith("simInsts"))
    number = line.split()[1]
    (point / "stats.txt").write_text(
        text.replace(line, line.replace(number, str(int(number) * 2)), 1)
    )
    refused = _replay(run, "--point", key)
    assert refused.returncode == 2 and "stats.txt" in refused.stderr
    done = json.loads((point / "done.json").read_text())
    done["sha256"]["stats.txt"] = _digest(point / "stats.txt")
    (point / "done.json").write_text(json.dumps(done))
    other = _replay(run, "--point", key)
    assert other.returncode == 1
    assert "50.000%" in other.stdout and "region 0 simInsts" in other.stdout


@pytest.mark.long
def test_a_replay_and_a_retry_leave_other_runs_alone(fake_run: Path, tmp_path: Path) -> None:
    run, other, locked = tmp_path / "run", tmp_path / "other", tmp_path / "locked"
    for path in (run, other):
        shutil.copytree(fake_run, path)
    before = {path: (path / "run.json").read_bytes() for path in (run, other)}
    for path in (run, other):
        told = _replay(run, "--output", str(path))
        assert told.returncode == 2 and "is not a replay of run" in told.stderr
    assert {path: (path / "run.json").read_bytes() for path in (run, other)} == before
    kept = tmp_path / "kept"
    assert _replay(run, "--output", str(kept)).returncode == 0
    assert _replay(run, "--output", str(kept)).returncode == 0
    lock(run, locked)
    for command in (("retry", locked, "--failed"), ("resume", locked)):
        told = tell(*command)
        assert told.returncode == 2 and "is an accepted run" in told.stderr
    assert sorted(path.name for path in locked.iterdir()) == ["run.json", "run.tar.xz"]
    assert states(locked) == states(run) and set(states(locked).values()) == {"done"}
    again = _replay(locked, "--point", sorted(states(run))[0])
    assert again.returncode == 0, again.stderr
    assert _replay(run, "--output", "/dev/null/x").stderr.count("\n") == 1


@pytest.mark.slow
def test_a_replay_needs_the_same_engine_and_a_finished_point(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert sweep(run, "--cpu-mhz", "20").returncode == 0
    none = _replay(run, "--point", "99")
    assert none.returncode == 2 and "has no finished point that begins with '99'" in none.stderr
    (point,) = (run / "points").iterdir()
    spec = read_plan(run, point.name)
    key = key_of(spec.engine, "0", spec.image_digest, spec.axes, spec.resolved, spec.orders)
    (run / "run.json").write_text((run / "run.json").read_text().replace(point.name, key))
    point = point.rename(run / "points" / key)
    record = json.loads((point / "point.json").read_text())
    older = {**record, "engine_version": "0", "key": key}
    (point / "point.json").write_text(json.dumps(older))
    done = json.loads((point / "done.json").read_text())
    done["sha256"]["point.json"] = _digest(point / "point.json")
    (point / "done.json").write_text(json.dumps(done))
    other = _replay(run)
    assert other.returncode == 2 and "was run on fake 0; found here: 1" in other.stderr


@pytest.mark.long
@pytest.mark.rvsim
def test_a_run_holds_its_image_and_is_replayed_on_it_elsewhere(
    rvsim_run: Path, tmp_path: Path
) -> None:
    run, moved = tmp_path / "run", tmp_path / "moved"
    shutil.copytree(rvsim_run, run)
    manifest = json.loads((run / "run.json").read_text())
    for name in IMAGE_FILES:
        assert manifest["inputs"][f"image/{name}"] == manifest["image"]["files"][name]
        assert _digest(run / "inputs" / "image" / name) == manifest["image"]["files"][name]
    assert manifest["image"]["kernel"]["config"] and manifest["image"]["compiler"]
    assert "/init" in manifest["workloads"] and len(manifest["starts"][0]["checkpoint"]) == 64
    run.rename(moved)
    again = _replay(moved, "--point", "80mhz", "--image", str(tmp_path / "nowhere"))
    assert again.returncode == 0, again.stdout + again.stderr


@pytest.mark.long
@pytest.mark.rvsim
def test_an_accepted_run_has_no_image_and_is_replayed_on_an_equal_one(
    rvsim_run: Path, tmp_path: Path
) -> None:
    locked = tmp_path / "locked"
    lock(rvsim_run, locked)
    inputs = [name for name, _ in read_archive(locked / ARCHIVE) if name.startswith("inputs/")]
    assert inputs == ["inputs/machines/base.toml"]
    assert states(locked) == states(rvsim_run)
    refused = _replay(locked, "--image", str(tmp_path / "nowhere"))
    assert refused.returncode == 2 and "the image of" in refused.stderr
    assert _replay(locked, "--point", "160mhz").returncode == 0
