# SPDX-License-Identifier: BSD-3-Clause
"""`osgap kernel-ab`: tell whether a patch makes the guest's kernel faster or slower."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from osgap.base.paths import cache_directory, project_root
from osgap.cli import number_types, options
from osgap.cli.option_errors import check_sweep_names
from osgap.cli.parsing import Parser

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

    from osgap.kernels.comparison import KernelComparison
    from osgap.kernels.plan import KernelPlan
    from osgap.sweep.host import Host
    from osgap.sweep.spec import SweepFile

HELP = "tell whether a patch makes the kernel faster or slower, by more than code layout does"
EPILOG = """\
CHANGE is one or more patches (git format-patch, diff -u), or a Linux source tree. Both kernels are
linked in several layouts: the same code and data in another order in memory. A row differs if the
pairs of layouts together say so. Without CHANGE the kernel is compared with itself in other
layouts: whatever differs then is a false alarm. Repeat the command to go on after a break.
examples: osgap kernel-ab disk-images/kernel/examples/longer-getpid.patch --dry-run
          osgap kernel-ab my.patch --machine boards/visionfive2 --run ousterhout/getpid --layouts 3
          osgap kernel-ab my.patch --base ~/linux
"""
_LAYOUTS = 5


def add_arguments(parser: Parser) -> None:
    """Adds the change, the base, the rows, the layouts and the options of the host."""
    names = number_types.commas(str)
    parser.value(
        "change CHANGE", options.path, "patches in their order, or one source tree", nargs="*"
    )
    parser.value(
        "--base PATH,...",
        options.paths,
        "the kernel to compare with: a source tree, or patches; CHANGE's patches are put on it "
        "(default: the default image's kernel)",
    )
    parser.value(
        "--variant NAME",
        str,
        "the image variant in disk-images/variants whose options both kernels have",
    )
    parser.value("--machine NAME,...", names, "machine files in configs/machines (default: base)")
    parser.value(
        "--cpu-mhz MHZ,...",
        number_types.commas(number_types.clock),
        "CPU clocks (default: the machine's own)",
    )
    parser.value(
        "--run NAME,...", names, "suites or SUITE/BENCHMARK (default: the sweep kernel-ab's)"
    )
    parser.value(
        "--layouts N", number_types.positive, f"layouts of each kernel (default: {_LAYOUTS})"
    )
    parser.value("--engine NAME", str, "the simulator (default: rvsim)")
    parser.switch("--dry-run", "only show the cost, and the smallest difference that is detected")
    options.add_output(parser, "runs, tables and the page go", "results/runs/kernel-ab-CHANGE")
    options.add_gem5(parser)
    parser.value(
        "--jobs N",
        number_types.positive,
        "points at once (default: as many as the machine has cores and memory for)",
    )


def command(args: argparse.Namespace) -> int:
    """Shows the plan; builds, runs, judges; writes the tables and the page. Raises OsgapError."""
    from osgap.base.terminal import make_console
    from osgap.kernels.comparison import RUNS, sweep_of
    from osgap.kernels.plan import lines, make_plan
    from osgap.kernels.results import result_tables
    from osgap.report.document import check_installed
    from osgap.rundir.output import claim
    from osgap.sweep.host import SweepContext
    from osgap.sweep.run import run_sweeps

    check_sweep_names(args.machine, args.variant and [args.variant], args.engine)
    check_installed()
    comparison = _comparison(args)
    sweep = sweep_of(comparison, _values(args))
    output = options.output_directory(args, f"kernel-ab-{comparison.stem}")
    host, console, runs = _host(args), make_console(), project_root() / "results" / "runs"
    at_once = host.points_at_once(sweep.memory_limit_mib)
    plan = make_plan(comparison, sweep, output, runs, at_once)
    for line in lines(plan, comparison):
        console.print(line, soft_wrap=True)
    if args.dry_run:
        _show_resolution(console, sweep, plan)
        return 0
    _build(comparison, sweep)
    claimed = claim(output)
    machines = project_root() / "configs" / "machines"
    run_sweeps(sweep, machines, SweepContext(claimed / RUNS, host, console))
    plan = make_plan(comparison, sweep, claimed, runs, at_once)
    tables = result_tables(comparison, claimed, plan.pair_s, at_once)
    _show(console, comparison, tables, claimed, ("osgap", *args.words))
    return 0


def _comparison(args: argparse.Namespace) -> KernelComparison:
    """The comparison that the command line asks for. Raises OsgapError."""
    from osgap.kernels.change import apply_change, read_change
    from osgap.kernels.comparison import make_comparison

    extends = args.variant or "default"
    base = read_change(args.base or [], extends, "--base")
    change = read_change(args.change, extends, "CHANGE") if args.change else None
    changed = apply_change(base, change) if change else None
    return make_comparison(base, changed, args.layouts or _LAYOUTS)


def _values(args: argparse.Namespace) -> dict[str, object]:
    """The sweep's values that the command line gives, by their keys in a sweep file."""
    values = {
        "machine": args.machine,
        "clock_mhz": args.cpu_mhz,
        "run": args.run,
        "engine": args.engine,
    }
    return {key: value for key, value in values.items() if value is not None}


