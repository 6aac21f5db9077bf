#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Another name of `osgap analyze`."""

import runpy
import sys
from pathlib import Path

runpy.run_path(str(Path(__file__).resolve().parents[1] / "osgap" / "start.py"))

from osgap.cli.script_entry import run_script  # noqa: E402

if __name__ == "__main__":
    sys.exit(run_script("analyze"))
