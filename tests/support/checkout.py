# SPDX-License-Identifier: BSD-3-Clause
"""A copy of this checkout, to change and to run."""

import shutil
import subprocess
import sys
from pathlib import Path

from osgap.base.paths import project_root

ROOT = project_root()


def copy_checkout(target: Path) -> Path:
    """The checkout's own files in `target`, without results but for the reference."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    for name in listed:
        wanted = not name.startswith("results/") or name.startswith("results/reference/")
        if name and wanted and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    # Bytecode names its source by time and size: the copy need not compile all modules again.
    for compiled in (ROOT / "osgap").rglob("__pycache__"):
        shutil.copytree(compiled, target / compiled.relative_to(ROOT), dirs_exist_ok=True)
    return target


def osgap(copy: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the copy's command."""
    start = [sys.executable, "-P", str(copy / "osgap" / "start.py"), "osgap"]
    argv = [*start, *map(str, words)]
    return subprocess.run(argv, cwd=copy, capture_output=True, text=True, timeout=120)