def _host(args: argparse.Namespace) -> Host:
    from osgap.sweep.host import Host

    options.use_gem5(args.gem5)
    return Host(
        args.jobs,
        project_root() / "build" / "image",
        cache_directory(),
        command=("osgap", *args.words),
        again=options.command_line(args.words),
    )


def _build(comparison: KernelComparison, sweep: SweepFile) -> None:
    """Builds the images of both kernels, unless the engine boots none. Raises OsgapError."""
    from osgap import engines
    from osgap.image.scons import ensure_packages, scons

    if engines.load(sweep.engine).boots_image:
        ensure_packages(["python", "study"])
        comparison.write_recipes()
        scons("image", f"variant={','.join(comparison.variants)}")


def _show_resolution(console: Console, sweep: SweepFile, plan: KernelPlan) -> None:
    """Prints the smallest differences that are detected, by a committed comparison's spread."""
    from osgap.drawing.frame_table import frame_table
    from osgap.kernels.committed import committed_resolution
    from osgap.kernels.resolution import KERNEL_AB_RESOLUTION

    rows = committed_resolution(sweep, plan.pair_s, plan.at_once)
    if len(rows):
        console.print(
            "By how far apart the pairs of a patch are that only moves code "
            "(results/locked/kernels/longer-panic):",
            soft_wrap=True,
        )
        console.print(frame_table(rows, KERNEL_AB_RESOLUTION.text, KERNEL_AB_RESOLUTION.columns))


def _show(
    console: Console,
    comparison: KernelComparison,
    tables: Mapping[str, pd.DataFrame],
    output: Path,
    words: Sequence[str],
) -> None:
    """Prints the verdict and both tables; writes the tables and the page."""
    from osgap.analysis.tables import write_tables
    from osgap.base.output import print_line
    from osgap.drawing.frame_table import frame_table
    from osgap.kernels.alarms import KERNEL_AB_ALARMS
    from osgap.kernels.judgement import KERNEL_AB
    from osgap.kernels.page import NAME, build_page
    from osgap.kernels.resolution import KERNEL_AB_RESOLUTION
    from osgap.kernels.sentences import printed_rows, sentences
    from osgap.report import target
    from osgap.report.document import html, library

    rows = tables[KERNEL_AB.name]
    lines = list(sentences(rows, comparison))
    for line in lines:
        console.print(line, soft_wrap=True)
    console.print(frame_table(printed_rows(rows), KERNEL_AB.text, KERNEL_AB.columns))
    for table in (KERNEL_AB_RESOLUTION, KERNEL_AB_ALARMS):
        if table.name in tables:
            console.print(frame_table(tables[table.name], table.text, table.columns))
    write_tables(tables, output / "tables")
    page = build_page(comparison, tables, lines, words)
    target.write(output / NAME, html(page, library()))
    print_line(str(output / NAME))
