# SPDX-License-Identifier: BSD-3-Clause
"""`osgap native`: measures this machine and compares it with those of 1990."""

from __future__ import annotations

import argparse
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.base.output import print_line, print_sentence
from osgap.base.quoting import quoted
from osgap.cli import number_types, options
from osgap.cli.parsing import Parser

HELP = "measure this machine, without a simulator, and put it beside the machines of 1990"
EPILOG = """\
Only gcc is needed (scripts/native installs it). A measurement takes a minute (see --seconds). The
benchmarks use a temporary directory in DIR of --scratch. To measure a board: copy the archive of
--bundle there, run its measure.sh (two minutes), copy its output back, and read it here with
--import. docs/guide/boards.md says more.
examples: osgap native
          osgap native --scratch /mnt/disk --name my-laptop
          osgap native --bundle arm64
          osgap native --import board.txt --name raspberry
          osgap native --import board.txt --machine-file configs/machines/boards/my-board.toml
"""

_MEASURING = ("--scratch", "--seconds", "--run", "--cpu")
_RECORDING = ("--import", "--name", "--output", "--machine-file")
APART = {"--bundle": (*_MEASURING, *_RECORDING), "--import": _MEASURING}


def add_arguments(parser: Parser) -> None:
    """Adds the options for a measurement, for a bundle and for the import of its output."""
    parser.value(
        "--scratch DIR",
        options.path,
        "directory for the benchmarks' files (default: build/ of the checkout)",
    )
    parser.value("--name NAME", options.name, "the machine's name (default: its processor's)")
    parser.value(
        "--seconds N",
        number_types.positive,
        "time for building, preparing and all rounds together (default: 60)",
    )
    parser.value(
        "--cpu N",
        number_types.from_zero,
        "the CPU to measure (default: one of the fastest kind of core)",
    )
    parser.value(
        "--run NAME,...",
        number_types.commas(str),
        "suites or SUITE/BENCHMARK (default: ousterhout,mcvoy,byte,checks)",
    )
    parser.value("--bundle riscv64|arm64", str, "only build the archive to copy to another machine")
    parser.value(
        "--import FILE", options.path, "read the output of a bundle's measure.sh", dest="file"
    )
    parser.value(
        "--machine-file FILE",
        options.path,
        "write a machine file of the measured machine, as far as it tells of itself",
    )
    options.add_output(parser, "the run goes", "results/runs/native, native-2 and so on")


def command(args: argparse.Namespace) -> int:
    """Measures, builds a bundle, or imports output. Raises OsgapError."""
    return _record(args) if args.bundle is None else _bundle(args)


def _bundle(args: argparse.Namespace) -> int:
    from osgap.native.bundle import MACHINES
    from osgap.native.session import build_bundle

    if args.bundle not in MACHINES:
        raise OsgapError(f"--bundle: found {quoted(args.bundle)}; allowed: {', '.join(MACHINES)}")
    archive = build_bundle(args.bundle)
    folder = archive.name.removesuffix(".tar.gz")
    print_line(str(archive))
    print_line(f"there: tar xf {archive.name}; sh {folder}/measure.sh > measured.txt")
    print_line("here:  osgap native --import measured.txt")
    return 0


def _record(args: argparse.Namespace) -> int:
    """Measures or imports, writes the run, then analyses it and draws its figures."""
    from osgap.analysis.rounds import WIDE_INTERVAL
    from osgap.cli.main import perform
    from osgap.native.session import Session, describe, interval_warnings, record
    from osgap.native.warnings import warnings

    command = ("osgap", *args.words)
    options = (args.output, args.name, args.seconds, args.run, args.cpu, args.machine_file)
    run = record(Session(args.file, args.scratch, *options, command))
    status = perform(["analyze", str(run.path)])
    if not status and _has_figures(run.path):
        status = perform(["plot", str(run.path)])
    for line in (*warnings(run.machine), *interval_warnings(run.path, WIDE_INTERVAL, run.machine)):
        print_sentence(f"note: {line}")
    for name, reason in sorted(run.merged.left_out.items()):
        print_sentence(f"left out: {name}: {reason}")
    print_line(f"finished: {run.path}")
    if args.machine_file is not None:
        describe(run, args.machine_file)
        print_line(f"machine file: {args.machine_file}")
    return status


def _has_figures(run: Path) -> bool:
    """Returns whether the default table has rows: the figures show only those."""
    from osgap.analysis.tables import read_tables
    from osgap.suites import default_tables

    tables = read_tables(run / "tables", default_tables()[:1])
    return any(len(table) for table in tables.values())
