# SPDX-License-Identifier: BSD-3-Clause
"""Every option of every subcommand is given odd values: some, or with all tests all of them."""

import argparse
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import measured
import pytest
from checkout import ROOT
from examples import some
from stderr import sentences
from streams import harmless, streams

from osgap.base.quoting import LONGEST_SENTENCE
from osgap.cli.main import SUBCOMMANDS, main, parser
from osgap.drawing import figure

LIMIT_S = 60.0
_ODD = [
    "",
    " ",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "1e-320",
    "-1",
    "0",
    "9" * 400,
    "9" * 5000,
    "²",
    "true",
    "../../x",
    "\x1b[2J",
    "\udcff",
    "[/red]",
    "é",
    "n" * 5000,
    "n/" * 5000,
    ",",
    "a=b",
    "(",
    "%s",
    "folder",
    "pipe",
    "/dev/zero",
    "x0",
    "x" + "9" * 400,
]
"""A command line's bytes that are no UTF-8 reach Python as half characters."""
_ODD_TARGETS = ["", "../../x\udcff", "n" * 5000, "pipe", "/dev/zero"]
"""Where each of them costs an analysis."""


def _parsers() -> dict[str, argparse.ArgumentParser]:
    (action,) = (one for one in parser()._actions if isinstance(one.choices, dict))
    return dict(action.choices or {})


def _takes(action: argparse.Action) -> bool:
    return action.nargs != 0 and not isinstance(action, argparse._HelpAction)


_DRAWING = (
    "native",
    "analyze",
    "compare",
    "plot",
    "predict",
    "report",
    "site",
    "paper",
    "kennaway",
    "board",
)
OPTIONS = [
    pytest.param(
        command,
        action.option_strings[-1] if action.option_strings else action.dest,
        marks=pytest.mark.long if command in _DRAWING else pytest.mark.slow,
    )
    for command, own in _parsers().items()
    for action in own._actions
    if _takes(action)
]
# What else is given, so that it is the odd value that matters and no point is run; by where a
# positional is exchanged too.
_BASES = {
    "native": ["--import", "{measured}", "--output", "native"],
    "sweep": ["--engine", "fake", "--dry-run"],
    "reproduce": ["--dry-run"],
    "kernel-ab": ["--engine", "fake", "--run", "getpid", "--layouts", "2", "--dry-run"],
    "replay": ["--point", "none", "{run}"],
    "analyze": ["--table", "relative", "{run}"],
    "plot": ["--figure", "times", "--format", "png", "{run}"],
    "compare": ["{run}", "{run}"],
    "predict": ["{run}"],
    "show": ["{run}", "relative"],
    "report": ["--output", "page.html", "{run}"],
    "site": ["--output", "site", "{root}/results/locked/curve/quick"],
    "paper": ["rvsim={root}/results/locked/paper/fitted-rvsim"],
    "kennaway": ["{root}/results/locked/publications/kennaway-causes/e4500"],
    "board": ["d1", "--table", "board_rows"],
    "calibrate": ["--output", "rounds", "--image", "none", "paper/M2000"],
    "ministat": ["{numbers}"],
    "lock": ["nowhere"],
    "variants": ["nothing"],
    "list": [],
    "suite": [],
    "completion": [],
}


class _LateError(BaseException):
    """A command has taken too long."""


@contextmanager
def _bounded() -> Iterator[None]:
    def late(*_: object) -> None:
        raise _LateError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _words(command: str, option: str, value: str, fill: dict[str, object]) -> list[str]:
    base = [word.format(**fill) for word in _BASES.get(command, ["{run}"])]
    if option.startswith("-"):
        given = [f"{option}={value}"] if option.startswith("--") else [option + value]
        return [command, *base, *given]
    kept = [word for at, word in enumerate(base) if word.startswith("--") or _is_value(base, at)]
    more = base[len(kept) + 1 :]  # of compare's two
    return [command, *kept, "--", f"rvsim={value}" if command == "paper" else value, *more]


def _is_value(base: list[str], at: int) -> bool:
    return at > 0 and base[at - 1].startswith("--")


def _fault(words: list[str]) -> str:
    """What is wrong with how a command ends; nothing if it is a result or one sentence."""
    with streams() as (out, err):
        try:
            with _bounded():
                status = main(words)
        except SystemExit as ended:
            status = int(str(ended.code))
        except (Exception, _LateError) as error:
            return f"{type(error).__name__}: {error}"
    try:
        harmless(out.text() + err.text())
    except AssertionError as error:
        return str(error)
    said = sentences(err.text())
    if status not in (0, 1, 2) or len(said) != (status == 2):
        return f"status {status}, sentences {said}"
    return (
        "too long" if any(len(line) > LONGEST_SENTENCE for line in err.text().splitlines()) else ""
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory with what is no file, two folders deep; nothing drawn."""
    folder = tmp_path / "a" / "b"
    (folder / "folder").mkdir(parents=True)
    os.mkfifo(folder / "pipe")
    (tmp_path / "numbers").write_text("1\n2\n3\n4\n")
    measured.file(tmp_path, rounds=2)
    monkeypatch.chdir(folder)
    cache = {"OSGAP_CACHE": str(tmp_path / "cache")}
    with (
        patch.object(figure, "render_all", lambda *_: []),
        patch.dict(os.environ, cache),
    ):
        yield folder


def _files(folder: Path) -> set[str]:
    return {str(path) for path in folder.rglob("*")}


def _allowed(here: Path, value: str, tmp_path: Path) -> set[str]:
    """The cache, and the target: what leads to it and what is below; those of `_BASES`, where it is
    another option that is odd."""
    named = Path(os.path.normpath(here / value)) if len(value) < 255 else here / "none"
    own = [here / name for name in ("native", "page.html", "site")]
    roots = [tmp_path / "cache", named, *own]
    inside = {path for root in roots for path in _files(root)} if value else set()
    return inside | {str(path) for root in roots for path in (root, *root.parents)}


def test_every_subcommand_is_crossed() -> None:
    assert {param.values[0] for param in OPTIONS} | {"study"} == set(SUBCOMMANDS)
    assert len(OPTIONS) > 60


@pytest.mark.parametrize(("command", "option"), OPTIONS)
def test_an_odd_value_is_a_sentence_or_a_result(
    command: str, option: str, here: Path, drawable: Path, tmp_path: Path
) -> None:
    fill = {
        "run": drawable,
        "root": ROOT,
        "numbers": tmp_path / "numbers",
        "measured": tmp_path / "measured.txt",
    }
    own, found = _files(ROOT / "results"), {}
    few = command in _DRAWING and option == "--output"
    for value in _ODD_TARGETS if few else some(_ODD, command + option, 8):
        before = _files(tmp_path)
        fault = _fault(_words(command, option, value, fill))
        strange = sorted(_files(tmp_path) - before - _allowed(here, value, tmp_path))
        if fault or strange:
            found[value[:50]] = fault or f"wrote {strange[:3]}"
    assert not found, "\n".join(f"{value!r}: {told[:600]}" for value, told in found.items())
    assert _files(ROOT / "results") == own
