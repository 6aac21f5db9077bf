#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fit the paper's machines to its MIPS and copying rates, and write the fit to their files."""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pandas as pd

from osgap.analysis.report import make_console, plain_table
from osgap.calibration.command import calibrate, table_rows, write_fit
from osgap.calibration.fit import SHAPES, target
from osgap.csvfile import write_table
from osgap.errors import OsgapError
from osgap.machine import load_machine
from osgap.paths import cache_directory, project_root
from osgap.reference import load_reference
from osgap.sweep.host import Host

EPILOG = """\
Uses Tables 1 and 5 of the paper and nothing else. Finished rounds are kept and not simulated again.
example: scripts/calibrate.py --engine rvsim paper/M2000 paper/MVAX2
"""


def main() -> int:
    """Returns the exit status: 0, or 2 with one sentence on stderr."""
    root = project_root()
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add(
        "machines", nargs="*", metavar="FOLDER/MACHINE", help="default: all of paper and paper-1989"
    )
    add("--engine", choices=sorted(SHAPES), default="rvsim")
    add("--gem5", metavar="PATH", help="the gem5 program (default: $GEM5, else on PATH)")
    add("--output", type=Path, metavar="DIR", help="default: results/runs/calibration-ENGINE")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="points at once")
    add("--image", type=Path, default=root / "build" / "image", help="directory of the image")
    args = parser.parse_args()
    if args.gem5:
        os.environ["GEM5"] = args.gem5
    output = args.output or root / "results" / "runs" / f"calibration-{args.engine}"
    folder = root / "configs" / "machines"
    console = make_console(sys.stdout)
    try:
        names = args.machines or [
            f"{path.parent.name}/{path.stem}" for path in sorted(folder.glob("paper*/*.toml"))
        ]
        tables = load_reference("ousterhout_tables")
        machines = {name: load_machine(folder / f"{name}.toml") for name in names}
        wanted = {
            name: target(tables, Path(name).name, 1989 if name.startswith("paper-1989/") else 1990)
            for name in names
        }
        host = Host(args.jobs, args.image.resolve(), cache_directory())
        results = calibrate(machines, wanted, args.engine, output, host, console)
        for result in results:
            write_fit(folder / f"{result.machine}.toml", args.engine, result.fit)
        table = pd.DataFrame(table_rows(results))
        write_table(table, output / "calibration.csv")
    except OsgapError as error:
        print(f"calibrate.py: {error}", file=sys.stderr)
        return 2
    console.print(plain_table(table, f"paper and {args.engine}, MIPS and MB/s"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
