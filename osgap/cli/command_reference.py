# SPDX-License-Identifier: BSD-3-Clause
"""Renders docs/reference/commands.md: each subcommand with its options, from its parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

from osgap.printing.export import markdown_row

_HEADS = (("option", "meaning"), ("---",) * 2)
_INTRODUCTION = """\
# Commands

`osgap list commands --format markdown > docs/reference/commands.md` writes this page from the
parsers in `osgap/cli`. `osgap COMMAND --help` prints the same in a terminal.

`scripts/native`, `scripts/study` and `scripts/test` install the command `osgap` in `.venv/bin`; so
does `pip install .` in a clone. Exit status: 0 done, 1 some numbers differ (`replay`), 2 bad input
or a failed step.
"""


def commands_page() -> str:
    """Returns the page docs/reference/commands.md."""
    from osgap.cli.main import GROUPS

    parsers = _parsers()
    parts = [_INTRODUCTION]
    for heading, names in GROUPS.items():
        parts.append(f"## {heading[0].upper()}{heading[1:]}\n")
        parts.extend(_section(name, parsers[name]) for name in names)
    return "\n".join(parts)


def command_names() -> Mapping[str, str]:
    """Returns the subcommands, each with a sentence."""
    return {name: parser.description or "" for name, parser in _parsers().items()}


def _parsers() -> Mapping[str, argparse.ArgumentParser]:
    from osgap.cli.main import parser

    actions = parser()._actions
    (subparsers,) = [a for a in actions if isinstance(a, argparse._SubParsersAction)]
    return subparsers.choices


def _section(name: str, parser: argparse.ArgumentParser) -> str:
    rows = "".join(map(markdown_row, [*_HEADS, *_rows(parser)]))
    epilog = f"\n```text\n{parser.epilog.strip()}\n```\n" if parser.epilog else ""
    return f"### osgap {name}\n{parser.description}\n\n{rows}{epilog}"


def _rows(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in parser._actions:
        if not isinstance(action, argparse._HelpAction) and action.help != argparse.SUPPRESS:
            text = (action.help or "").replace("%%", "%")
            yield (
                f"`{_words(action)}`",
                text % {"default": action.default} if "%(" in text else text,
            )


def _words(action: argparse.Action) -> str:
    """Returns an option with its values, or an argument."""
    choices = action.choices
    value = action.metavar or ("|".join(map(str, choices)) if choices else action.dest.upper())
    if isinstance(value, tuple):
        value = " ".join(value)
    if not action.option_strings:
        return value if action.nargs not in ("?", "*") else f"[{value}]"
    takes_value = action.nargs != 0
    name = ", ".join(action.option_strings)
    return f"{name} {value}" if takes_value else name
