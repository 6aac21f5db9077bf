#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print the paper's tables beside the simulated machines', and draw what explains the gap."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from osgap import figures
from osgap.analysis import write_tables
from osgap.analysis.report import make_console
from osgap.errors import OsgapError
from osgap.paper.report import printed_tables
from osgap.paper.tables import paper_tables
from osgap.paths import project_root
from osgap.stages import say

EPILOG = """\
Each DIR holds one engine's runs, as scripts/sweep.py --sweep configs/sweeps/paper.toml leaves them.
example: scripts/paper.py rvsim=results/locked/paper-rvsim gem5=results/locked/paper-gem5
"""


def main() -> int:
    """Returns the exit status: 0, or 2 with one sentence on stderr."""
    root = project_root()
    locked = root / "results" / "locked"
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "runs", nargs="*", metavar="ENGINE=DIR", type=_pair,
        default=[(name, locked / f"paper-{name}") for name in ("rvsim", "gem5")],
        help="default: the committed runs on rvsim and gem5",
    )  # fmt: skip
    parser.add_argument(
        "--output", type=Path, metavar="DIR", default=root / "results" / "runs" / "paper",
        help="where tables/ and figures/ go (default: results/runs/paper)",
    )  # fmt: skip
    args = parser.parse_args()
    console = make_console(sys.stdout)
    try:
        say("Reading and analysing the runs")
        tables = paper_tables(dict(args.runs))
        write_tables(tables, args.output / "tables")
        for table in printed_tables(tables):
            console.print(table)
        say("Drawing the figures")
        for file in figures.render_set("paper", args.output):
            print(file)
    except OsgapError as error:
        print(f"paper.py: {error}", file=sys.stderr)
        return 2
    return 0


def _pair(text: str) -> tuple[str, Path]:
    engine, separator, directory = text.partition("=")
    if not separator or not engine or not directory:
        raise argparse.ArgumentTypeError(f"found {text!r}; allowed: ENGINE=DIR")
    return engine, Path(directory)


if __name__ == "__main__":
    sys.exit(main())
