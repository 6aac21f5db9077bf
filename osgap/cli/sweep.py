# SPDX-License-Identifier: BSD-3-Clause
"""`osgap sweep`: run benchmarks on machines of varying clock, memory and disk."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from osgap.cli import options

if TYPE_CHECKING:
    from osgap.rundir.manifest import Aim
    from osgap.sweep.spec import SweepFile

HELP = "run benchmarks on simulated machines of varying CPU clock, memory and disk"
EPILOG = """\
A finished point is never run again: repeat the command to go on after a break.
`osgap list machines|benchmarks|sweeps|variants|engines` shows what there is.
Exit status: 0 done, 2 bad input or failed points (finished ones are kept).
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The axes, where results go, and what points run on."""
    _add_axes(parser)
    add = parser.add_argument
    add(
        "--name",
        type=options.name,
        help="the run's name under results/runs (default: the sweep's, or cli)",
    )
    add(
        "--output",
        type=options.path,
        metavar="DIR",
        help="the run directory itself, instead of --name",
    )
    add("--machines", type=options.path, help=argparse.SUPPRESS)
    add(
        "--dry-run",
        action="store_true",
        help="only show the points, the machines and an estimate "
        "of the time from finished points on this host",
    )
    add(
        "--predict",
        action="store_true",
        help="simulate only the points that the others follow "
        "from, and predict those (see osgap predict)",
    )
    add(
        "--tolerance",
        type=options.percent,
        metavar="N%%",
        help="with --predict: simulate more "
        "points, the farthest from others first, until every mean of R is within it with 95 %%",
    )
    add(
        "--budget",
        type=options.duration,
        metavar="TIME",
        help="with --tolerance: no new points after this long: 90s, 10m, 2h",
    )
    options.add_host(parser)


def _add_axes(parser: argparse.ArgumentParser) -> None:
    from osgap.machines.axes import START

    add, names = parser.add_argument, options.commas(str)
    add(
        "--sweep",
        type=options.name_or_path,
        metavar="NAME",
        help="a sweep of configs/sweeps, or a sweep file; axes given beside it replace its own",
    )
    add(
        "--machine",
        type=names,
        metavar="NAME,...",
        help="machine files in configs/machines "
        "(default: base); several make a run each, below the run's directory",
    )
    add(
        "--variant",
        type=names,
        metavar="NAME,...",
        help="image variants in disk-images/variants "
        "(default: default, which is none); several make a run each",
    )
    add(
        "--calls",
        type=names,
        metavar="HOW,...",
        help="how system calls are made: direct (the "
        "default), patch-first, patch-optimised, sud-first, sud-optimised; several make a run each",
    )
    options.add_hardware(parser)
    add(
        "--entry",
        choices=("image", "machine"),
        help="what kernel entry costs: as the image has "
        "it (the default), or as the machine file says, with the image variant period",
    )
    add("--fs", type=names, metavar="unix,sprite", help="file systems: synchronous, delayed")
    add("--run", type=names, metavar="NAME,...", help="suites or SUITE/BENCHMARK")
    add(
        "--program",
        type=options.paths,
        metavar="PATH,...",
        help="your own programs, each a "
        "benchmark: a static RISC-V program, a folder with one, or a C file",
    )
    add(
        "--args",
        action="append",
        metavar="TEXT",
        help="what they are started with: once for all, or once for each",
    )
    add(
        "--pattern",
        action="append",
        metavar="NAME=REGEX",
        help="a number in what they print, for the table program_numbers (repeatable)",
    )
    options.add_axis(parser, START)
    add("--engine", metavar="NAME", help="the simulator (default: rvsim)")


def command(args: argparse.Namespace) -> int:
    """Runs the sweep, or shows what it would run. Raises OsgapError."""
    from osgap.base.paths import project_root
    from osgap.base.terminal import make_console
    from osgap.sweep.run import run_sweeps

    root, console = project_root(), make_console()
    sweep = _prepared(_asked(args), args)
    name = args.name or (Path(args.sweep).stem if args.sweep else "cli")
    run = args.output or root / "results" / "runs" / name
    machines = args.machines or root / "configs" / "machines"
    host = options.host(args, args.words)
    aim = _aim(args)
    if args.dry_run:
        from osgap.predict.adaptive import first_points
        from osgap.sweep.estimate import show_plan

        chosen = first_points if aim else None
        show_plan(sweep, run, machines, host, root / "results" / "runs", console, chosen)
        return 0
    if aim:
        from osgap.predict.adaptive import Folders, run_predicted
        from osgap.predict.borrowed_errors import committed_prior

        folders = Folders(machines, committed_prior())
        run_predicted(sweep, run, folders, aim, host, console)
    else:
        run_sweeps(sweep, run, machines, host, console)
    console.print(f"finished: {run}", highlight=False)
    return 0


def _aim(args: argparse.Namespace) -> Aim | None:
    """What --predict asks for; None without it. Raises OsgapError for its options alone."""
    from osgap.base.errors import OsgapError
    from osgap.rundir.manifest import Aim

    if args.tolerance is not None and not args.predict:
        raise OsgapError("--tolerance: found without --predict")
    if args.budget is not None and args.tolerance is None:
        raise OsgapError("--budget: found without --tolerance")
    return Aim(tolerance=args.tolerance, budget_s=args.budget) if args.predict else None


def _asked(args: argparse.Namespace) -> SweepFile:
    """The sweep file's sweep with the command line's axes in place of its own."""
    from osgap.base.config import validate
    from osgap.base.paths import project_root
    from osgap.sweep.programs import ALONE, settled
    from osgap.sweep.spec import SweepFile, find_sweep, load_sweep

    data: dict[str, object] = {"description": "from the command line", "machine": "base"}
    if args.sweep:
        path = find_sweep(args.sweep, project_root() / "configs" / "sweeps")
        data = settled(load_sweep(path).model_dump(exclude_unset=True), path.absolute().parent)
    given = {
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
    data.update({key: value for key, value in given.items() if value is not None})
    if data.get("program"):
        data.setdefault("run", ALONE)
    return validate(data, SweepFile, "command line")


def _prepared(sweep: SweepFile, args: argparse.Namespace) -> SweepFile:
    """The sweep after checks of its benchmarks; its programs in image variants of their own, which
    are built unless the sweep is only to be shown.

    Raises OsgapError.
    """
    from osgap import engines
    from osgap.base.errors import OsgapError
    from osgap.base.paths import project_root
    from osgap.image.benchmarks import benchmarks
    from osgap.image.scons import scons
    from osgap.image.variants import names
    from osgap.sweep.programs import with_programs

    if not sweep.program:
        for key in ("args", "pattern"):
            if getattr(sweep, key):
                raise OsgapError(f"{key}: found without program; allowed: beside it")
        _check_benchmarks(sweep)
        return sweep
    if not engines.load(sweep.engine).boots_image:
        raise OsgapError(f"program: found with the engine {sweep.engine}, which boots no image")
    if args.image:
        raise OsgapError("--image: found beside programs, whose images are built for them")
    known = benchmarks()
    made = with_programs(sweep, names(project_root() / "disk-images" / "variants"), [*known])
    _check_benchmarks(made.model_copy(update={"run": made.run[: -len(sweep.program)]}))
    if not args.dry_run:
        scons("image", f"variant={','.join(made.variant)}")
    return made


def _check_benchmarks(sweep: SweepFile) -> None:
    """Raises OsgapError for a benchmark that the guest would refuse, after minutes, without a hint.

    An engine that boots no image has benchmarks of its own.
    """
    from osgap import engines
    from osgap.base.errors import OsgapError
    from osgap.base.quoting import quoted
    from osgap.base.suggestions import hint
    from osgap.image.benchmarks import benchmarks
    from osgap.sweep.spec import HARTS

    if not engines.load(sweep.engine).boots_image:
        return
    known = benchmarks()
    names = [*dict.fromkeys(name.partition("/")[0] for name in known), *known]
    for name in sweep.run:
        if name.replace(HARTS, "1") not in names:
            raise OsgapError(
                f"there is no benchmark or suite {quoted(name)}; {hint(name, names)}"
                "osgap list benchmarks shows them"
            )
