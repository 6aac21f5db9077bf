# SPDX-License-Identifier: BSD-3-Clause
"""Reads lmbench 3's output: a file of results of one run, or the summary of several hosts."""

from __future__ import annotations

import re

from osgap.imports import lmbench_results, lmbench_summary
from osgap.imports.program_text import ProgramText, ProgramTextError, foreign, lines_of

_ALLOWED = (
    "a file of lmbench 3's results, which begins '[lmbench3', or its summary, which begins "
    "'L M B E N C H  3 . 0   S U M M A R Y'"
)
_SUMMARY = re.compile(r"\s*L M B E N C H +(?P<version>\d(?: \. \d+)?) +S U M M A R Y")
_RESULTS = re.compile(r"\[lmbench(?P<version>\d)[^ ]* results for .*")


def parse(text: str, where: str, host: str | None = None) -> ProgramText:
    """Parses a text that errors call `where`. Raises ProgramTextError.

    Of a summary of several hosts `host` is the name of the one to take.
    """
    lines = lines_of(text, where)
    for line in lines:
        is_summary = True
        match = _SUMMARY.fullmatch(line)
        if match is None:
            match, is_summary = _RESULTS.fullmatch(line), False
        if match is None:
            continue
        if not match["version"].startswith("3"):
            raise ProgramTextError(f"{where}: found lmbench {match['version']}; allowed: lmbench 3")
        if is_summary:
            return lmbench_summary.parse(lines, where, host)
        if host is not None:
            raise ProgramTextError(
                f"{where}: --host: found with a file of results, which is of one host; allowed: "
                "with a summary"
            )
        return lmbench_results.parse(lines, where)
    raise foreign(where, lines, _ALLOWED)
