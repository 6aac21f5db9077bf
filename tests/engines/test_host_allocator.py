# SPDX-License-Identifier: BSD-3-Clause
"""The allocator of a simulator's process: found as the dynamic linker finds it, and optional."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from osgap import engines
from osgap.base.processes import osgap_command
from osgap.engines import host_allocator
from osgap.engines.host_allocator import LIBRARY, VARIABLE

_OTHER_MACHINE = 18


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A host without the library; its ldconfig prints what the file `linked` has."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tmp_path / "linked").touch()
    (tools / "ldconfig").write_text(f"#!/bin/sh\nexec /bin/cat {tmp_path}/linked\n")
    (tools / "ldconfig").chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setattr(host_allocator, "_FOLDERS", ())
    for variable in (VARIABLE, "LD_LIBRARY_PATH"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def planted(folder: Path, header: bytes | None = None) -> Path:
    """A file of the library's name, with the header of this Python's program."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LIBRARY
    path.write_bytes(header or Path(sys.executable).read_bytes()[:64])
    return path


def link(host: Path, *paths: Path) -> None:
    """Makes ldconfig print these paths, in its form."""
    rows = [f"\t{LIBRARY} (libc6,x86-64) => {path}\n" for path in paths]
    (host / "linked").write_text("2 libs found in cache `/etc/ld.so.cache'\n" + "".join(rows))


def test_nothing_is_preloaded_where_there_is_none(bare: Path) -> None:
    assert host_allocator.find() is None and host_allocator.preload() == {}


def test_a_host_without_ldconfig_has_none(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bare / "bin" / "ldconfig").unlink()
    monkeypatch.setattr(host_allocator, "_LDCONFIG", str(bare / "gone"))
    assert host_allocator.find() is None


def test_it_is_found_through_the_linkers_cache(bare: Path) -> None:
    path = planted(bare / "lib")
    link(bare, bare / "gone" / LIBRARY, path)
    assert host_allocator.preload() == {VARIABLE: str(path)}


def test_the_library_path_comes_first_and_relative_folders_do_not_count(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link(bare, planted(bare / "lib"))
    first = planted(bare / "first")
    monkeypatch.chdir(bare)
    monkeypatch.setenv("LD_LIBRARY_PATH", f"first::{bare}/nowhere:{bare}/first")
    assert host_allocator.find() == first
    monkeypatch.setenv("LD_LIBRARY_PATH", "first")
    assert host_allocator.find() == bare / "lib" / LIBRARY


def test_a_library_of_another_machine_is_left_alone(bare: Path) -> None:
    header = bytearray(Path(sys.executable).read_bytes()[:64])
    header[_OTHER_MACHINE] ^= 0xFF
    link(bare, planted(bare / "foreign", bytes(header)), planted(bare / "text", b"INPUT(x)"))
    assert host_allocator.find() is None


def test_a_path_that_ld_preload_would_part_is_left_alone(bare: Path) -> None:
    (bare / "linked").write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LD_LIBRARY_PATH", str(planted(bare / "a b").parent))
        assert host_allocator.find() is None


def test_the_users_own_preload_stays(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link(bare, planted(bare / "lib"))
    monkeypatch.setenv(VARIABLE, "/lib/libfaketime.so.1")
    assert host_allocator.preload() == {}


@pytest.mark.slow
def test_a_process_tells_what_it_has_loaded(tmp_path: Path) -> None:
    """By its memory map, not by a variable that may have had no effect."""
    maps = Path("/proc/self/maps").read_text().split()
    path = tmp_path / LIBRARY
    shutil.copy(next(word for word in maps if "/libm" in word), path)
    code = (
        "from osgap.engines.host_allocator import describe, in_use;"
        "print(in_use()); print(describe(in_use()))"
    )

    def told(**variables: str) -> list[str]:
        environment = {k: v for k, v in os.environ.items() if k != VARIABLE}
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**environment, **variables},
        )
        return done.stdout.splitlines()

    name, description = told(**{VARIABLE: str(path)})
    assert name == str(path) and description.startswith(f"tcmalloc, {LIBRARY}, SHA-256 ")
    name, description = told(**{VARIABLE: str(tmp_path / "gone")})
    assert name == "None" and description.startswith("libc's, ")


def test_only_rvsim_is_started_with_it(bare: Path) -> None:
    link(bare, planted(bare / "lib"))
    given = [name for name in engines.names() if engines.load(name).environment()]
    assert given == ["rvsim"]


@pytest.mark.slow
def test_a_worker_of_no_job_starts_once(tmp_path: Path) -> None:
    """Without jobs.json nothing is looked up, and the worker says so."""
    done = subprocess.run(
        osgap_command("osgap.points", "0"), cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1 and "jobs.json" in done.stderr
