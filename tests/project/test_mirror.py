# SPDX-License-Identifier: BSD-3-Clause
"""tests/ mirrors osgap/: a folder of tests for each package."""

from collections import Counter

from osgap.base.paths import project_root

ROOT = project_root()
ELSEWHERE: dict[str, str] = {}
"""Packages without a folder of tests, and what tests them."""
OTHERS = {"project": "the repository", "kernel": "the guest", "workloads": "the guest"}
"""Folders of tests that are of no package, and what they test."""


def test_each_package_has_its_tests() -> None:
    packages = {path.parent.name for path in (ROOT / "osgap").glob("*/__init__.py")}
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert packages - ELSEWHERE.keys() == folders - OTHERS.keys()
    assert ELSEWHERE.keys() <= packages and OTHERS.keys() <= folders


def test_each_file_of_tests_has_a_name_of_its_own() -> None:
    """Without packages pytest imports each file of tests by its name alone."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
