# SPDX-License-Identifier: BSD-3-Clause
"""`osgap site`: writes pages of many runs, with an index."""

from __future__ import annotations

import argparse

from osgap.cli import options

HELP = "make a site of all runs in a folder: an index and a page of each"
EPILOG = """\
The site opens from disk or from any web server. Its pages leave out the tables of samples.
example: osgap site results/locked
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the folder and the site's directory."""
    parser.add_argument(
        "folder", type=options.path, metavar="DIR", help="each folder in it becomes a page"
    )
    options.add_output(parser, "the site goes", "results/runs/site-DIR")


def command(args: argparse.Namespace) -> int:
    """Writes the site; prints the index's path. Returns 2 if a folder has no page. OsgapError."""
    from osgap.base.errors import OsgapError
    from osgap.base.output import print_error, print_line
    from osgap.base.paths import project_root
    from osgap.report.document import check_installed
    from osgap.report.site import write_site
    from osgap.rundir.output import claim

    check_installed()
    if not args.folder.is_dir():
        raise OsgapError(f"{args.folder}: is no directory; allowed: one with runs in it")
    name = f"site-{args.folder.resolve().name}"
    output = claim(args.output or project_root() / "results" / "runs" / name)
    index, errors = write_site(args.folder, output)
    print_line(str(index))
    for sentence in errors:
        print_error(f"osgap site: {sentence}")
    return 2 if errors else 0
