# SPDX-License-Identifier: BSD-3-Clause
"""A run's page: its sections and numbers, one file, the same bytes again, and where it is put."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from packed import PACKED, unpack

from osgap.base.errors import OsgapError
from osgap.cli.main import main
from osgap.report.blocks import Page, PageSection, TableBlock
from osgap.report.build import BuiltPage, build
from osgap.report.cells import rendered_table
from osgap.report.document import check_installed, html
from osgap.report.subject import load
from osgap.report.target import write
from osgap.rundir.csvfile import table_text

SECTIONS = [
    "overview",
    "scaling",
    "explore",
    "benchmarks",
    "checks",
    "failures",
    "provenance",
    "glossary",
    "data",
]
LARGEST = 2_000_000


class Cells(HTMLParser):
    """The cells of a page's tables: table -> rows of (shown, whole)."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, list[list[tuple[str, str]]]] = {}
        self.source, self.whole, self.is_cell = "", "", False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = dict(attrs)
        if tag == "div" and "data-source" in own:
            self.source = f"{own['id']} {own['data-source']}"
            self.tables[self.source] = []
        elif tag == "tr" and self.source:
            self.tables[self.source].append([])
        elif tag == "td":
            self.whole, self.is_cell = own.get("data-value") or "", True
            self.tables[self.source][-1].append(("", self.whole))

    def handle_data(self, data: str) -> None:
        if self.is_cell:
            row = self.tables[self.source][-1]
            row[-1] = row[-1][0] + data, row[-1][1]

    def handle_endtag(self, tag: str) -> None:
        if tag == "td":
            self.is_cell = False


@pytest.fixture(scope="module")
def built(written_run: Path) -> BuiltPage:
    return build(load(written_run))


@pytest.fixture(scope="module")
def text(built: BuiltPage) -> str:
    return html(built.page, "window.vegaEmbed = null;")


def packed(text: str) -> dict[str, dict[str, object]]:
    found = PACKED.search(text)
    assert found
    content = json.loads(unpack(found.group(1)))
    tables: dict[str, dict[str, object]] = content["tables"]
    return tables


def test_the_sections_are_in_their_order(built: BuiltPage) -> None:
    assert [section.id for section in built.page.sections] == SECTIONS


def test_it_begins_with_the_headline(built: BuiltPage) -> None:
    assert built.headline.startswith("A processor 16 times faster made ")
    assert built.page.sections[0].blocks[0].text == built.headline  # type: ignore[attr-defined]


def test_nothing_is_fetched(text: str) -> None:
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', text)
    assert "@import" not in text and "url(" not in text
    assert len(text) < LARGEST


@pytest.mark.slow
def test_the_same_run_gives_the_same_bytes(written_run: Path, text: str) -> None:
    assert html(build(load(written_run)).page, "window.vegaEmbed = null;") == text


def test_every_number_shown_is_its_tables_cell(built: BuiltPage, text: str) -> None:
    cells = Cells()
    cells.feed(text)
    assert cells.tables
    data = packed(text)
    for name, rows in cells.tables.items():
        source = name.split()[1]
        lines = str(data[source]["csv"]).replace('"', "").splitlines()[1:]
        known = [line.split(",") for line in lines]
        for row in filter(None, rows):
            numbers = [whole for _, whole in row if whole]
            assert any(set(numbers) <= set(line) for line in known), (source, row)
            for shown, whole in row:
                if whole:
                    near = pytest.approx(float(whole), rel=1e-3, abs=0.005 if "." in shown else 0)
                    assert float(shown) == near, (source, row)


def test_every_table_can_be_saved_as_it_is_in_the_run(
    written_tables: dict[str, pd.DataFrame], text: str
) -> None:
    data = packed(text)
    for name, rows in written_tables.items():
        if len(rows):
            assert data[name]["csv"] == table_text(rows), name


