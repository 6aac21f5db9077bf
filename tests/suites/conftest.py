# SPDX-License-Identifier: BSD-3-Clause
"""A run of two of the paper's machines, shared by the tests of its tables."""

from pathlib import Path

import pytest
from shared import Once
from sweeping import finished

MACHINES = "paper/MVAX2,paper/DS3100"


@pytest.fixture(scope="session")
def simulated(once: Once) -> Path:
    """Two of the machines on the engine that computes, at their time scales."""
    words = ("--sweep", "paper", "--machine", MACHINES)
    return once.made("paper-runs", lambda run: finished(run, *words))
