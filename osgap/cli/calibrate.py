# SPDX-License-Identifier: BSD-3-Clause
"""`osgap calibrate`: fits the paper's machines to its MIPS and copying rates."""

from __future__ import annotations

import argparse
from pathlib import Path

from osgap.base.paths import cache_directory, project_root
from osgap.cli import number_types, options
from osgap.cli.parsing import Parser

HELP = "fit the paper's machines to its MIPS and copying rates, and write the fit to their files"
EPILOG = """\
Uses Tables 1 and 5 of the paper and nothing else. Finished rounds are kept and not simulated again.
example: osgap calibrate --engine rvsim paper/M2000 paper/MVAX2
"""

NEEDS = {"--pipelined": "--engine gem5", "--gem5": "--engine gem5"}


def add_arguments(parser: Parser) -> None:
    """Adds the machines, the engine and the host."""
    parser.value(
        "machines FOLDER/MACHINE", options.machine, "default: all of paper, paper-1989", nargs="*"
    )
    parser.add_argument(
        "--engine", choices=("gem5", "rvsim"), default="rvsim", help="default: rvsim"
    )
    parser.switch(
        "--pipelined",
        "with gem5's MinorCPU in place of the machines' own core, as folder period is fitted",
    )
    options.add_gem5(parser)
    options.add_output(parser, "the rounds' runs stay", "results/runs/calibration-ENGINE")
    parser.value("--jobs N", number_types.positive, "points at once (default: all cores)")
    options.add_image(parser)


def command(args: argparse.Namespace) -> int:
    """Simulates until each machine fits, and writes its file. Raises OsgapError."""
    import pandas as pd

    from osgap.analysis.reference import load_reference
    from osgap.base.terminal import make_console
    from osgap.drawing.frame_table import frame_table
    from osgap.machines.machine import load_machine
    from osgap.rundir.csvfile import write_table
    from osgap.suites.ousterhout.calibration.calibrate import calibrate, table_rows, write_fit
    from osgap.suites.ousterhout.calibration.fit import target
    from osgap.suites.ousterhout.published import source_of
    from osgap.sweep.host import Host, SweepContext, cores

    options.use_gem5(args.gem5)
    folder = project_root() / "configs" / "machines"
    output = options.output_directory(args, f"calibration-{args.engine}")
    files = sorted(folder.glob("paper*/*.toml"))
    names = args.machines or [f"{file.parent.name}/{file.stem}" for file in files]
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