def test_text_of_a_run_is_no_markup() -> None:
    rows = pd.DataFrame({"key": ["</script><b>x</b>"], "value": [1.5]})
    table = TableBlock("t", "<i>caption</i>", rows, "t")
    page = Page("<u>title</u>", "s", [PageSection("overview", "o", [table])], {"t": rows})
    text = html(page)
    assert "<b>x" not in text and "<i>cap" not in text and "<u>t" not in text


def test_cells_are_coloured_by_how_far_off_they_are() -> None:
    rows = pd.DataFrame({"name": list("abcde"), "ratio": [1.05, 0.85, 1.9, 0.3, float("nan")]})
    shown = rendered_table(TableBlock("t", "c", rows, "t", ratio="ratio"))
    assert [row[1].deviation for row in shown.rows] == [0, 1, 2, 3, -1]
    assert [row[1].value for row in shown.rows] == ["1.05", "0.85", "1.9", "0.3", ""]


def test_a_series_of_other_networks_is_named_and_rounded_as_the_others_are() -> None:
    rows = pd.DataFrame({"benchmark": ["read"], "fixed": [0.2649], "fixed-net100": [0.2401]})
    shown = rendered_table(TableBlock("t", "c", rows, "t"))
    assert [heading.text for heading in shown.columns[1:]] == [
        "clock only",
        "clock only, 100 Mbit/s",
    ]
    assert [cell.text for cell in shown.rows[0][1:]] == ["0.26", "0.24"]


def test_a_run_without_a_finished_point_has_a_page(run_directory: Path) -> None:
    for done in run_directory.glob("points/*/done.json"):
        done.unlink()
    made = build(load(run_directory))
    assert made.headline == "No point is finished yet."
    assert [one.id for one in made.page.sections] == [
        "overview",
        "failures",
        "provenance",
        "glossary",
        "data",
    ]


@pytest.mark.slow
def test_two_runs_are_compared(written_run: Path) -> None:
    made = build(load(written_run, written_run))
    assert "compared" in [one.id for one in made.page.sections]
    assert set(made.page.data["compared"]["time_ratio"].dropna()) == {1.0}


def test_a_page_takes_the_place_of_a_page_alone(tmp_path: Path, text: str) -> None:
    write(tmp_path / "new.html", text)
    write(tmp_path / "new.html", text)
    (tmp_path / "mine.html").write_text("<html>mine")
    with pytest.raises(OsgapError, match="osgap has not written it"):
        write(tmp_path / "mine.html", text)
    (tmp_path / "link.html").symlink_to(tmp_path / "new.html")
    with pytest.raises(OsgapError, match="osgap has not written it"):
        write(tmp_path / "link.html", text)
    with pytest.raises(OsgapError, match=r"allowed: a name in \.html"):
        write(tmp_path / "page.txt", text)
    assert (tmp_path / "mine.html").read_text() == "<html>mine"


def test_a_missing_library_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(OsgapError, match=r"vl-convert-python, which is not installed; allowed: .*"):
        check_installed()


@pytest.mark.slow
def test_the_command_writes_it_beside_the_run(
    run_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(run_directory)]) == 0
    headline, path = capsys.readouterr().out.splitlines()
    assert headline.startswith("A processor 16 times faster") and path == str(
        run_directory / "report.html"
    )
    assert len((run_directory / "report.html").read_text()) < LARGEST


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "give either RUN or --stats DIR"),
        (["RUN", "--stats", "x"], "RUN: found beside --stats; allowed: one or the other"),
        (["RUN", "--select", "x"], "--select: found without --stats; allowed: beside it"),
        (["--stats", "a", "b", "c"], "--stats: found 3 directories; allowed: one or two"),
    ],
)
def test_wrong_words_are_a_sentence(
    words: list[str], sentence: str, written_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = [str(written_run) if word == "RUN" else word for word in words]
    assert main(["report", *own]) == 2
    assert sentence in capsys.readouterr().err
