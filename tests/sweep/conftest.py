# SPDX-License-Identifier: BSD-3-Clause
"""A cache for each test, and a program to time."""

from pathlib import Path

import pytest
from timed_program import PROGRAM


@pytest.fixture(autouse=True)
def _own_cache(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache of the test's own, but where a boot or a kernel is worth keeping."""
    if not any(map(request.node.get_closest_marker, ("rvsim", "build"))):
        monkeypatch.setenv("OSGAP_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The source of a user's program."""
    path = tmp_path / "my-bench.c"
    path.write_text(PROGRAM)
    return path
