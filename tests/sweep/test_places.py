# SPDX-License-Identifier: BSD-3-Clause
"""Hosts, homes and locales that a sweep meets, and run directories that move or are shared."""

import getpass
import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from kills import results
from rich.console import Console
from stderr import sentences
from sweeping import (
    command,
    done,
    nothing_half_done,
    paused,
    running,
    start,
    states,
    tell,
    wait_until,
)

from osgap.base import durable
from osgap.base.identity import this_process
from osgap.base.paths import project_root
from osgap.engines import fake
from osgap.rundir import manifest
from osgap.sweep.host import Host, SweepContext
from osgap.sweep.locking import Busy, SweepError, is_running, locked
from osgap.sweep.place import Displaced, Place
from osgap.sweep.run import run_sweeps
from osgap.sweep.snakemake import _homeless
from osgap.sweep.spec import SweepFile

MACHINES = project_root() / "configs" / "machines"


def test_a_cache_that_cannot_be_made_is_named_with_its_variable(tmp_path: Path) -> None:
    sweep = SweepFile(description="x", machine="base", engine="fake", clock_mhz=(20,))
    context = SweepContext(tmp_path / "run", Host(1, tmp_path, Path("/dev/null/no")), Console())
    with pytest.raises(SweepError) as refused:
        run_sweeps(sweep, MACHINES, context)
    assert "/dev/null/no: Not a directory: the cache is /dev/null/no; give another" in str(
        refused.value
    ).replace("/checkpoints", "")
    assert str(refused.value).endswith("$OSGAP_CACHE")


def test_snakemake_finds_the_name_of_a_user_without_an_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LOGNAME", "USER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LOGNAME", _homeless(tmp_path)["LOGNAME"])
    assert getpass.getuser() == str(os.getuid())


def test_a_run_that_was_started_in_a_locale_of_ascii_has_its_name_in_utf_8(tmp_path: Path) -> None:
    ascii_name = "läuf \udc80".encode("utf-8", "surrogateescape").decode("ascii", "surrogateescape")
    written = manifest.Manifest(
        format=1, name=ascii_name, sweep={"run": [ascii_name]}, points=(), series={}
    )
    manifest.write(tmp_path, written)
    read = manifest.read(tmp_path)
    assert read.name == "läuf \ufffd" == read.sweep["run"][0]
    manifest.write(tmp_path, read)
    assert manifest.read(tmp_path) == read


def test_a_run_directory_is_found_where_it_was_moved_to(tmp_path: Path) -> None:
    run, moved = tmp_path / "run", tmp_path / "a b"
    host = Host(1, tmp_path, tmp_path, Path("/slurm"))
    run.mkdir()
    with locked(run), durable.directory(run) as same:
        place = Place(run, same)
        manifest.write(run, manifest.Manifest(format=1, name="x", sweep={}, points=(), series={}))
        assert not place.is_lost()
        run.rename(moved)
        assert place.is_lost()
        run.mkdir()
        assert place.is_lost(), "another directory of its name"
        again = f"osgap resume '{moved}' --profile /slurm"
        assert str(place.error(host)).endswith(f"was moved to {moved}; go on with: {again}")
        with pytest.raises(Busy), locked(moved):
            pass
        shutil.rmtree(moved)
        assert place.is_lost() and "deleted or moved" in str(place.error(host))
    assert list(run.iterdir()) == []


def test_a_run_that_is_moved_while_the_guest_boots_is_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, moved = tmp_path / "run", tmp_path / "moved"
    monkeypatch.setattr(fake.Fake, "prepare", lambda *_: str(run.rename(moved)))
    sweep = SweepFile(description="x", machine="base", engine="fake", clock_mhz=(20,))
    with pytest.raises(Displaced):
        run_sweeps(sweep, MACHINES, SweepContext(run, Host(1, tmp_path, tmp_path), Console()))
    assert not run.exists() and not is_running(moved)


@pytest.mark.long
def test_a_run_that_is_moved_or_copied_while_it_is_swept_loses_nothing(tmp_path: Path) -> None:
    """Its old place, where another directory lies by then, stays as it is."""
    run, moved, copy = (tmp_path / name for name in ("run", "moved", "copy"))
    options = paused(tmp_path, 2500, "20, 40, 80")
    with start(run, *options) as process:
        wait_until(lambda: len(done(run)) >= 2 and running(run))
        subprocess.run(["cp", "-r", str(run), str(copy)])  # some files go while it copies
        run.rename(moved)
        run.mkdir()
        _, errors = process.communicate(timeout=30)
    (sentence,) = sentences(errors)
    before = results(moved)
    assert process.returncode == 2 and list(run.iterdir()) == []
    assert f"was moved to {moved}; {len(done(moved))} of 5 points are finished" in sentence
    assert set(states(moved).values()) <= {"done", "cancelled", "queued"}
    nothing_half_done(moved)
    words = shlex.split(sentence.partition("go on with: osgap ")[2])
    for name, *rest in (words, ["resume", str(copy)]):
        again = tell(name, Path(rest[0]))
        assert again.returncode == 0, again.stderr
    assert before.items() <= results(moved).items() and results(copy) == results(moved)
    assert list(run.iterdir()) == [] and set(states(moved).values()) == {"done"}


TWO_MOUNTS = """
mount -t tmpfs none "$1" && cd "$1" && shift && mkdir l u w v a b || exit 77
for mount in "a w" "b v"; do
  set -- "$mount" "$@"
  mount -t overlay none -o "lowerdir=l,upperdir=u,workdir=${mount#* }" "${mount% *}" || exit 77
  shift
done
"$@" --output a/run & first=$!
until grep -qs running a/run/records/*; do sleep 0.1; done
unshare --pid --fork --mount-proc --uts sh -c 'hostname inner; "$@"' sh "$@" --output a/run
echo "name space: $?"
"$@" --output b/run
echo "mount: $?"
kill $first && wait $first
echo "first: $?"
"""


@pytest.mark.long
def test_one_directory_by_two_mounts_and_from_two_name_spaces_has_one_sweep(
    tmp_path: Path,
) -> None:
    options = [*command(tmp_path)[:-2], *paused(tmp_path, 60_000, clocks="20")]
    place = tmp_path / "place"
    place.mkdir()
    outer = ["unshare", "--mount", *(["--user", "--map-root-user"] if os.getuid() else [])]
    done = subprocess.run(
        [*outer, "sh", "-c", TWO_MOUNTS, "sh", str(place), *options],
        capture_output=True,
        text=True,
        timeout=120,
    )
    if done.returncode == 77:
        pytest.skip("this system lets no test mount an overlay")
    assert done.stdout.split("\n")[:3] == ["name space: 2", "mount: 2", "first: 2"], done.stderr
    space, mount, first = sentences(done.stderr)
    for refused in (space, mount):
        assert "another sweep is running on this directory: process " in refused
        assert f" on {this_process().host}" in refused
    assert "in another PID name space" in space and "interrupted" in first
