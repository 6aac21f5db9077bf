# SPDX-License-Identifier: BSD-3-Clause
"""Options shared by several subcommands: the parser, types of arguments, and their values."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from osgap.base.paths import cache_directory, project_root
from osgap.base.processes import osgap_command
from osgap.base.quoting import quoted
from osgap.cli.number_types import amount, clock, commas, number, positive, whole_number

if TYPE_CHECKING:
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
        raise argparse.ArgumentTypeError(f"found {quoted(text)}; allowed: a path")
    return Path(text)


def name_or_path(text: str) -> str:
    """A type for argparse: the name of one of osgap's configuration files, or a path."""
    return str(as_typed(text))


def name(text: str) -> str:
    """A type for argparse: the name of a file or directory that is not hidden."""
    if not _NAME.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"found {quoted(text)}; allowed: a name of letters, digits, _, - and, inside, dots"
        )
    return text


def grouped_name(text: str) -> str:
    """A type for argparse: a name, or GROUP/NAME."""
    for part in text.split("/", 1):
        name(part)
    return text


def machine(text: str) -> str:
    """A type for argparse: the name of a file below configs/machines."""
    from osgap.machines.inherit import MACHINE_NAME

    if not re.fullmatch(MACHINE_NAME, text):
        raise argparse.ArgumentTypeError(f"found {quoted(text)}; allowed: the name of a machine")
    return text


def add_run(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    """Adds RUN: a run's directory, or one that holds runs."""
    parser.add_argument(
        "run",
        type=as_typed if several else path,
        metavar="RUN",
        nargs="*" if several else None,
        help="a run's directory (results/runs/NAME), or one that holds runs",
    )


def add_output(parser: argparse.ArgumentParser, purpose: str, default: str) -> None:
    """Adds --output DIR, where `purpose`, such as "tables go"."""
    parser.add_argument(
        "--output", type=path, metavar="DIR", help=f"where {purpose} (default: {default})"
    )


def add_layouts(
    parser: argparse.ArgumentParser, effect: str, kind: Callable[[str], Path] = as_typed
) -> None:
    """--layouts DIR, repeatable; `effect` ends the help's sentence."""
    parser.add_argument(
        "--layouts",
        type=kind,
        action="append",
        default=[],
        metavar="DIR",
        help=f"runs of several layouts (repeatable){effect}",
    )


def add_pager(parser: argparse.ArgumentParser) -> None:
    """Adds --no-pager, which the command `osgap` has too."""
    parser.add_argument(
        "--no-pager",
        action="store_true",
        default=argparse.SUPPRESS,
        help="print more than a screen at once (also: OSGAP_PAGER=cat)",
    )


def add_selection(parser: argparse.ArgumentParser) -> None:
    """--mhz and --series: the points for tables over several runs."""
    parser.add_argument(
        "--mhz",
        type=clock,
        action="append",
        default=[],
        metavar="CLOCK",
        help="only this clock in tables over several runs (repeatable)",
    )
    parser.add_argument(
        "--series",
        action="append",
        default=[],
        metavar="NAME",
        help="only this series in them (repeatable): fixed, memory, disk, both",
    )


def add_hardware(parser: argparse.ArgumentParser) -> None:
    """Adds the axes of the hardware: --cpu-mhz and those of memory and disk."""
    from osgap.machines.axes import HARDWARE

    for axis in HARDWARE:
        add_axis(parser, axis)


def add_axis(parser: argparse.ArgumentParser, axis: Axis) -> None:
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

    values = {axis.key: getattr(args, axis.key) for axis in HARDWARE}
    return {key: value for key, value in values.items() if value is not None}


def add_gem5(parser: argparse.ArgumentParser) -> None:
    """Adds --gem5 PATH."""
    parser.add_argument(
        "--gem5",
        type=path,
        metavar="PATH",
        help="the gem5 program (default: $GEM5, else gem5, gem5.fast or gem5.opt on PATH)",
    )


def use_gem5(program: Path | None) -> None:
    """Makes this process and its children use the gem5 `program`, unless it is None."""
    if program is not None:
        from osgap.engines.gem5_program import VARIABLE

        os.environ[VARIABLE] = str(program.resolve())


def add_image(parser: argparse.ArgumentParser) -> None:
    """Adds --image DIR."""
    parser.add_argument(
        "--image",
        type=path,
        metavar="DIR",
        help="the default image's directory (default: build/image of the checkout)",
    )


def image_directory(args: argparse.Namespace) -> Path:
    """The image's directory: --image, or the checkout's."""
    directory: Path | None = args.image
    return (directory or project_root() / "build" / "image").resolve()


def add_host(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the host that runs points, and the limits of a point."""
    add = parser.add_argument
    add_gem5(parser)
    add("--timeout", type=number, metavar="S", help="host seconds that a point may take")
    add(
        "--memory-limit", type=whole_number, metavar="MIB", help="host memory that a point may hold"
    )
    add(
        "--jobs",
        type=positive,
        metavar="N",
        help="points at once (default: as many as the machine has cores and memory for)",
    )
    add(
        "--profile",
        type=name_or_path,
        metavar="NAME",
        help="run on a cluster: a Snakemake profile in configs/profiles, or its directory",
    )
    add(
        "--points-per-job",
        type=positive,
        metavar="N",
        help="with --profile (default: as many as make a job of 15 min)",
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
