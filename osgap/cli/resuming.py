# SPDX-License-Identifier: BSD-3-Clause
"""The common part of `osgap resume` and `osgap retry`: go on with runs from their directories."""

from __future__ import annotations

import argparse
from collections.abc import Collection

from osgap.base.errors import OsgapError
from osgap.cli import options

EPILOG = "The plan, the image and the machines are those in the run's directory."


def resume_runs(args: argparse.Namespace, states: Collection[str]) -> int:
    """Runs the points of args.run that are in `states`. Raises OsgapError."""
    from osgap.base.terminal import make_console
    from osgap.points.record import State
    from osgap.rundir import manifest
    from osgap.rundir.directory import run_directories
    from osgap.sweep.host import SweepContext
    from osgap.sweep.run import resume_each
    from osgap.sweep.spec import check_limits

    # The command that goes on needs no limits: the plan keeps them.
    profile = ("--profile", args.profile) if args.profile else ()
    host = options.host(args, ["resume", str(args.run), *profile])
    limits = options.limits(args)
    check_limits(limits)
    chosen = sorted(State(state) for state in states)
    console = make_console()
    runs = run_directories([args.run])
    for run in runs if args.image else ():
        if (run / "inputs" / "image").is_dir():
            raise OsgapError(f"--image: found with {run}, which has its image; allowed: without it")
    engines = {str(manifest.read(run).sweep.get("engine", "gem5")) for run in runs}
    if args.gem5 and "gem5" not in engines:
        raise OsgapError(f"--gem5: found with {args.run}, whose engine is {', '.join(engines)}")
    contexts = [SweepContext(run, host, console) for run in runs]
    resume_each(contexts, chosen, limits)
    return 0
