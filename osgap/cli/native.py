# SPDX-License-Identifier: BSD-3-Clause
"""`osgap native`: this machine's own benchmarks, beside those of 1990."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from osgap.cli import options

if TYPE_CHECKING:
    from osgap.native.merged import Merged
    from osgap.native.returned import Returned

HELP = "measure this machine, without a simulator, and put it beside the machines of 1990"
EPILOG = """\
Nothing but gcc is needed (scripts/native installs that too). It takes under a minute, and is ended
after four minutes. The benchmarks work in a directory of their own, which is removed, in DIR of
--scratch. To measure a board: carry the archive of --bundle there, run its measure.sh, bring its
output back, and read it here with --import.
examples: osgap native
          osgap native --scratch /mnt/disk --name my-laptop
          osgap native --bundle arm64
          osgap native --import board.txt --name raspberry
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where, how long, what; or a bundle, or what came back from one."""
    add = parser.add_argument
    add(
        "--scratch",
        type=options.path,
        metavar="DIR",
        help="where the benchmarks' files lie (default: build/ of the checkout)",
    )
    add(
        "--name",
        type=options.name,
        metavar="NAME",
        help="what the machine is called (default: as its processor)",
    )
    add(
        "--seconds",
        type=options.positive,
        metavar="N",
        help="how long the rounds may take in all (default: 40)",
    )
    add(
        "--run",
        type=options.commas(str),
        metavar="NAME,...",
        help="suites or SUITE/BENCHMARK (default: ousterhout,mcvoy,byte,checks)",
    )
    add(
        "--bundle",
        metavar="riscv64|arm64",
        help="only build the archive to carry to another machine",
    )
    add(
        "--import",
        dest="returned",
        type=options.path,
        metavar="FILE",
        help="read what measure.sh of a bundle printed",
    )
    options.add_output(parser, "the run goes", "results/runs/native, native-2 and so on")


def command(args: argparse.Namespace) -> int:
    """Measures, or bundles, or reads. Raises OsgapError."""
    from osgap.base.errors import OsgapError

    measured = {"--scratch": args.scratch, "--seconds": args.seconds, "--run": args.run}
    for other, given in (("--bundle", args.bundle), ("--import", args.returned)):
        for option, value in measured.items():
            if given is not None and value is not None:
                raise OsgapError(f"{option}: found beside {other}, which measures nothing here")
    if args.bundle is not None:
        return _bundle(args)
    return _record(args)


def _bundle(args: argparse.Namespace) -> int:
    from osgap.base.errors import OsgapError
    from osgap.base.output import print_line
    from osgap.base.paths import project_root
    from osgap.base.quoting import quoted
    from osgap.image.scons import ensure_packages, scons
    from osgap.native.bundle import MACHINES, UNCACHED_MIB, write_bundle

    for option, value in (
        ("--import", args.returned),
        ("--name", args.name),
        ("--output", args.output),
    ):
        if value is not None:
            raise OsgapError(f"{option}: found beside --bundle, which makes an archive alone")
    machine = args.bundle
    if machine not in MACHINES:
        raise OsgapError(f"--bundle: found {quoted(machine)}; allowed: {', '.join(MACHINES)}")
    ensure_packages(["python", machine])
    scons("native", f"bundle={machine}", f"uncached={UNCACHED_MIB << 20}")
    archive = write_bundle(project_root(), machine)
    folder = archive.name.removesuffix(".tar.gz")
    print_line(str(archive))
    print_line(f"there: tar xf {archive.name}; sh {folder}/measure.sh > measured.txt")
    print_line("here:  osgap native --import measured.txt")
    return 0


def _record(args: argparse.Namespace) -> int:
    """Measures or reads, writes the run, and analyses and draws it."""
    from osgap.base.output import print_line
    from osgap.base.paths import project_root
    from osgap.cli.main import perform
    from osgap.native.facts import warnings
    from osgap.native.mix import mix_of
    from osgap.native.record import write
    from osgap.rundir import manifest

    results = project_root() / "results"
    # What cannot be read makes no directory, and what cannot be written is not measured.
    read_before = _returned(args.returned)
    scratch = _scratch(args.scratch) if read_before is None else results
    run = _target(args.output, results / "runs")
    returned, where = read_before or _measured(args, scratch)
    mix = mix_of(returned, results / "locked" / "default", where)
    started = manifest.start(("osgap", *args.words), "")
    machine, merged = write(run, returned, where, args.name, mix, started)
    status = 0
    commands = [["analyze", str(run)], ["plot", str(run)]]
    for words in commands if _is_in_the_paper(merged) else commands[:1]:
        status = status or perform(words)
    for line in (*warnings(machine), *_unquiet(run)):
        print_line(f"note: {line}")
    for name, why in sorted(merged.left_out.items()):
        print_line(f"left out: {name}: {why}")
    print_line(f"finished: {run}")
    return status


def _is_in_the_paper(merged: Merged) -> bool:
    """Whether there is anything to draw: the figures are of the paper's rows."""
    from osgap.suites.ousterhout.cells import BENCHMARKS

    return any(name in BENCHMARKS.values() for name, _ in merged.shapes)


def _unquiet(run: Path) -> list[str]:
    """How many intervals are wide, where many are."""
    from osgap.analysis import read_tables
    from osgap.suites.ousterhout.sincereport import WIDE

    intervals = read_tables(run / "tables", ["intervals"])["intervals"]
    own = intervals[intervals["fs"] == "none"]
    wide = int((own["width"] > WIDE).sum())
    told = (
        f"{wide} of {len(own)} intervals without files are wider than {WIDE:.0%}: something else "
        "ran on this machine or on its host; another run says how much that moves the medians "
        "(osgap compare)"
    )
    return [told] if wide > len(own) / 4 else []


def _target(given: Path | None, runs: Path) -> Path:
    """A new directory for the run: nothing that was measured is lost. Raises OsgapError."""
    from itertools import count

    from osgap.native.returned import NativeError
    from osgap.rundir.directory import MANIFEST
    from osgap.rundir.output import claim

    if given is None:
        names = (f"native-{number}" if number > 1 else "native" for number in count(1))
        given = next(runs / name for name in names if not (runs / name / MANIFEST).exists())
    real = claim(given)
    if (real / MANIFEST).exists():
        raise NativeError(f"{given}: holds a run; allowed: a new or empty directory")
    return real


def _returned(file: Path | None) -> tuple[Returned, str] | None:
    """What a board sent back, if anything."""
    from osgap.native.returned import read

    return None if file is None else (read(file), str(file))


def _scratch(given: Path | None) -> Path:
    """Where the benchmarks' files are to lie. Raises OsgapError, also for a strange host."""
    from osgap.base.paths import project_root
    from osgap.native.measure import check_host, scratch_in

    check_host()
    return scratch_in(given or project_root() / "build", given=given is not None)


def _measured(args: argparse.Namespace, scratch: Path) -> tuple[Returned, str]:
    from osgap.base.paths import project_root
    from osgap.image.scons import scons
    from osgap.native.measure import DEFAULT_RUN, DEFAULT_SECONDS, measure, with_rating
    from osgap.native.returned import parse
    from osgap.native.sizes import uncached_bytes

    scons("native", f"uncached={uncached_bytes()}")
    program = project_root() / "build" / "host" / "osgap-bench"
    text = measure(
        program, scratch, args.seconds or DEFAULT_SECONDS, with_rating(args.run or DEFAULT_RUN)
    )
    return parse(text, "this machine"), "this machine"
