# SPDX-License-Identifier: BSD-3-Clause
"""Everything printed passes through one place, which no text from outside gets through unseen."""

import os
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pandas as pd
import pytest
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from printing import by_repr, printing
from streams import harmless, streams, without_styles
from trees import SOURCES

from osgap.analysis.ministat import make_sample, report
from osgap.base import output, progress
from osgap.base.config import validate
from osgap.base.errors import OsgapError
from osgap.base.frozen import Frozen
from osgap.base.paths import project_root
from osgap.base.quoting import LONGEST, LONGEST_SENTENCE, quoted, visible
from osgap.base.suggestions import unknown
from osgap.base.terminal import columns, make_console
from osgap.cli import guard
from osgap.cli.main import main
from osgap.drawing.frame_table import frame_table
from osgap.points.record import Record, State
from osgap.sweep.progress import Progress
from osgap.sweep.snakemake import _report
from osgap.sweep.status import page, point_line

PACKAGE = project_root() / "osgap"
_ACTS = [
    "\x1b[2J\x1b[31m",
    "\x1b]0;title\x07",
    "\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\",
    "\x1b]52;c;aGk=\x07",
    "\x9b31m",
    "\x9d0;x\x9c",
    "\x90q\x9c",
    "\x08\x08",
    "\r",
    "\x7f",
    "\x00",
    "\v\f",
    "\u202eabc\u202c",
    "\u2066x\u2069",
    "\u200b",
    "\u200e",
    "\ufeff",
    "\u2028",
    "\u2029",
    "\u0085",
    "\ud800",
    "\udcff",
    "\U000e0041",
    "[/red]",
    "[/]",
    "[bold",
    "[link=http://x]y[/link]",
    "[@click=app.quit()]z[/]",
    ":smile:",
    "a\nb",
    "a\tb",
    "\\[red]",
    "{task.fields}",
    "%s%n",
    "é",
    "文字" * 10,
    "x" * 300,
]
HOSTILE = st.lists(st.sampled_from(_ACTS) | st.text(max_size=5), min_size=1, max_size=4).map(
    "".join
)
"""What a terminal acts on, rich takes for markup, or a locale has not."""
hostile = settings(
    deadline=None,
    max_examples=examples(40),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


ENCODINGS = st.sampled_from(["utf-8", "ascii", "latin-1"])


@SOURCES
def test_nobody_else_prints() -> None:
    assert printing(PACKAGE) == []


@pytest.mark.parametrize(
    "line",
    [
        "print(1)",
        "import sys\nsys.stdout.write('x')",
        "from sys import stderr",
        "x = input()",
        "from rich.console import Console\nConsole().print(1)",
        "import traceback as t\nt.print_exc()",
        "import rich.console as c\nc.Console()",
        "from rich.text import Text\nText.from_markup('x')",
        "import sys\nprint_it = sys.__stderr__",
        "f(markup=True)",
    ],
)
def test_a_planted_one_is_found(line: str, tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "planted.py").write_text(line + "\n")
    (tmp_path / "base" / "output.py").write_text(line + "\n")
    assert [told.partition(":")[0] for told in printing(tmp_path)] == ["planted.py"]


@SOURCES
def test_no_sentence_quotes_by_repr() -> None:
    """`found` does: it is one line, and short. A figure of a TOML file is written by repr."""
    allowed = {"__init__.py:AttributeError", "suites/ousterhout/calibration/calibrate.py:rows"}
    assert {f"{file}:{what}" for file, what in by_repr(PACKAGE)} == allowed


@given(text=st.text() | HOSTILE, encoding=ENCODINGS)
def test_shown_text_is_harmless_and_shown_once(text: str, encoding: str) -> None:
    shown = visible(text, encoding)
    harmless(shown)
    assert visible(shown, encoding) == shown
    shown.encode(encoding)
    assert visible(text) == text or not text.isprintable()


@given(value=HOSTILE | st.binary() | st.lists(HOSTILE) | st.dictionaries(HOSTILE, st.floats()))
def test_a_found_value_is_one_short_line(value: object) -> None:
    told = quoted(value)
    harmless(told)
    assert len(told) <= LONGEST and "\n" not in told and "\t" not in told


@pytest.mark.parametrize("size", [10**3, 10**6, 10**8])
def test_a_huge_value_is_quoted_at_once(size: int) -> None:
    assert len(quoted("\x1b" * size)) == LONGEST


class _Strict(Frozen):
    number: int


def _sentences(text: str) -> dict[str, Callable[[], object]]:
    """What says one sentence in which `text` is, by the way that it goes."""

    def fails(error: Exception) -> Callable[[], object]:
        def body() -> int:
            raise error

        return lambda: guard.guarded(f"osgap {text}", body)

    def invalid() -> int:
        validate({"number": text, text: 1}, _Strict, text)
        return 0

    record = Record(key="k", state=State.GUEST_ERROR, line=text, log=text, host=text)
    run = Progress(Path(text), (record,), None)
    return {
        "an error": fails(OsgapError(text)),
        "a file": fails(OSError(2, "No such file or directory", text)),
        "a name": fails(OsgapError(unknown("machine", text, [text, "base"]))),
        "a package": fails(ModuleNotFoundError(name=f"x{text}")),
        "configuration": lambda: guard.guarded("osgap", invalid),
        "a sweep's end": fails(OsgapError(_report(run, [record]))),
        "a stage": lambda: progress.say(text),
        "a point's end": lambda: progress.say(point_line(record, run)),
        "a list": lambda: list(progress.each([text], text)),
    }


@pytest.mark.parametrize("way", list(_sentences("")))
@hostile
@given(text=HOSTILE, encoding=ENCODINGS)
def test_a_sentence_is_one_harmless_line(way: str, text: str, encoding: str) -> None:
    with streams(encoding) as (out, err):
        _sentences(text)[way]()
    harmless(err.text())
    assert err.text().count("\n") == 1 and out.text() == ""


def test_a_sentence_is_not_longer_than_a_screen() -> None:
    def body() -> int:
        raise OsgapError("\x1b" * 10**7)

    with streams() as (_, err):
        assert guard.guarded("osgap", body) == 2
    assert len(err.text()) <= LONGEST_SENTENCE + 1


@pytest.mark.parametrize(
    "words",
    [
        ("{}",),
        ("status", "{}", "{}"),
        ("retry", "x", "--jobs", "{}"),
        ("paper", "{}"),
        ("list", "{}"),
        ("sweep", "--cpu-mhz", "{}"),
        ("ministat", "-c", "{}"),
    ],
)
@hostile
@given(text=HOSTILE, encoding=ENCODINGS)
def test_what_cannot_be_parsed_is_harmless(words: list[str], text: str, encoding: str) -> None:
    with streams(encoding) as (_, err):
        try:
            status = main([word.format(text) if word == "{}" else word for word in words])
        except SystemExit as ended:
            status = ended.code
    harmless(err.text())
    assert status == 2 and err.text().count("\n") == 1


def _tables(text: str) -> dict[str, object]:
    """What rich renders in which `text` is."""
    failed = Record(key=text, state=State.GUEST_PANIC, line=text, log=text)
    running = Record(key=text, state=State.RUNNING, host=text, slurm_job=text, started=text)
    done = Record(key=text, state=State.DONE, host=text, total_s=1.0)
    table = columns(text, "what")
    table.add_row(text, text)
    frame = pd.DataFrame({"benchmark": [text], text: [1.0]})
    return {
        "a line": text,
        "columns": table,
        "a table": frame_table(frame, text),
        "status": page(Progress(Path(text), (failed, running, done), None)),
    }


@pytest.mark.parametrize("what", list(_tables("")))
@hostile
@given(text=HOSTILE, encoding=ENCODINGS, watched=st.booleans())
def test_what_rich_prints_is_harmless(what: str, text: str, encoding: str, watched: bool) -> None:
    with streams(encoding, watched) as (out, _):
        make_console().print(_tables(text)[what])
    # Styles are ours: on a terminal a heading is bold. What text would add is a link or a mode.
    harmless(without_styles(out.text()))


@hostile
@given(text=HOSTILE, encoding=ENCODINGS)
def test_a_bar_is_harmless(text: str, encoding: str) -> None:
    with streams(encoding, watched=True) as (_, err), patch.dict(os.environ, {"TERM": "dumb"}):
        for _ in progress.each([text, "b"], text):
            pass
        with progress.make_bar() as bar:
            bar.add_task(text, left=text)
    plain = err.text()
    assert not any(acts in plain for acts in ("\x1b]", "\x1b[2J", "\x9b", "\x07", "\u202e", "\x00"))


@pytest.mark.parametrize("size", ["abc", "", "-1", "0", "²", "9" * 30, "\udcff", "1e3"])
def test_a_terminal_of_no_size_is_one_of_a_usual_size(
    size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", size)
    monkeypatch.setenv("LINES", size)
    with streams(watched=True):
        assert 20 <= make_console().width <= 10_000


@given(text=HOSTILE)
@hostile
def test_a_document_is_its_bytes_in_a_file_and_harmless_on_a_terminal(text: str) -> None:
    """Names of files have bytes that are no text; no other half characters are in documents."""
    text = text.replace("\ud800", "")
    with streams("ascii") as (out, _):
        output.print_document(text)
    assert out.buffer.getvalue() == text.encode("utf-8", "surrogateescape")
    with streams("ascii", watched=True) as (out, _):
        output.print_document(text)
    harmless(out.text())


@given(text=HOSTILE, encoding=ENCODINGS, values=st.lists(st.floats(), min_size=3, max_size=20))
@hostile
def test_ministat_is_harmless(text: str, encoding: str, values: list[float]) -> None:
    def body() -> int:
        samples = [make_sample(text, values), make_sample("b", [*values, 1.0])]
        for line in report(samples):
            output.print_line(line)
        return 0

    with streams(encoding) as (out, err):
        status = guard.guarded("osgap ministat", body)
    harmless(out.text() + err.text())
    assert err.text().count("\n") == (status == 2)
