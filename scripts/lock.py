#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Accept a run: copy it, compressed, to results/locked/NAME, where it is committed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from osgap.errors import OsgapError
from osgap.locking import lock_all
from osgap.paths import project_root


def main() -> int:
    """Copies the run; 2 and one sentence when it is not finished or not whole."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "run", type=Path, metavar="RUN", help="a finished run directory, or a directory of several"
    )
    parser.add_argument("--name", help="its name under results/locked (default: RUN's)")
    args = parser.parse_args()
    target = project_root() / "results" / "locked" / (args.name or args.run.resolve().name)
    try:
        size = lock_all(args.run, target)
    except OsgapError as error:
        print(f"lock.py: {error}", file=sys.stderr)
        return 2
    print(f"{target}: {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
