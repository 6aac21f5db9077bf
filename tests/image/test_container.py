# SPDX-License-Identifier: BSD-3-Clause
"""The container file, as far as it can be checked without building it."""

import re
import subprocess

from osgap.base.paths import project_root

ROOT = project_root()
TEXT = (ROOT / "Containerfile").read_text()


def test_its_packages_are_those_of_the_list() -> None:
    """It installs by scripts/lib.sh, so that there is no second list."""
    (code,) = re.findall(r"^RUN bash -euo pipefail -c '(.*)'$", TEXT, re.MULTILINE)
    assert "apt" not in TEXT
    source, *calls = [part.split() for part in code.split(";")]
    assert source == ["source", "scripts/lib.sh"]
    assert [words[0] for words in calls] == ["ensure_packages", "ensure_venv"]
    names = [words[0] for words in calls]
    subprocess.run(
        ["bash", "-c", f"{' '.join(source)}; declare -F {' '.join(names)}"], cwd=ROOT, check=True
    )
    rows = (ROOT / "scripts" / "packages.list").read_text().splitlines()
    scopes = {row.split()[0] for row in rows if not row.startswith("#")}
    assert {"python", "study", "test", "speed"} == set(calls[0][1:]) <= scopes


def test_what_it_names_is_there_and_nothing_built_is_copied() -> None:
    named = re.findall(r"scripts/\w+(?:\.\w+)?", TEXT)
    assert named and all((ROOT / name).is_file() for name in named)
    ignored = (ROOT / ".containerignore").read_text().split()
    assert {".venv", "build", "results/runs"} <= set(ignored)
