#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run benchmarks on simulated machines of varying CPU clock, memory and disk."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rich.console import Console

from osgap import engines, script
from osgap.engines.gem5_program import VARIABLE as GEM5_VARIABLE
from osgap.errors import OsgapError
from osgap.guest import CALLS
from osgap.paths import cache_directory, project_root
from osgap.points.record import FAILED, State
from osgap.sweep import show
from osgap.sweep.command import do_all, go_on, run_sweeps
from osgap.sweep.drive import is_driven
from osgap.sweep.host import Host
from osgap.sweep.profile import find_profile
from osgap.sweep.progress import keys_of, runs_in, survey
from osgap.sweep.spec import Sweep, load_sweep
from osgap.tomlfile import validate

Item = TypeVar("Item")
_ROOT = project_root()
_CLASSES = ",".join(FAILED)


def _list(convert: Callable[[str], Item]) -> Callable[[str], list[Item]]:
    def parse(text: str) -> list[Item]:
        return [convert(part) for part in text.split(",")]

    parse.__name__ = f"comma-separated {convert.__name__}"
    return parse


def _sweep_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="A finished point is never run again: repeat the command to go on after a break. "
        "sweep.py status RUN shows a run, resume RUN goes on with it, retry RUN --failed runs what "
        "failed again; each has --help. "
        "Exit status: 0 done, 2 bad input or failed points (finished ones are kept).",
    )
    add = parser.add_argument
    add("--sweep", type=Path, help="a sweep file, e.g. configs/sweeps/default.toml; axes given "
        "beside it replace its own")  # fmt: skip
    add("--machine", type=_list(str), metavar="NAME,...", help="machine files in configs/machines "
        "(default: base); several make a run each, below the run's directory")  # fmt: skip
    add("--variant", type=_list(str), metavar="NAME,...", help="image variants in "
        "disk-images/variants (default: default, which is none); several make a run each"
        )  # fmt: skip
    add("--calls", type=_list(str), metavar="HOW,...", help="how system calls are made: "
        f"{', '.join(CALLS)} (default: {CALLS[0]}); several make a run each")  # fmt: skip
    add("--cpu-mhz", type=_list(float), metavar="MHZ,...", help="CPU clocks (default: "
        "the machine's own)")  # fmt: skip
    add("--memory", type=_list(str), metavar="fixed,scaled", help="does memory follow the clock")
    add("--disk", type=_list(str), metavar="fixed,scaled", help="does the disk follow the clock")
    add("--fs", type=_list(str), metavar="unix,sprite", help="file systems: synchronous, delayed")
    add("--run", type=_list(str), metavar="NAME,...", help="suites or SUITE/BENCHMARK")
    add("--seeds", type=_list(int), metavar="N,...", help="perturbed starts (0: none)")
    add("--engine", help=f"one of: {', '.join(engines.names())} (default: rvsim)")
    add("--name", help="the run's name under results/runs (default: the sweep file's, or cli)")
    add("--output", type=Path, metavar="DIR", help="the run directory itself, instead of --name")
    add("--machines", type=Path, default=_ROOT / "configs" / "machines", help=argparse.SUPPRESS)
    _add_host(parser)
    return parser


def _add_host(parser: argparse.ArgumentParser) -> None:
    """What points run on, and their limits."""
    add = parser.add_argument
    add("--gem5", type=Path, metavar="PATH", help="the gem5 program, for --engine gem5 (default: "
        "$GEM5, else gem5, gem5.fast or gem5.opt on PATH)")  # fmt: skip
    add("--timeout", type=float, metavar="S", help="host seconds that a point may take")
    add("--memory-limit", type=int, metavar="MIB", help="host memory that a point may hold")
    add("--jobs", type=int, metavar="N", help="points at once (default: as many as the machine has "
        "cores and memory for)")  # fmt: skip
    add("--profile", metavar="NAME", help="run on a cluster: a Snakemake profile in "
        "configs/profiles, or its directory")  # fmt: skip
    add("--points-per-job", type=int, metavar="N", help="with --profile (default: as many as make "
        "a job of 15 min)")  # fmt: skip
    add("--image", type=Path, default=_ROOT / "build" / "image", help="directory of the "
        "default image")  # fmt: skip


def _status_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sweep.py status", description="Show how far a run is: every point's state, the time "
        "left, what failed and why, and the slowest points.",
    )  # fmt: skip
    add = parser.add_argument
    add("run", type=Path, metavar="RUN", help="a run directory, or a directory of several")
    add("--json", action="store_true", help="for programs: one object, or a list of them")
    add("--watch", action="store_true", help="show it again every second while a sweep is on it")
    return parser


