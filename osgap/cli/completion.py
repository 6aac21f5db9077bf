# SPDX-License-Identifier: BSD-3-Clause
"""`osgap completion`: print a shell's completion script."""

from __future__ import annotations

import argparse

from osgap.base.output import print_document
from osgap.cli.parsing import Parser

HELP = "print a shell's completion script for osgap"
EPILOG = """\
examples: eval "$(osgap completion bash)"        in ~/.bashrc
          osgap completion zsh > ~/.zfunc/_osgap
"""
SHELLS = ("bash", "zsh", "tcsh")


def add_arguments(parser: Parser) -> None:
    """Adds the shell."""
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def command(args: argparse.Namespace) -> int:
    """Prints the script, made by shtab."""
    import shtab

    from osgap.cli.main import parser

    print_document(shtab.complete(parser(), args.shell) + "\n")
    return 0
