# SPDX-License-Identifier: BSD-3-Clause
"""tests/ mirrors osgap/: a folder of tests for each package."""

from osgap.base.paths import project_root

ROOT = project_root()
ELSEWHERE = {"drawing": "its figures are drawn by tests/figures"}
"""Packages without a folder of tests, and what tests them."""
OTHERS = {"project": "the repository", "kernel": "the guest", "workloads": "the guest"}
"""Folders of tests that are of no package, and what they test."""


def test_each_package_has_its_tests() -> None:
    packages = {path.parent.name for path in (ROOT / "osgap").glob("*/__init__.py")}
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert packages - ELSEWHERE.keys() == folders - OTHERS.keys()
    assert ELSEWHERE.keys() <= packages and OTHERS.keys() <= folders
