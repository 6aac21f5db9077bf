#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draw a run's figures from RUN/tables (see analyze.py) into RUN/figures."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from osgap.errors import OsgapError
from osgap.figures import FORMATS, FigureError, discover, render


def draw_figure(run: Path, name: str, formats: list[str]) -> list[Path]:
    """Draw one figure; returns its files.  Raises FigureError for a name that is none."""
    figures = discover()
    if name not in figures:
        raise FigureError(f"there is no figure {name!r}; there are {', '.join(figures)}")
    return render(figures[name], run / "tables", run / "figures", formats)


def main() -> int:
    """Returns the exit status: 0, or 2 with a sentence on stderr for each figure that failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="example: scripts/plot.py results/runs/base --figure scaling"
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="a run directory, results/runs/NAME")
    parser.add_argument(
        "--figure", action="append", default=[], metavar="NAME",
        help="a module of osgap/figures (repeatable; default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--format", action="append", choices=FORMATS, help="repeatable; default: svg and png"
    )
    arguments = parser.parse_args()
    failed = False
    for name in arguments.figure or discover():
        try:
            for file in draw_figure(arguments.run, name, arguments.format or [*FORMATS]):
                print(file)
        except OsgapError as error:
            print(f"plot.py: {error}", file=sys.stderr)
            failed = True
    return 2 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
