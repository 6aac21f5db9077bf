# SPDX-License-Identifier: BSD-3-Clause
"""A point on rvsim gives the same bytes with any allocator, and with any build of rvsim."""

import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from shared import Once

from osgap.base.paths import cache_directory
from osgap.base.processes import osgap_command
from osgap.engines import host_allocator, rvsim_builds
from osgap.engines.rvsim_builds import LIBRARY, WHEEL
from osgap.image.files import Image

pytestmark = [pytest.mark.rvsim, pytest.mark.long]
Run = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def run(image: Image, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """run(library, variables): the digests of the training point, and what it ran with."""

    def start(library: str, **variables: str) -> dict[str, Any]:
        words = (image.directory, cache_directory(), tmp_path_factory.mktemp("scratch"), library)
        own = {k: v for k, v in os.environ.items() if k != host_allocator.VARIABLE}
        done = subprocess.run(
            osgap_command("osgap.engines.rvsim_training", *map(str, words)),
            capture_output=True,
            text=True,
            check=True,
            env={**own, **variables},
        )
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        assert set(found["digests"]) == {"console", "stats.txt", "dumps"}
        return found

    return start


@pytest.fixture(scope="module")
def plain(run: Run, once: Once) -> dict[str, Any]:
    """The wheel's results, with the C library's allocator."""
    found = once.value("rvsim-plain", lambda: run(WHEEL))
    assert found["allocator"].startswith("libc's")
    return found


def test_the_allocator_changes_no_byte(plain: dict[str, Any], run: Run) -> None:
    if (library := host_allocator.find()) is None:
        pytest.skip(f"not tested with tcmalloc: {host_allocator.PACKAGE} is not installed")
    found = run(WHEEL, **{host_allocator.VARIABLE: str(library)})
    assert found["allocator"] == host_allocator.describe(library)
    assert found["digests"] == plain["digests"]


def test_an_optimised_build_changes_no_byte(plain: dict[str, Any], run: Run) -> None:
    if (build := rvsim_builds.fitting(cache_directory())) is None:
        pytest.skip("not tested: there is no optimised build (osgap engine rvsim --optimise)")
    found = run(str(build / LIBRARY), **host_allocator.preload())
    assert found["library"] == str(build / LIBRARY)
    assert found["digests"] == plain["digests"]


def test_no_result_is_empty(plain: dict[str, Any]) -> None:
    """Equal digests of nothing would prove nothing."""
    digests = set(plain["digests"].values())
    assert len(digests) == 3 and hashlib.sha256(b"").hexdigest() not in digests
