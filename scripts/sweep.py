#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run benchmarks on simulated machines of varying CPU clock, memory and disk."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rich.console import Console

from osgap import engines
from osgap.engines.gem5_program import VARIABLE as GEM5_VARIABLE
from osgap.errors import OsgapError
from osgap.paths import cache_directory, project_root
from osgap.sweep.command import run_sweeps
from osgap.sweep.drive import Host
from osgap.sweep.spec import Sweep, load_sweep
from osgap.tomlfile import validate

Item = TypeVar("Item")


def _list(convert: Callable[[str], Item]) -> Callable[[str], list[Item]]:
    def parse(text: str) -> list[Item]:
        return [convert(part) for part in text.split(",")]

    parse.__name__ = f"comma-separated {convert.__name__}"
    return parse


def _arguments(root: Path) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="A finished point is never run again: repeat the command to go on after a break. "
        "Exit status: 0 done, 2 bad input or failed points (finished ones are kept).",
    )
    add = parser.add_argument
    add("--sweep", type=Path, help="a sweep file, e.g. configs/sweeps/default.toml; axes given "
        "beside it replace its own")  # fmt: skip
    add("--machine", type=_list(str), metavar="NAME,...", help="machine files in configs/machines "
        "(default: base); several make a run each, below the run's directory")  # fmt: skip
    add("--cpu-mhz", type=_list(float), metavar="MHZ,...", help="CPU clocks (default: "
        "the machine's own)")  # fmt: skip
    add("--memory", type=_list(str), metavar="fixed,scaled", help="does memory follow the clock")
    add("--disk", type=_list(str), metavar="fixed,scaled", help="does the disk follow the clock")
    add("--fs", type=_list(str), metavar="unix,sprite", help="file systems: synchronous, delayed")
    add("--run", type=_list(str), metavar="NAME,...", help="suites or SUITE/BENCHMARK")
    add("--seeds", type=_list(int), metavar="N,...", help="perturbed starts (0: none)")
    add("--engine", help=f"one of: {', '.join(engines.names())} (default: rvsim)")
    add("--gem5", type=Path, metavar="PATH", help="the gem5 program, for --engine gem5 (default: "
        "$GEM5, else gem5, gem5.fast or gem5.opt on PATH)")  # fmt: skip
    add("--timeout", type=float, metavar="S", help="host seconds that a point may take")
    add("--name", help="the run's name under results/runs (default: the sweep file's, or cli)")
    add("--output", type=Path, metavar="DIR", help="the run directory itself, instead of --name")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="points at once (default: all cores)")
    add("--image", type=Path, default=root / "build" / "image", help="directory of the image")
    add("--machines", type=Path, default=root / "configs" / "machines", help=argparse.SUPPRESS)
    return parser


def _sweep(args: argparse.Namespace) -> Sweep:
    """The sweep file's sweep with the command line's axes in place of its own."""
    base = {"description": "from the command line", "machine": "base"}
    data = load_sweep(args.sweep).model_dump() if args.sweep else base
    given = {
        "machine": args.machine, "clock_mhz": args.cpu_mhz, "memory": args.memory,
        "disk": args.disk, "fs": args.fs, "run": args.run, "seeds": args.seeds,
        "engine": args.engine, "timeout_s": args.timeout,
    }  # fmt: skip
    data.update({key: value for key, value in given.items() if value is not None})
    return validate(data, Sweep, "command line")


def main() -> int:
    """Parses the arguments and runs the sweep."""
    root = project_root()
    args = _arguments(root).parse_args()
    console = Console()
    if args.gem5:
        # The points' own processes inherit it.
        os.environ[GEM5_VARIABLE] = str(args.gem5.resolve())
    try:
        sweep = _sweep(args)
        name = args.name or (args.sweep.stem if args.sweep else "cli")
        run = args.output or root / "results" / "runs" / name
        host = Host(max(1, args.jobs), args.image.resolve(), cache_directory())
        run_sweeps(sweep, run.resolve(), args.machines, host, console)
    except OsgapError as error:
        print(f"sweep.py: {error}", file=sys.stderr)
        return 2
    console.print(f"finished: {run}", highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
