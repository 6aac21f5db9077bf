# SPDX-License-Identifier: BSD-3-Clause
"""python -m osgap.points RUN KEY IMAGE CACHE: what Snakemake starts for each point."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from osgap.engines.base import image_for
from osgap.errors import OsgapError
from osgap.points.owner import watch_owner
from osgap.points.spec import read_spec
from osgap.points.work import run_point


def main(arguments: list[str]) -> int:
    """Runs one point; 2 and one sentence on stderr when it fails."""
    run, key, image, cache = Path(arguments[0]), arguments[1], Path(arguments[2]), arguments[3]
    try:
        spec = read_spec(run / "plan" / f"{key}.json")
        run_point(run, key, image_for(spec.engine, image), Path(cache))
    except OsgapError as error:
        print(f"point {key}: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    # An interrupted sweep terminates its workers: they remove what is half done.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    watch_owner()
    sys.exit(main(sys.argv[1:]))
