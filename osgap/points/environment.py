# SPDX-License-Identifier: BSD-3-Clause
"""The environment of a worker: starts it again with the variables that its engine needs.

The dynamic linker reads LD_PRELOAD only when a program starts.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.base.processes import environment, osgap_command
from osgap.engines import load
from osgap.points.jobs import read_jobs
from osgap.points.planned import read_plan

SETTLED = "OSGAP_WORKER_VARIABLES"
"""Names of the variables with which a worker was started again, with commas between them."""


def settle(run: Path, number: int) -> None:
    """Starts this process, the worker of job `number`, again if its engine needs variables.

    After that it removes them, so that no process of the worker's inherits them.
    """
    if (names := os.environ.pop(SETTLED, None)) is not None:
        for name in names.split(","):
            os.environ.pop(name, None)
        return
    needed = _needed(run, number)
    if not needed:
        return
    command = osgap_command("osgap.points", str(number))
    os.execve(command[0], command, environment({**needed, SETTLED: ",".join(needed)}))


def _needed(run: Path, number: int) -> Mapping[str, str]:
    """Returns the variables that the engine of the job's first point needs.

    All points of a run have one engine. A damaged plan is reported later, as each point's failure.
    """
    try:
        jobs = read_jobs(run)
        # A simulator's build is in the sweep's cache; Snakemake's variables name another.
        os.environ["OSGAP_CACHE"] = jobs.cache
        return load(read_plan(run, jobs.bundles[number][0]).engine).environment()
    except (OsgapError, IndexError):
        return {}
