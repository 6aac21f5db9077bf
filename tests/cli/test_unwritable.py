# SPDX-License-Identifier: BSD-3-Clause
"""Every subcommand where nothing may be written, and where the disk is full."""

import os
import subprocess
from pathlib import Path

import pytest
from faults import COMMANDS, Fault, Space, make_checkout, make_space, meet

_READING = ("sweep", "status", "engine", "ministat", "predict", "show", "list", "completion")
"""Of `sweep` a dry run."""
_ELSEWHERE = ("resume", "retry")
"""They have nothing to write."""
_CHOSEN = ("analyze", "lock", "status", "variants")
_EACH = [
    pytest.param(name, marks=pytest.mark.slow if name in _CHOSEN else pytest.mark.long)
    for name in sorted(COMMANDS)
]
"""A sample of them already in the usual level."""
# Root may write anywhere; without these capabilities it is a user as any.
_BOUND = (
    ("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner") if os.getuid() == 0 else ()
)
# More than a directory's name has no room in a file system that is full.
_FULL = """\
for place in "$small" "$checkout"/results/locked "$checkout"/results/runs "$checkout"/build; do
    mkdir -p "$place" && mount -t tmpfs -o size=1m none "$place" || exit 99
    head -c 2M /dev/zero > "$place/full" 2>/dev/null
done
"""


def _close(place: Path) -> None:
    for path in (*place.rglob("*"), place):
        if not path.is_symlink():
            path.chmod(0o555 if path.is_dir() else 0o444)


def _open(place: Path) -> None:
    for folder in (place, *place.rglob("*")):
        if folder.is_dir() and not folder.is_symlink():
            folder.chmod(0o755)


def _fails(command: str, otherwise: bool) -> bool | None:
    if command in _READING:
        return False
    return None if command in _ELSEWHERE else otherwise


def _space(place: Path, finished: Path, tables: Path) -> Space:
    checkout = make_checkout(place / "checkout")
    return make_space(place / "space", finished, tables, checkout)


def _write_nothing(command: str, space: Space, place: Path) -> None:
    if subprocess.run([*_BOUND, "true"], capture_output=True).returncode:
        pytest.skip("root cannot give up its capabilities here")
    before = sorted(place.rglob("*"))
    _close(place)
    own = {name: str(place / "none") for name in ("HOME", "OSGAP_CACHE", "XDG_CACHE_HOME")}
    fault = Fault(environment=own, fails=_fails(command, True), wrapper=_BOUND)
    try:
        meet(fault, command, space, place).check(fault, command)
        assert sorted(place.rglob("*")) == before
    finally:
        _open(place)


@pytest.mark.parametrize("command", _EACH)
def test_a_command_may_write_nothing(
    command: str, tmp_path: Path, fake_run: Path, drawable: Path
) -> None:
    _write_nothing(command, _space(tmp_path, fake_run, drawable), tmp_path)


def _full_disk(command: str, fake_run: Path, drawable: Path, place: Path) -> None:
    mounts = ["unshare", "--mount", *(["--user", "--map-root-user"] if os.getuid() else [])]
    if subprocess.run([*mounts, "true"], capture_output=True).returncode:
        pytest.skip("file systems cannot be mounted here")
    space = _space(place, fake_run, drawable)
    small = place / "small"
    space = Space(space.run, space.tables, small / "new", space.checkout)
    own = {"small": str(small), "checkout": str(space.checkout)}
    fault = Fault(environment=own, before=_FULL, fails=_fails(command, True), wrapper=mounts)
    meet(fault, command, space, place).check(fault, command)


@pytest.mark.parametrize("command", [one for one in _EACH if one.values != ("ministat",)])
def test_a_command_on_a_full_disk(
    command: str, tmp_path: Path, fake_run: Path, drawable: Path
) -> None:
    _full_disk(command, fake_run, drawable, tmp_path)
