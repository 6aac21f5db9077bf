#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run a finished run's points again, from what the run says of itself, and compare every number."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rich.table import Table

from osgap import script
from osgap.engines.gem5_program import VARIABLE as GEM5_VARIABLE
from osgap.paths import cache_directory, project_root
from osgap.replay import Difference, replay
from osgap.sweep import show
from osgap.sweep.host import Host


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="Exit status: 0 every number is the same, 1 some differ, 2 it cannot be run here.",
    )
    add = parser.add_argument
    add("run", type=Path, metavar="RUN", help="a run directory, or an accepted run")
    add("--point", metavar="KEY", help="only points whose key begins so (default: all)")
    add("--output", type=Path, metavar="DIR", help="keep the new run there (default: thrown away)")
    add("--jobs", type=_positive, metavar="N", help="points at once (default: as many as fit)")
    add("--gem5", type=Path, metavar="PATH", help="the gem5 program, for a run of gem5")
    add("--image", type=Path, default=project_root() / "build" / "image", help="directory of the "
        "image, for a run that was archived without it")  # fmt: skip
    return parser.parse_args()


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"found {number}; allowed: 1 or more")
    return number


def _table(rows: list[Difference]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("point", "numbers", "that differ", "by at most", "where"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        worst = f"{row.worst:.3%}" if row.differing else "0"
        table.add_row(row.key, str(row.values), str(row.differing), worst, row.name)
    return table


def _command() -> int:
    args = _arguments()
    console = show.console()
    if args.gem5:
        os.environ[GEM5_VARIABLE] = str(args.gem5.resolve())
    host = Host(args.jobs, args.image.resolve(), cache_directory(), command=tuple(sys.argv))
    with tempfile.TemporaryDirectory(prefix="osgap-replay-") as scratch:
        output = (args.output or Path(scratch) / "run").resolve()
        rows = replay(args.run.resolve(), args.point, output, host, console)
    console.print(_table(rows))
    return 1 if any(row.differing for row in rows) else 0


def main() -> int:
    """Replays and compares."""
    return script.run("replay.py", _command)


if __name__ == "__main__":
    sys.exit(main())
