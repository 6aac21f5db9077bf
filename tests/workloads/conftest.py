# SPDX-License-Identifier: BSD-3-Clause
"""The native program of workloads/, built once for all tests that run it as it is."""

from pathlib import Path

import pytest
from native import WORKLOADS, build


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(WORKLOADS, tmp_path_factory.mktemp("native") / "osgap-bench")
