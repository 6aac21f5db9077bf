# SPDX-License-Identifier: BSD-3-Clause
"""The check for system packages, with a dpkg-query and an apt-get of our own."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCOPES = (
    "python",
    "native",
    "study",
    "test",
    "clang",
    "riscv64",
    "arm64",
    "slurm",
    "browser",
    "speed",
)
LIST = "study  gcc  compiles\nstudy  bc  computes\ntest  qemu-new|qemu-old  boots the image\n"


def tool(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(f"#!/bin/bash\n{text}\n")
    (folder / name).chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A PATH with only fake package tools; `installed` names what dpkg-query knows."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "grep", "id", "basename", "dirname", "mkdir", "tail", "env", "cat"):
        os.symlink(shutil.which(name) or name, tools / name)
    tool(tools, "dpkg-query", f'grep -qx "${{@: -1}}" {tmp_path}/installed && echo installed')
    tool(tools, "apt-cache", '[ "${@: -1}" != qemu-new ]')
    tool(tools, "apt-get", f'echo "$*" >> {tmp_path}/apt.log')
    (tmp_path / "list").write_text(LIST)
    (tmp_path / "installed").write_text("gcc\n")
    return tmp_path


def ensure(machine: Path, *scopes: str, user: int = 0) -> subprocess.CompletedProcess[str]:
    (machine / "bin/id").unlink()
    tool(machine / "bin", "id", f"echo {user}")
    code = f'source {ROOT}/scripts/lib.sh; LOG={machine}/log; ensure_packages "$@"'
    return subprocess.run(
        ["/bin/bash", "-euo", "pipefail", "-c", code, "study", *scopes],
        env={"PATH": str(machine / "bin"), "OSGAP_PACKAGES_LIST": str(machine / "list")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_nothing_is_done_when_all_are_installed(machine: Path) -> None:
    (machine / "installed").write_text("gcc\nbc\nqemu-old\n")
    done = ensure(machine, "study", "test")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (machine / "apt.log").exists()


def test_root_installs_just_what_is_missing(machine: Path) -> None:
    done = ensure(machine, "study", "test")
    assert done.returncode == 0, done.stderr
    update, install = (machine / "apt.log").read_text().splitlines()
    assert update.endswith("update")
    assert install.endswith("install -y --no-install-recommends bc qemu-old")
    assert "bc " in done.stderr and done.stdout == ""
    assert "computes" in done.stderr
    assert "gcc" not in done.stderr


def test_the_scope_limits_the_list(machine: Path) -> None:
    (machine / "installed").write_text("gcc\nbc\n")
    assert ensure(machine, "study").returncode == 0
    assert not (machine / "apt.log").exists()


def test_without_root_the_command_is_printed(machine: Path) -> None:
    done = ensure(machine, "study", "test", user=1000)
    assert done.returncode == 3
    assert "  apt-get install --no-install-recommends bc qemu-old\n" in done.stderr
    assert not (machine / "apt.log").exists()


def test_a_failing_apt_is_told(machine: Path) -> None:
    tool(machine / "bin", "apt-get", "echo 'E: broken' ; exit 100")
    done = ensure(machine, "study")
    assert done.returncode == 3
    assert "E: broken" in done.stderr
    assert "apt-get update failed" in done.stderr


def test_every_line_of_the_real_list_has_scope_name_and_reason() -> None:
    lines = (ROOT / "scripts/packages.list").read_text().splitlines()
    rows = [line.split(None, 2) for line in lines if not line.startswith("#")]
    assert rows
    assert all(len(row) == 3 and row[0] in SCOPES for row in rows)