def _again_parser(retry: bool) -> argparse.ArgumentParser:
    name, what = ("retry", "Run failed points again") if retry else ("resume", "Go on with a run")
    parser = argparse.ArgumentParser(
        prog=f"sweep.py {name}", description=f"{what}, from what its directory holds: the plan, "
        "the image and the machines as they were.",
    )  # fmt: skip
    parser.add_argument("run", type=Path, metavar="RUN", help="a run directory, or one of several")
    if retry:
        parser.add_argument(
            "--failed", nargs="?", const=_CLASSES, required=True, type=str, metavar="CLASS,...",
            help=f"which: any of {_CLASSES} (default: all of them)",
        )  # fmt: skip
    _add_host(parser)
    return parser


def _sweep(args: argparse.Namespace) -> Sweep:
    """The sweep file's sweep with the command line's axes in place of its own."""
    base = {"description": "from the command line", "machine": "base"}
    data = load_sweep(args.sweep).model_dump() if args.sweep else base
    given = {
        "machine": args.machine, "clock_mhz": args.cpu_mhz, "memory": args.memory,
        "disk": args.disk, "fs": args.fs, "run": args.run, "seeds": args.seeds,
        "engine": args.engine, "variant": args.variant, "calls": args.calls, **_limits(args),
    }  # fmt: skip
    data.update({key: value for key, value in given.items() if value is not None})
    return validate(data, Sweep, "command line")


def _limits(args: argparse.Namespace) -> dict[str, float | int]:
    limits = {"timeout_s": args.timeout, "memory_limit_mib": args.memory_limit}
    return {key: value for key, value in limits.items() if value is not None}


def _host(args: argparse.Namespace, again: tuple[str, ...]) -> Host:
    if args.gem5:
        # The points' own processes inherit it.
        os.environ[GEM5_VARIABLE] = str(args.gem5.resolve())
    for name in ("jobs", "points_per_job"):
        value = getattr(args, name)
        if value is not None and value < 1:
            raise OsgapError(f"--{name.replace('_', '-')}: found {value}; allowed: 1 or more")
    if args.profile and args.jobs:
        raise OsgapError("--jobs: found beside --profile, whose own `jobs` counts")
    if args.points_per_job and not args.profile:
        raise OsgapError("--points-per-job: found without --profile, whose jobs it is about")
    profile = find_profile(args.profile, _ROOT / "configs" / "profiles") if args.profile else None
    return Host(
        args.jobs, args.image.resolve(), cache_directory(), profile, args.points_per_job,
        tuple(sys.argv), again,
    )  # fmt: skip


def _run(arguments: list[str], console: Console) -> None:
    args = _sweep_parser().parse_args(arguments)
    sweep = _sweep(args)
    name = args.name or (args.sweep.stem if args.sweep else "cli")
    run = args.output or _ROOT / "results" / "runs" / name
    again = (sys.executable, *sys.argv)
    run_sweeps(sweep, run.resolve(), args.machines, _host(args, again), console)
    console.print(f"finished: {run}", highlight=False)


def _again(arguments: list[str], console: Console, retry: bool) -> None:
    args = _again_parser(retry).parse_args(arguments)
    states = set(State) - {State.DONE}
    if retry:
        states = {_failed_state(word) for word in args.failed.split(",")}
    # Limits are kept in the plan, so that this goes on with all that was asked for.
    profile = ("--profile", args.profile) if args.profile else ()
    again = (sys.executable, sys.argv[0], "resume", str(args.run), *profile)
    host = _host(args, again)
    limits = _limits(args)
    validate({"description": "x", "machine": "base", **limits}, Sweep, "command line")
    runs = runs_in(args.run.resolve())
    do_all([partial(go_on, run, sorted(states), host, console, limits) for run in runs])


def _failed_state(word: str) -> State:
    if word not in FAILED:
        raise OsgapError(f"--failed: found {word!r}; allowed: {', '.join(FAILED)}")
    return State(word)


def _status(arguments: list[str], console: Console) -> None:
    args = _status_parser().parse_args(arguments)
    runs = [(run, keys_of(run)) for run in runs_in(args.run.resolve())]
    if args.watch and args.json:
        raise OsgapError("--watch: found beside --json; allowed: one of them")
    if args.watch:
        show.watch(lambda: [survey(run, keys) for run, keys in runs], is_driven, console)
        return
    seen = [survey(run, keys) for run, keys in runs]
    if args.json:
        told = [show.as_json(one) for one in seen]
        print(json.dumps(told[0] if len(told) == 1 else told, indent=1))
        return
    for one in seen:
        console.print(show.page(one))


def _command() -> int:
    console = show.console()
    command, rest = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    if command == "status":
        _status(rest, console)
    elif command in ("resume", "retry"):
        _again(rest, console, command == "retry")
    else:
        _run(sys.argv[1:], console)
    return 0


def main() -> int:
    """Parses the arguments and runs the command."""
    return script.run("sweep.py", _command, "interrupted; repeat the command to go on")


if __name__ == "__main__":
    sys.exit(main())
