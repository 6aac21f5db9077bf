# SPDX-License-Identifier: BSD-3-Clause
"""One recipe for the guest's programs: SCons's and Buildroot's programs are the same bytes."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.image.builder.recipe import recipe

ROOT = project_root()
SCRIPT = ROOT / "disk-images" / "buildroot" / "package" / "osgap-workloads" / "build.sh"


def test_a_shell_reads_what_python_reads() -> None:
    for name, words in recipe().items():
        code = f'. workloads/recipe.conf; printf "%s\\n" ${name}'
        done = subprocess.run(["sh", "-c", code], cwd=ROOT, capture_output=True, text=True)
        assert tuple(done.stdout.split()) == words, name


@pytest.mark.parametrize("line", ["A=b", 'a="b"', 'A="$B"', 'A="b" # c', 'A="`b`"', 'NAME="twice"'])
def test_what_the_two_might_read_otherwise_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "recipe.conf"
    path.write_text(f'NAME="once"\n{line}\n')
    with pytest.raises(OsgapError, match=r"recipe\.conf:2: found"):
        recipe(path)


@pytest.mark.long
@pytest.mark.build
@pytest.mark.usefixtures("image")
def test_buildroots_script_builds_what_scons_builds(tmp_path: Path) -> None:
    for folder in ("workloads", "disk-images"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    environment = {**os.environ, "CC": "riscv64-linux-gnu-gcc"}
    subprocess.run(["sh", str(SCRIPT)], cwd=tmp_path, env=environment, check=True)
    parts = sorted((tmp_path / "parts").iterdir())
    assert {"init", "andrew-crt.o", "andrew-cp", "reflect"} <= {path.name for path in parts}
    for path in parts:
        assert path.read_bytes() == (ROOT / "build" / "guest" / path.name).read_bytes(), path.name
