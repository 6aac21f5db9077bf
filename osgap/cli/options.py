# SPDX-License-Identifier: BSD-3-Clause
"""Options shared by several subcommands: the parser, types of arguments, and their values."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from osgap.base.output import print_line
from osgap.base.paths import cache_directory, project_root
from osgap.base.processes import osgap_command
from osgap.base.progress import say
from osgap.cli.number_types import amount, clock, commas, number, positive, refusal, whole_number
from osgap.cli.parsing import Parser

if TYPE_CHECKING:
    from rich.console import Console

    from osgap.machines.axes import Axis
    from osgap.sweep.host import Host

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*")

HOST_APART = {"--profile": ("--jobs",)}
HOST_NEEDS = {"--points-per-job": "--profile"}
"""The pairs of `add_host`'s options for `osgap.cli.option_errors`."""


def path(text: str) -> Path:
    """A type for argparse: a path, made absolute for processes with another current directory."""
    return as_typed(text).absolute()


def paths(text: str) -> list[Path]:
    """A type for argparse: paths with commas between them, made absolute."""
    return [path(part) for part in text.split(",")]


def as_typed(text: str) -> Path:
    """A type for argparse: a path that messages show as it was typed."""
    if not text or "\0" in text:
        raise refusal(text, "a path")
    return Path(text)


def name_or_path(text: str) -> str:
    """A type for argparse: the name of one of osgap's configuration files, or a path."""
    return str(as_typed(text))


def name(text: str) -> str:
    """A type for argparse: the name of a file or directory that is not hidden."""
    if not _NAME.fullmatch(text):
        raise refusal(text, "a name of letters, digits, _, - and, inside, dots")
    return text


def grouped_name(text: str) -> str:
    """A type for argparse: a name, or GROUP/NAME, where GROUP may have groups in it."""
    for part in text.split("/"):
        name(part)
    return text


def machine(text: str) -> str:
    """A type for argparse: the name of a file below configs/machines."""
    from osgap.machines.inherit import MACHINE_NAME

    if not re.fullmatch(MACHINE_NAME, text):
        raise refusal(text, "the name of a machine")
    return text


def add_run(parser: Parser, *, several: bool = False) -> None:
    """Adds RUN: a run's directory, or one that holds runs."""
    parser.value(
        "run RUN",
        as_typed if several else path,
        "a run's directory (results/runs/NAME), or one that holds runs",
        nargs="*" if several else None,
    )


def add_output(parser: Parser, purpose: str, default: str) -> None:
    """Adds --output DIR, where `purpose`, such as "tables go"."""
    parser.value("--output DIR", path, f"where {purpose} (default: {default})")


def add_format(parser: Parser, *formats: str, text: str = "default: text") -> None:
    """Adds --format, with text as the default and these other formats."""
    parser.add_argument("--format", choices=("text", *formats), default="text", help=text)


def output_directory(args: argparse.Namespace, name: str) -> Path:
    """The directory of --output, else results/runs/NAME of the checkout."""
    directory: Path | None = args.output
    return directory or project_root() / "results" / "runs" / name


def draw_figures(folder: Path, output: Path, show: Callable[[str], object] = print_line) -> None:
    """Draws the figures of `folder` from output/tables; `show` prints each file's path."""
    from osgap.drawing.figure import render_all

    say("Drawing the figures")
    for file in render_all(folder, output):
        show(str(file))


def add_layouts(parser: Parser, effect: str, kind: Callable[[str], Path] = as_typed) -> None:
    """--layouts DIR, repeatable; `effect` ends the help's sentence."""
    parser.repeatable("--layouts DIR", kind, f"runs of several layouts (repeatable){effect}")


def add_pager(parser: Parser) -> None:
    """Adds --no-pager, which the command `osgap` has too."""
    parser.add_argument(
        "--no-pager",
        action="store_true",
        default=argparse.SUPPRESS,
        help="print more than a screen at once (also: OSGAP_PAGER=cat)",
    )


@contextmanager
def paged_console(args: argparse.Namespace) -> Iterator[Console]:
    """A console that shows more than a screen in a pager, unless --no-pager is given."""
    from osgap.base.pager import paged
    from osgap.base.terminal import make_console

    console = make_console()
    with paged(console, enabled=not getattr(args, "no_pager", False)):
        yield console


