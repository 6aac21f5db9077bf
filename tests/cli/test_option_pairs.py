# SPDX-License-Identifier: BSD-3-Clause
"""An argument that has no effect beside or without another is refused, and both are named."""

import argparse
import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from osgap.base.errors import OsgapError
from osgap.cli.main import SUBCOMMANDS, main
from osgap.cli.parsing import Parser

_VALUES = ("1", "a=b", "a=b,c", "2%", "9s", "base")
"""Each type of an option takes one of them."""


def _parser(command: str) -> Parser:
    module = importlib.import_module(f"osgap.cli.{command.replace('-', '_')}")
    parser = Parser(prog=f"osgap {command}", allow_abbrev=False)
    parser.apart, parser.needs = getattr(module, "APART", {}), getattr(module, "NEEDS", {})
    module.add_arguments(parser)
    return parser


def _pairs(parser: Parser) -> Iterator[tuple[str, str, str]]:
    """The refused argument, the other one, and the word between them."""
    for argument, others in parser.apart.items():
        yield from ((other, argument, "beside") for other in others)
    yield from ((argument, other, "without") for argument, other in parser.needs.items())


def _value(action: argparse.Action) -> str:
    if action.choices is not None:
        return next(str(choice) for choice in action.choices if choice != action.default)
    for value in _VALUES if callable(action.type) else ("x",):
        try:
            action.type(value) if callable(action.type) else value
        except argparse.ArgumentTypeError:
            continue
        return value
    raise AssertionError(action)


def _words(parser: Parser, arguments: Sequence[str]) -> list[str]:
    """These arguments, behind the positionals that are required or stand before one of them."""
    positionals = [action for action in parser._actions if not action.option_strings]
    last = [
        number
        for number, action in enumerate(positionals, 1)
        if action.nargs is None or action.nargs == "+" or str(action.metavar) in arguments
    ]
    words = [_value(action) for action in positionals[: max(last, default=0)]]
    for argument in arguments:
        option, _, value = argument.partition(" ")
        for action in parser._actions:
            if option in action.option_strings:
                words += [option] if action.nargs == 0 else [option, value or _value(action)]
    return words


def _with_needs(parser: Parser, arguments: Sequence[str]) -> list[str]:
    needs = [parser.needs[name] for name in arguments if name in parser.needs]
    return [*arguments, *(_with_needs(parser, needs) if needs else [])]


@pytest.mark.parametrize("command", SUBCOMMANDS)
def test_declared_pairs_are_refused_in_one_sentence(command: str) -> None:
    parser = _parser(command)
    for refused, other, joint in _pairs(parser):
        bad = [refused, other] if joint == "beside" else [refused]
        with pytest.raises(OsgapError) as caught:
            parser.parse_args(_words(parser, bad))
        assert str(caught.value).startswith(f"{refused}: found {joint} {other}; allowed: ")
        parser.parse_args(_words(parser, _with_needs(parser, [refused])))


def test_an_unknown_option_is_named_before_a_pair(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["analyze", "--stat", "x", "--select", "y"])
    assert "unrecognized arguments: --stat; did you mean --stats" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("paper --table cells --entry a=b,c", "--entry: found with cells; allowed: with --table"),
        ("paper --skill --entry a=b,c", "--entry: found with skill"),
        ("paper --native x --format json", "--native: found beside --format json; allowed: with"),
        ("paper a=b --table entry", "ENGINE=DIR: found beside --table entry, which has runs"),
        ("paper --period --table entry", "--period: found beside --table entry"),
        (
            "sweep --dry-run --engine fake --run ousterhout,ousterhout/getpid",
            "sweep: --run: found 'ousterhout/getpid' beside 'ousterhout', which has it",
        ),
        (
            "sweep --dry-run --engine fake --run ousterhouse",
            "--run: there is no benchmark or suite 'ousterhouse'; did you mean ousterhout",
        ),
        ("sweep --dry-run --gem5 x", "--gem5: found with the engine rvsim; allowed: with gem5"),
        ("sweep --dry-run --engine fake --image x", "--image: found with the engine fake, which"),
        ("sweep --dry-run --variant musl --image x", "--image: found with the variant musl"),
    ],
)
def test_what_other_options_leave_without_effect_is_refused(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2
    said = capsys.readouterr().err
    assert sentence in said and len(said.splitlines()) == 1


def test_what_a_run_leaves_without_effect_is_refused(
    written_few: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, sentence in (
        (["analyze", "--table", "relative", "--mhz", "20"], "--mhz: found with relative; allowed:"),
        (["analyze", "--series", "fixed"], "--series: found with "),
    ):
        assert main([words[0], str(written_few), *words[1:]]) == 2
        assert sentence in capsys.readouterr().err
