# SPDX-License-Identifier: BSD-3-Clause
"""The worker, `start.py osgap.points NUMBER` in a run directory: runs the points of that job."""

from __future__ import annotations

import sys
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.base.output import print_error
from osgap.base.signals import END_SIGNALS, raise_once, set_handlers
from osgap.points import environment
from osgap.points.jobs import read_jobs
from osgap.points.record import State
from osgap.points.supervise import Stopped, supervise


def main(number: int) -> int:
    """Runs the job's points in order. The exit status: 2 if a point failed, 130 if stopped."""
    run = Path()  # relative paths lead to the run directory even after it was renamed
    jobs = read_jobs(run)
    failed = 0
    for key in jobs.bundles[number]:
        try:
            state = supervise(run, key, jobs)
            failed += state is not State.DONE
        except Stopped:
            return 130
        except (OsgapError, OSError) as error:
            print_error(f"point {key}: {error}")
            failed += 1
    return 2 if failed else 0


if __name__ == "__main__":
    environment.settle(Path(), int(sys.argv[1]))
    set_handlers(dict.fromkeys(END_SIGNALS, raise_once(Stopped)))
    sys.exit(main(int(sys.argv[1])))