def add_selection(parser: Parser) -> None:
    """--mhz and --series: the points for tables over several runs."""
    parser.repeatable(
        "--mhz CLOCK", clock, "only this clock in tables over several runs (repeatable)"
    )
    parser.repeatable(
        "--series NAME", str, "only this series in them (repeatable): fixed, memory, disk, both"
    )


def add_hardware(parser: Parser) -> None:
    """Adds the axes of the hardware: --cpu-mhz, and those of memory, disk and network."""
    from osgap.machines.axes import HARDWARE

    for axis in HARDWARE:
        add_axis(parser, axis)


def add_axis(parser: Parser, axis: Axis) -> None:
    """Adds the option of an axis; its values are stored under the axis's key."""
    from osgap.machines.axes import ClockAxis, FigureAxis, StartAxis

    types: list[tuple[type[Axis], Callable[[str], object]]] = [
        (ClockAxis, clock),
        (FigureAxis, amount),
        (StartAxis, whole_number),
    ]
    convert = next((convert for kind, convert in types if isinstance(axis, kind)), str)
    parser.add_argument(
        axis.option, dest=axis.key, type=commas(convert), metavar=axis.metavar, help=axis.text
    )


def hardware(args: argparse.Namespace) -> dict[str, object]:
    """The values given by `add_hardware`'s options, by the axes' keys in a sweep file."""
    from osgap.machines.axes import HARDWARE

    values = {axis.key: getattr(args, axis.key, None) for axis in HARDWARE}
    return {key: value for key, value in values.items() if value is not None}


def add_gem5(parser: Parser) -> None:
    """Adds --gem5 PATH."""
    parser.value(
        "--gem5 PATH",
        path,
        "the gem5 program (default: $GEM5, else gem5, gem5.fast or gem5.opt on PATH)",
    )


def use_gem5(program: Path | None) -> None:
    """Makes this process and its children use the gem5 `program`, unless it is None."""
    if program is not None:
        from osgap.engines.gem5_program import VARIABLE

        os.environ[VARIABLE] = str(program.resolve())


def add_image(parser: Parser) -> None:
    """Adds --image DIR."""
    parser.value(
        "--image DIR", path, "the default image's directory (default: build/image of the checkout)"
    )


def image_directory(args: argparse.Namespace) -> Path:
    """The image's directory: --image, or the checkout's."""
    directory: Path | None = args.image
    return (directory or project_root() / "build" / "image").resolve()


def add_host(parser: Parser) -> None:
    """Adds the options of the host that runs points, and the limits of a point."""
    add_gem5(parser)
    parser.value("--timeout S", number, "host seconds that a point may take")
    parser.value("--memory-limit MIB", whole_number, "host memory that a point may hold")
    parser.value(
        "--jobs N",
        positive,
        "points at once (default: as many as the machine has cores and memory for)",
    )
    parser.value(
        "--profile NAME",
        name_or_path,
        "run on a cluster: a Snakemake profile in configs/profiles, or its directory",
    )
    parser.value(
        "--points-per-job N", positive, "with --profile (default: as many as make a job of 15 min)"
    )
    add_image(parser)


def of_host(args: argparse.Namespace) -> list[str]:
    """The given ones of the options that need a gem5 or an image."""
    return [f"--{name}" for name in ("gem5", "image") if getattr(args, name)]


def limits(args: argparse.Namespace) -> dict[str, float | int]:
    """The limits on the command line, by their keys in a sweep file."""
    values = {"timeout_s": args.timeout, "memory_limit_mib": args.memory_limit}
    return {key: value for key, value in values.items() if value is not None}


def command_line(words: Sequence[str]) -> tuple[str, ...]:
    """The command line that runs `osgap` with these words, for users to repeat."""
    installed = Path(sys.executable).with_name("osgap")
    program = [str(installed)] if installed.is_file() else osgap_command("osgap")
    return (*program, *words)


def host(args: argparse.Namespace, again: Sequence[str]) -> Host:
    """The host that `add_host`'s options describe. Raises OsgapError.

    `again` are the words of the command that goes on after an interruption.
    """
    from osgap.sweep.host import Host
    from osgap.sweep.profile import find_profile

    use_gem5(args.gem5)
    profiles = project_root() / "configs" / "profiles"
    profile = find_profile(args.profile, profiles) if args.profile else None
    return Host(
        args.jobs,
        image_directory(args),
        cache_directory(),
        profile,
        args.points_per_job,
        # Without the path of the installed program, which run.json should not publish.
        ("osgap", *args.words),
        command_line(again),
    )
