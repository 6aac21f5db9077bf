# SPDX-License-Identifier: BSD-3-Clause
"""The sheet for a class: its commands work, its answers' numbers are those of committed runs."""

import io
import re
import shlex
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path

import pandas as pd
import pytest

from osgap.base.paths import project_root
from osgap.cli.main import main, parser
from osgap.printing.selection import FoundTable, find_table, select, with_positions
from tools.student_sheet import STUDENT_SHEET, student_sheet

ROOT = project_root()
SHEET = (ROOT / "docs" / "tutorial" / "lab.md").read_text(encoding="utf-8")
EXERCISES, ANSWERS = SHEET.split("\n# Answers\n")
HEAD = "| number | run and table | row | column |"
# What only a reader can do: it simulates, measures, or draws into a run of the reader's own.
NOT_HERE = {"sweep", "native", "study"}
_TITLE = re.compile(r"^## (\d+\. .*?)(?: \(\d+ min.*\))?$", re.MULTILINE)
_COMMANDS = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_CITED = re.compile(r"(?<![\w.])(?:\d+(?:\.\d+)? %|\d+\.\d+(?!\.?\w))")
_MINUTES = re.compile(r"^## .*\((\d+) min(?:, \d+ points)?\)$", re.MULTILINE)
_POINTS = re.compile(r"\((\d+) points?\)")
_QUESTION = re.compile(r"^(\d)\. ", re.MULTILINE)


@dataclass(frozen=True)
class Cited:
    """A number of an answer, and where it comes from: RUN TABLE, a CSV file, or a command."""

    answer: str
    number: str
    where: str
    row: str
    column: str


def _sections(text: str) -> dict[str, str]:
    """Title -> text of every numbered section."""
    parts = _TITLE.split(text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _cited(title: str, text: str) -> list[Cited]:
    """The rows of an answer's table of numbers."""
    lines = takewhile(lambda line: line.startswith("|"), text[text.index(HEAD) :].splitlines())
    cells = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines][2:]
    return [Cited(title, *row) for row in cells]


ALL_CITED = [one for title, text in _sections(ANSWERS).items() for one in _cited(title, text)]
SHOWN = [
    line
    for block in _COMMANDS.findall(SHEET)
    for line in block.replace("\\\n", "").splitlines()
    if line.split("#")[0].strip()
]


def value_of(cited: Cited, table: FoundTable) -> float:
    """The value of the cited column, an expression of columns, in the one cited row of a table."""
    conditions = [condition.partition("=") for condition in cited.row.split()]
    rows = select(table, {column: [value] for column, _, value in conditions})
    assert len(rows) == 1, f"{cited.row}: {len(rows)} rows"
    return float(rows.eval(cited.column).iloc[0])


def table_of(csv: str | Path) -> FoundTable:
    """A CSV file, or its text."""
    source = csv if isinstance(csv, Path) else io.StringIO(csv)
    return with_positions(pd.read_csv(source, keep_default_na=False, na_values=[""]), None)


@cache
def cited_table(where: str) -> FoundTable:
    """The table of a run, as `osgap show` finds it, or a CSV file."""
    run, _, name = where.partition(" ")
    return find_table(ROOT / run, name) if name else table_of(ROOT / run)


def as_printed(value: float, like: str) -> str:
    """`value` with as many decimals as `like`, and as a share of 100 where that is one."""
    bare = like.removesuffix(" %")
    scaled = value * 100 if bare != like else value
    decimals = len(bare.partition(".")[2])
    return f"{scaled:.{decimals}f}" + like[len(bare) :]


