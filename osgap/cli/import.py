# SPDX-License-Identifier: BSD-3-Clause
"""`osgap import`: makes a run of what lmbench, UnixBench or sbc-bench printed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from osgap.base.output import print_line
from osgap.base.quoting import counted
from osgap.cli import number_types, options
from osgap.cli.parsing import Parser

if TYPE_CHECKING:
    from osgap.drawing.text_table import TextTable
    from osgap.imports.programs import ImportedRun

HELP = "make a run of another benchmark program's output, to compare it with others"
EPILOG = """\
FILE is a text that the program wrote: lmbench 3's results/SYSTEM/HOST.N or its summary, a report of
UnixBench 5 or 6 (results/NAME), or a result file of sbc-bench 0.9. Values of the same operations as
benchmarks of ours become their samples, one for each; all are kept in the point's values.csv.
docs/guide/others-results.md says more.
examples: osgap import unixbench report.txt --cpu-mhz 1500 --name my-board
          osgap import lmbench summary.out --host board --one-core
          osgap import sbc-bench 4xOY.txt --output results/runs/visionfive2
"""


def add_arguments(parser: Parser) -> None:
    """Adds the program, its file, the part of the file, and what the file may not tell."""
    parser.value("program PROGRAM", str, "lmbench, unixbench or sbc-bench")
    parser.value("file FILE", options.path, "a text that this program wrote")
    parser.value(
        "--name NAME", options.name, "the machine's name (default: its board's or processor's)"
    )
    parser.value("--host NAME", str, "the host to take from lmbench's summary of several")
    parser.value(
        "--cpu N",
        number_types.from_zero,
        "the CPU to take from sbc-bench's result of cores of several kinds",
    )
    parser.value(
        "--cpu-mhz MHZ",
        number_types.clock,
        "the processor's clock (default: as the file tells it; UnixBench rarely does)",
    )
    parser.switch(
        "--one-core",
        "the program had one core, so that its processes switched on it, as ours do",
    )
    options.add_output(parser, "the run goes", "results/runs/imported, imported-2 and so on")


def command(args: argparse.Namespace) -> int:
    """Reads the file, writes the run and prints every value. Raises OsgapError or OSError."""
    from osgap.base.terminal import make_console
    from osgap.imports.programs import TextPart, import_file
    from osgap.imports.record import Options

    run = import_file(
        args.program,
        args.file,
        args.output,
        TextPart(args.host, args.cpu),
        Options(args.name, args.cpu_mhz, args.one_core),
        ("osgap", *args.words),
    )
    make_console().print(_table(run))
    matched = sum(bool(row.match.benchmark) for row in run.rows)
    print_line(f"{matched} of {counted(len(run.rows), 'value')} are of benchmarks of ours")
    print_line(f"finished: {run.path}")
    return 0


def _table(run: ImportedRun) -> TextTable:
    """The values of the text, those of benchmarks of ours first."""
    from osgap.drawing import text

    left, right = ["row of the text"], ["value"]
    table = text.table("", left, right)
    table.headings = [*table.headings, *text.table("", ["unit", "benchmark", "note"], []).headings]
    for is_matched in (True, False):
        for row in run.rows:
            if bool(row.match.benchmark) == is_matched:
                table.add_row(
                    row.reading.label,
                    f"{row.reading.value:.6g}",
                    row.reading.unit,
                    row.match.benchmark or "-",
                    row.match.why,
                )
        table.add_section()
    return table
