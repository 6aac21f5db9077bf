# SPDX-License-Identifier: BSD-3-Clause
"""`osgap site`: writes pages of many runs, with an index."""

from __future__ import annotations

import argparse

from osgap.base.errors import OsgapError
from osgap.base.output import print_error, print_line
from osgap.base.suggestions import no_directory
from osgap.cli import number_types, options
from osgap.cli.parsing import Parser

HELP = "make a site of all runs in a folder: an index and a page of each"
EPILOG = """\
The site opens from disk or from any web server. Its pages leave out the tables of samples.
Pages are made by one process for each processor; those whose runs did not change are kept.
DIR/site.toml, or site/site.toml beside DIR, groups and describes the pages in the index.
example: osgap site results/locked
"""


def add_arguments(parser: Parser) -> None:
    """Adds the options for the folder and the site's directory."""
    parser.value("folder DIR", options.path, "each folder in it becomes a page")
    parser.value(
        "--pages NAME,...",
        number_types.commas(str),
        "write these pages only; the index says how to make the others",
        default=[],
    )
    options.add_output(parser, "the site goes", "results/runs/site-DIR")


def command(args: argparse.Namespace) -> int:
    """Writes the site; prints the index's path. Returns 2 if a folder has no page. OsgapError."""
    from osgap.report.document import check_installed
    from osgap.report.site import write_site

    check_installed()
    if not args.folder.is_dir():
        is_file = args.folder.exists()
        problem = f"{args.folder}: is no directory; allowed: one with runs in it"
        raise OsgapError(problem if is_file else no_directory(args.folder))
    output = options.output_directory(args, f"site-{args.folder.resolve().name}")
    index, errors = write_site(args.folder, output, args.pages)
    print_line(str(index))
    for sentence in errors:
        print_error(f"osgap site: {sentence}")
    return 2 if errors else 0