@pytest.mark.parametrize(
    "cited",
    [one for one in ALL_CITED if not one.where.startswith("osgap ")],
    ids=lambda one: f"{one.answer[:2]}{one.number}",
)
def test_each_number_is_its_cells(cited: Cited) -> None:
    value = value_of(cited, cited_table(cited.where))
    assert as_printed(value, cited.number) == cited.number


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", sorted({one.where for one in ALL_CITED if one.where.startswith("osgap ")})
)
def test_each_number_of_a_command_is_what_it_prints(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(shlex.split(command)[1:]) == 0
    table = table_of(capsys.readouterr().out)
    for cited in ALL_CITED:
        if cited.where == command:
            assert as_printed(value_of(cited, table), cited.number) == cited.number, cited


@pytest.mark.slow
def test_the_intervals_hold_what_was_simulated_but_for_the_row_that_the_sheet_names(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    (command,) = {one.where for one in ALL_CITED if one.where.startswith("osgap predict ")}
    assert main(shlex.split(command)[1:]) == 0
    predicted = pd.read_csv(io.StringIO(capsys.readouterr().out))
    simulated = pd.read_csv(ROOT / "results/locked/lab/160mhz/tables/relative.csv")
    both = predicted.merge(simulated, on=["series", "clock_mhz", "benchmark", "fs"])
    both = both[both["clock_mhz"] == 160]
    value = both["relative_y"]
    held = value.between(both["relative_low"], both["relative_high"])
    assert len(both) == 12 and set(both.loc[~held, "benchmark"]) == {"bcopy_uncached"}


@pytest.mark.parametrize("title", _sections(ANSWERS))
def test_no_number_of_an_answer_is_without_its_cell(title: str) -> None:
    text = _sections(ANSWERS)[title]
    prose = text[: text.index(HEAD)]
    named = {cited.number for cited in ALL_CITED if cited.answer == title}
    said = set(_CITED.findall(prose))
    assert said and said <= named, sorted(said - named)
    alone = [number for number in named if not re.search(rf"(?<![\w.]){number}(?!\.?\w)", prose)]
    assert not alone, f"in the table alone: {alone}"


def test_a_wrong_number_is_seen() -> None:
    table = table_of("benchmark,relative\na,0.354\nb,0.5\n")
    cited = Cited("1. x", "0.36", "", "benchmark=a", "relative")
    assert as_printed(value_of(cited, table), cited.number) == "0.35"
    assert as_printed(0.354, "35 %") == "35 %"
    with pytest.raises(AssertionError, match="2 rows"):
        value_of(Cited("1. x", "0.36", "", "", "relative"), table)


def test_each_exercise_has_its_answer_and_two_hours_are_enough() -> None:
    exercises, answers = _sections(EXERCISES), _sections(ANSWERS)
    assert list(exercises) == list(answers) and len(exercises) == 8
    assert all("**Question" in text and "**Expect" in text for text in exercises.values())
    assert "## Discussion (15 min)" in EXERCISES
    assert sum(map(int, _MINUTES.findall(EXERCISES))) == 120


def test_each_question_has_points() -> None:
    printed = dict(re.findall(r"^## (\d)\. .*, (\d+) points\)$", EXERCISES, re.MULTILINE))
    for title, text in _sections(EXERCISES).items():
        questions, points = _QUESTION.findall(text), _POINTS.findall(text)
        assert questions == [str(number + 1) for number in range(len(points))], title
        assert sum(map(int, points)) == int(printed[title[0]]), title
    assert f"There are {sum(map(int, printed.values()))} points." in EXERCISES


@pytest.mark.slow
def test_the_check_of_the_preparations_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert 'geometric mean, has 0.40 below "clock only"' in EXERCISES
    assert main(["analyze", str(ROOT / "results" / "locked" / "lab/three-clocks")]) == 0
    lines = capsys.readouterr().out.splitlines()
    (heading,) = [line for line in lines if "| benchmark" in line]
    (mean,) = [line for line in lines if "geometric mean" in line]
    table = [[cell.strip() for cell in line.split("|")] for line in (heading, mean)]
    assert table[1][table[0].index("clock only")] == "0.40"


def test_a_guess_comes_before_its_answer() -> None:
    for number, guess, answer in ((5, "Before you look", "series=both"), (6, "guess R", "predict")):
        (text,) = [text for title, text in _sections(EXERCISES).items() if title[0] == str(number)]
        (first, *_) = [b for b in _COMMANDS.findall(text) if answer in b]
        assert text.index(guess) < text.index(first)


def test_the_students_sheet_is_the_sheet_without_answers() -> None:
    """`.venv/bin/python tools/student_sheet.py` writes it again."""
    sheet = (ROOT / STUDENT_SHEET).read_text(encoding="utf-8")
    assert sheet == student_sheet(SHEET), "run tools/student_sheet.py"
    assert "# Answers" not in sheet and HEAD not in sheet and "teacher" not in sheet.lower()
    assert _sections(sheet) == _sections(EXERCISES)


@pytest.mark.slow
@pytest.mark.parametrize("line", SHOWN)
def test_each_command_works_on_the_committed_runs(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(ROOT)
    words = shlex.split(line, comments=True)
    if "report" in words:
        words += ["--output", str(tmp_path / "page.html")]
    program = Path(words[0]).name
    if program == "osgap":
        args = parser().parse_args(words[1:])
        if words[1] not in NOT_HERE and not any("results/runs" in word for word in words):
            assert main(words[1:]) == 0 and capsys.readouterr().out.strip()
        assert args is not None
    else:
        assert (ROOT / words[0]).is_file() or program in {"pip", "python", "python3"}, line
