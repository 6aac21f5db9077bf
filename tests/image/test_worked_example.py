# SPDX-License-Identifier: BSD-3-Clause
"""The worked example of disk-images/README.md, line by line."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from shared import Once

from osgap.base.paths import project_root


@pytest.mark.build
@pytest.mark.image
def test_the_worked_example_makes_an_image_with_the_program(copy: Path, once: Once) -> None:
    text = (project_root() / "disk-images" / "README.md").read_text()
    example = text.partition("## A worked example")[2]
    block = re.search(r"```sh\n(.*?)```", example, re.DOTALL)
    assert block and "scons image" in block[1]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-e"],
        input=block[1],
        cwd=copy,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads((copy / "build" / "image" / "contents.json").read_text())
    (greet,) = [row for row in rows if row["path"] == "/bin/greet"]
    assert (greet["kind"], greet["mode"]) == ("file", "0755")
    program = (copy / "build" / "guest" / "greet").read_bytes()
    assert program[:4] == b"\x7fELF" and b"greetings from the guest" in program
    default = json.loads((once.image() / "contents.json").read_text())
    assert [row for row in rows if row is not greet] == default
    assert program[:64] in (copy / "build" / "image" / "initramfs.cpio").read_bytes()
