# SPDX-License-Identifier: BSD-3-Clause
"""Snakemake for jobs on this machine starts without what only clusters need."""

import subprocess
import sys

import pytest

from osgap.base.paths import project_root

CODE = """
import pkgutil, sys
before = pkgutil.iter_modules
from osgap.sweep.local_snakemake import load_main
main = load_main()
assert main.__module__ == "snakemake.cli" and pkgutil.iter_modules is before
print(*sorted(name for name in sys.modules if name == "pandas" or "executor_plugin_" in name))
"""


@pytest.mark.slow
def test_no_executor_plugin_is_imported() -> None:
    """Slurm's imports pandas; sweeps with a profile have it (tests/sweep/test_slurm.py)."""
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=project_root(), capture_output=True, text=True
    )
    assert done.returncode == 0 and done.stdout == "\n", done.stderr
