# SPDX-License-Identifier: BSD-3-Clause
"""The argument parser of the command: its output, its errors and its grouped help."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn

from osgap.base.output import print_error, print_lines
from osgap.base.quoting import one_line, quoted, shortened
from osgap.base.suggestions import hint
from osgap.cli.option_errors import check_pairs

_LONGEST = 1000
"""Characters of an error."""
_NAMES_WIDTH = 14
"""Characters of the longest subcommand's name and of the blanks before it."""


class Parser(argparse.ArgumentParser):
    """ArgumentParser that prints through osgap.base.output; its errors are one sentence.

    `repeated` names a list of positionals, as text, that may stand behind options too. `apart` and
    `needs` are the pairs of arguments that `check_pairs` refuses.
    """

    repeated = ""
    apart: Mapping[str, Sequence[str]] = MappingProxyType({})
    needs: Mapping[str, str] = MappingProxyType({})

    def value(self, words: str, kind: Callable[[str], object], text: str, **more: Any) -> None:
        """Adds an argument with a value, as its help prints it: "--jobs N", "-C --column N".

        `kind` is its type, `text` its help. A positional has its name first: "run RUN".
        """
        *names, metavar = words.split(" ")
        self.add_argument(*names, metavar=metavar, type=kind, help=text, **more)

    def repeatable(self, words: str, kind: Callable[[str], object], text: str) -> None:
        """Adds an option as `value` does whose values are collected in a list."""
        self.value(words, kind, text, action="append", default=[])

    def switch(self, name: str, text: str) -> None:
        """Adds an option without a value."""
        self.add_argument(name, action="store_true", help=text)

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> Any:
        """Parses the words; the subcommand's parser refuses the words that it does not have."""
        parsed, rest = self.parse_known_args(args, namespace)
        if rest:
            parser = self._subparsers_by_name().get(getattr(parsed, "subcommand", None), self)
            parser.error(_unrecognized(rest, parser._option_string_actions))
        return parsed

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Parses the words, with the repeated positionals among those that argparse leaves."""
        parsed, rest = super().parse_known_args(args, namespace)
        if self.repeated:
            positionals = [word for word in rest if not word.startswith("-")]
            setattr(parsed, self.repeated, [*getattr(parsed, self.repeated), *positionals])
            rest = [word for word in rest if word.startswith("-")]
        if not rest:
            check_pairs(self._actions, parsed, self.apart, self.needs)
        return parsed, rest

    def _subparsers_by_name(self) -> Mapping[str | None, argparse.ArgumentParser]:
        choices = (action.choices for action in self._actions if _is_subcommand(action))
        return {name: parser for parsers in choices for name, parser in dict(parsers or {}).items()}

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Raises ArgumentError for a value that is none of the choices, with similar ones."""
        if action.choices is None or value in action.choices:
            return
        choices = list(map(str, action.choices))
        near = hint(str(value), choices)
        if _is_subcommand(action):
            raise argparse.ArgumentError(
                None, f"there is no subcommand {quoted(value)}; {near}".rstrip("; ")
            )
        raise argparse.ArgumentError(
            action, f"found {quoted(value)}; {near}allowed: {', '.join(choices)}"
        )

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


def _is_subcommand(action: argparse.Action) -> bool:
    return action.dest == "subcommand"


def _unrecognized(words: Sequence[str], options: Iterable[str]) -> str:
    """The error's text for words that no argument takes, with options that are similar."""
    typed = next((word.partition("=")[0] for word in words if word.startswith("-")), "")
    near = hint(typed, list(options)) if typed else ""
    return f"unrecognized arguments: {' '.join(words)}; {near}".rstrip("; ")


class WrappedHelp(argparse.RawDescriptionHelpFormatter):
    """Help whose paragraphs wrap at blanks; lines of examples stay as they are where they fit."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines: list[str] = []
        for part in _parts(text.splitlines()):
            deeper = " " * (len(part) - len(part.lstrip()) + 4) if _is_example(part) else ""
            lines += textwrap.wrap(
                part,
                width,
                initial_indent=indent,
                subsequent_indent=indent + deeper,
                break_long_words=False,
                break_on_hyphens=False,
            ) or [""]
        return "\n".join(lines) + "\n"


class GroupedHelp(WrappedHelp):
    """Help that prints a heading above the first subcommand of each group.

    `headings` maps the name of that subcommand to the heading.
    """

    def __init__(self, prog: str, headings: Mapping[str, str]) -> None:
        super().__init__(prog)
        self._headings = headings
        self._action_max_length = _NAMES_WIDTH

    def _format_action(self, action: argparse.Action) -> str:
        text = super()._format_action(action)
        heading = self._headings.get(action.dest)
        return f"{' ' * (self._current_indent - 2)}{heading}:\n{text}" if heading else text


def _parts(lines: Iterable[str]) -> Iterator[str]:
    """The lines of an epilog, those of a paragraph joined."""
    paragraph: list[str] = []
    for line in lines:
        if line and not _is_example(line):
            paragraph.append(line)
            continue
        if paragraph:
            yield " ".join(paragraph)
        paragraph = []
        yield line
    if paragraph:
        yield " ".join(paragraph)


def _is_example(line: str) -> bool:
    return line.startswith((" ", "example"))
