# SPDX-License-Identifier: BSD-3-Clause
"""`osgap sweep`: run benchmarks on simulated machines of varying clock, memory and disk."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from osgap.base.paths import project_root
from osgap.cli import number_types, options
from osgap.cli.option_errors import check_sweep_names, named_options
from osgap.cli.parsing import Parser

if TYPE_CHECKING:
    from osgap.rundir.manifest import Aim

HELP = "run benchmarks on simulated machines of varying CPU clock, memory and disk"
EPILOG = """\
A finished point is never run again: repeat the command to go on after a break.
`osgap list machines|benchmarks|sweeps|variants|engines` shows what there is.
Exit status: 0 done, 2 bad input or failed points (finished ones are kept).
"""

APART = {"--output": ("--name",), **options.HOST_APART}
NEEDS = {"--tolerance": "--predict", "--budget": "--tolerance", **options.HOST_NEEDS}


def add_arguments(parser: Parser) -> None:
    """Adds the axes, the output directory, the prediction and the options of the host."""
    _add_axes(parser)
    parser.value(
        "--name NAME",
        options.name,
        "the run's name under results/runs (default: the sweep's, or cli)",
    )
    parser.value("--output DIR", options.path, "the run directory itself, instead of --name")
    parser.add_argument("--machines", type=options.path, help=argparse.SUPPRESS)
    parser.switch(
        "--dry-run",
        "only show the points, the machines and the estimated time, "
        "from finished points on this host",
    )
    parser.switch(
        "--predict",
        "simulate only a few points, and predict the others from them (see osgap predict)",
    )
    parser.value(
        "--tolerance N%",
        number_types.percent,
        "with --predict: simulate more points, the farthest from others first, until "
        "every mean of R is known to within N%% (95 %% interval)",
    )
    parser.value(
        "--budget TIME",
        number_types.duration,
        "with --tolerance: no new points after this long: 90s, 10m, 2h",
    )
    options.add_host(parser)


def _add_axes(parser: Parser) -> None:
    """Adds the sweep file, the axes that make a run for each value, then those of points."""
    from osgap.machines.axes import START

    names = number_types.commas(str)
    parser.value(
        "--sweep NAME",
        options.name_or_path,
        "a sweep of configs/sweeps, or a sweep file; options replace the file's values",
    )
    parser.value(
        "--machine NAME,...",
        names,
        "machine files in configs/machines (default: base); several make a run each, below "
        "the run's directory",
    )
    parser.value(
        "--variant NAME,...",
        names,
        "image variants in disk-images/variants (default: the default image); several make "
        "a run each",
    )
    parser.value(
        "--calls HOW,...",
        names,
        "how system calls are made: direct (the default), patch-first, patch-optimised, "
        "sud-first, sud-optimised; several make a run each",
    )
    options.add_hardware(parser)
    parser.add_argument(
        "--entry",
        choices=("image", "machine"),
        help="the cost of kernel entry: the image's (the default), or the machine file's, with "
        "the image variant period",
    )
    parser.value(
        "--fs unix,sprite",
        names,
        "file systems: synchronous, delayed; on a server: nfs, afs, diskless",
    )
    parser.value("--run NAME,...", names, "suites or SUITE/BENCHMARK")
    _add_programs(parser)
    options.add_axis(parser, START)
    parser.value("--engine NAME", str, "the simulator (default: rvsim)")


def _add_programs(parser: Parser) -> None:
    parser.value(
        "--program PATH,...",
        options.paths,
        "your own programs, each a benchmark: a static RISC-V program, a folder with one, or "
        "a C file",
    )
    parser.repeatable(
        "--args TEXT", str, "the programs' arguments: once for all programs, or once for each"
    )
    parser.repeatable(
        "--pattern NAME=REGEX",
        str,
        "a number in the programs' output, for the table program_numbers (repeatable)",
    )


def command(args: argparse.Namespace) -> int:
    """Runs the sweep, or shows its points. Raises OsgapError."""
    from osgap.base.terminal import make_console
    from osgap.sweep.host import SweepContext
    from osgap.sweep.prepare import prepare_sweep
    from osgap.sweep.run import run_sweeps

    root, console = project_root(), make_console()
    runs, machines = root / "results" / "runs", args.machines or root / "configs" / "machines"
    values = _values(args)
    check_sweep_names(args.machine, args.variant, args.engine, machines)
    with named_options(values):
        sweep = prepare_sweep(args.sweep, values, options.of_host(args), build=not args.dry_run)
    name = args.name or (Path(args.sweep).stem if args.sweep else "cli")
    context = SweepContext(args.output or runs / name, options.host(args, args.words), console)
    aim = _aim(args)
    if args.dry_run:
        from osgap.predict.adaptive import first_points
        from osgap.sweep.estimate import show_plan

        show_plan(sweep, machines, runs, context, first_points if aim else None)
        return 0
    if aim:
        from osgap.predict.adaptive import Folders, run_predicted
        from osgap.predict.borrowed_errors import committed_prior

        run_predicted(sweep, Folders(machines, committed_prior()), aim, context)
    else:
        run_sweeps(sweep, machines, context)
    console.print(f"finished: {context.run}")
    return 0


def _aim(args: argparse.Namespace) -> Aim | None:
    """The aim that --predict and its options give; None without it."""
    from osgap.rundir.manifest import Aim

    return Aim(tolerance=args.tolerance, budget_s=args.budget) if args.predict else None


def _values(args: argparse.Namespace) -> dict[str, object]:
    """The sweep's values that the command line gives, by their keys in a sweep file."""
    values = {
        "machine": args.machine,
        "entry": args.entry,
        "fs": args.fs,
        "run": args.run,
        "seeds": args.seeds,
        "engine": args.engine,
        "variant": args.variant,
        "calls": args.calls,
        "program": args.program and [str(path) for path in args.program],
        "args": args.args,
        "pattern": args.pattern,
        **options.hardware(args),
        **options.limits(args),
    }
    return {key: value for key, value in values.items() if value is not None}
