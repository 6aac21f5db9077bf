# SPDX-License-Identifier: BSD-3-Clause
"""`osgap calibrate`: fits the paper's machines to its MIPS and copying rates."""

from __future__ import annotations

import argparse
from pathlib import Path

from osgap.cli import number_types, options

HELP = "fit the paper's machines to its MIPS and copying rates, and write the fit to their files"
EPILOG = """\
Uses Tables 1 and 5 of the paper and nothing else. Finished rounds are kept and not simulated again.
example: osgap calibrate --engine rvsim paper/M2000 paper/MVAX2
"""

NEEDS = {"--pipelined": "--engine gem5", "--gem5": "--engine gem5"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the machines, the engine and the host."""
    add = parser.add_argument
    add(
        "machines",
        nargs="*",
        type=options.machine,
        metavar="FOLDER/MACHINE",
        help="default: all of paper, paper-1989",
    )
    add("--engine", choices=("gem5", "rvsim"), default="rvsim", help="default: rvsim")
    add(
        "--pipelined",
        action="store_true",
        help="with gem5's MinorCPU in place of the machines' own core, as folder period is fitted",
    )
    options.add_gem5(parser)
    options.add_output(parser, "the rounds' runs stay", "results/runs/calibration-ENGINE")
    add(
        "--jobs",
        type=number_types.positive,
        metavar="N",
        help="points at once (default: all cores)",
    )
    options.add_image(parser)


def command(args: argparse.Namespace) -> int:
    """Simulates until each machine fits, and writes its file. Raises OsgapError."""
    import pandas as pd

    from osgap.analysis.reference import load_reference
    from osgap.base.paths import cache_directory, project_root
    from osgap.base.terminal import make_console
    from osgap.drawing.frame_table import frame_table
    from osgap.machines.machine import load_machine
    from osgap.rundir.csvfile import write_table
    from osgap.suites.ousterhout.calibration.calibrate import calibrate, table_rows, write_fit
    from osgap.suites.ousterhout.calibration.fit import target
    from osgap.suites.ousterhout.published import source_of
    from osgap.sweep.host import Host, SweepContext, cores

    options.use_gem5(args.gem5)
    root = project_root()
    folder = root / "configs" / "machines"
    output = args.output or root / "results" / "runs" / f"calibration-{args.engine}"
    names = args.machines or _machine_names(folder)
    published = load_reference("ousterhout_tables")
    machines = {name: load_machine(folder / f"{name}.toml") for name in names}
    goals = {name: target(published, Path(name).name, source_of(name)) for name in names}
    host = Host(args.jobs or cores(), options.image_directory(args), cache_directory())
    console = make_console()
    context = SweepContext(output, host, console)
    results = calibrate(machines, goals, args.engine, context, pipelined=args.pipelined)
    for result in results:
        write_fit(folder / f"{result.machine}.toml", args.engine, result.fit)
    table = pd.DataFrame(table_rows(results))
    write_table(table, output / "calibration.csv")
    console.print(frame_table(table, f"paper and {args.engine}, MIPS and MB/s"))
    return 0


def _machine_names(folder: Path) -> list[str]:
    return [f"{path.parent.name}/{path.stem}" for path in sorted(folder.glob("paper*/*.toml"))]
