# SPDX-License-Identifier: BSD-3-Clause
"""The argument parser of the command: its output, its errors and its grouped help."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import NoReturn

from osgap.base.output import print_error, print_lines
from osgap.base.quoting import one_line, shortened

_LONGEST = 1000
"""Characters of an error."""


class Parser(argparse.ArgumentParser):
    """ArgumentParser that prints through osgap.base.output; its errors are one sentence."""

    def error(self, message: str) -> NoReturn:
        """Ends the process with status 2."""
        self.exit(
            2, f"{self.prog}: {shortened(one_line(message), _LONGEST)} (see {self.prog} --help)"
        )

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Ends the process, after printing the message."""
        if message:
            print_error(message)
        sys.exit(status)

    def _print_message(self, message: str, file: object = None) -> None:
        """Prints help and version on standard output."""
        print_lines(message)


class GroupedHelp(argparse.RawDescriptionHelpFormatter):
    """Help that prints a heading above the first subcommand of each group.

    `headings` maps the name of that subcommand to the heading.
    """

    def __init__(self, prog: str, headings: Mapping[str, str]) -> None:
        super().__init__(prog)
        self._headings = headings

    def _format_action(self, action: argparse.Action) -> str:
        text = super()._format_action(action)
        heading = self._headings.get(action.dest)
        return f"{' ' * (self._current_indent - 2)}{heading}:\n{text}" if heading else text
