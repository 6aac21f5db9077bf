# SPDX-License-Identifier: BSD-3-Clause
"""A site: its groups and cards, its pages made at once and only if their runs changed."""

import math
import re
import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

from osgap.analysis.suite import Beside
from osgap.base.config import ConfigError
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.report import site_pages
from osgap.report.arrangement import (
    ARRANGEMENT,
    find_arrangement,
    folders_with_runs,
    read_arrangement,
)
from osgap.report.index import PageSummary, index_html, make_index
from osgap.report.site import write_site
from osgap.report.thumbnail import _curves_of, _names, thumbnail

LOCKED = project_root() / "results" / "locked"
NAMES = ["lab", "more", "quick"]
SMALL = {"quick": "curve/quick", "160mhz": "lab/160mhz"}
HEAD = 'title = "A site"\ntext = "Of three runs."\nlead = "lab"\n'
LAB = '[[group]]\ntitle = "First"\n[[group.card]]\ntitle = "A lab"\ntext = "Its text."\n'
ONE = f'{HEAD}{LAB}runs = ["lab"]\n'
BOTH = f'{HEAD}{LAB}compare = {{page = "both", runs = ["lab", "quick"]}}\n'
WRONG = {
    ONE.replace('["lab"]', '["labb"]'): ["group.0.card.0", "'labb'", "lab, more, quick"],
    ONE.replace('["lab"]', "[]"): ["group.0.card.0.runs", "neither", "either runs or compare"],
    ONE.replace('["lab"]', '["lab", "lab"]'): ["group.0.card.0", "'lab'", "each page once"],
    ONE.replace('["lab"]', "5"): ["group.0.card.0.runs", "5", "a list"],
    ONE.replace('["lab"]', '["../lab"]'): ["group.0.card.0.runs.0", "'../lab'"],
    ONE.replace('text = "Its text."\n', ""): ["group.0.card.0.text", "missing"],
    ONE.replace('lead = "lab"', 'lead = "default"'): ["lead", "'default'", "lab, more, quick"],
    ONE.replace("[[group]]", "[[groups]]"): ["groups"],
    HEAD: ["group"],
    f'{BOTH}runs = ["lab"]\n': ["group.0.card.0.runs", "both"],
    BOTH.replace('"both"', '"more"'): ["group.0.card.0", "'more'", "each page once"],
    BOTH.replace('["lab", "quick"]', '["lab"]'): ["group.0.card.0.compare.runs"],
    "title = ": ["TOML"],
}


def arranged(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / ARRANGEMENT).write_text(text)
    return folder


@pytest.mark.parametrize("text", WRONG, ids=lambda text: re.sub(r"\W+", "-", text[-50:]))
def test_an_error_names_file_key_found_and_allowed(text: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        read_arrangement(arranged(tmp_path, text), NAMES)
    for part in [ARRANGEMENT, *WRONG[text]]:
        assert part in str(error.value)


def test_a_run_that_is_not_listed_is_the_last_card_by_its_name(tmp_path: Path) -> None:
    text = (
        f'{ONE}[[group]]\ntitle = "Last"\ncard = [{{title = "Q", text = "Q.", runs = ["quick"]}}]'
    )
    first, last = read_arrangement(arranged(tmp_path, text), NAMES).group
    assert [card.title for card in first.card] == ["A lab"]
    assert [(card.title, card.runs) for card in last.card] == [
        ("Q", ("quick",)),
        ("more", ("more",)),
    ]


def test_of_a_group_with_cards_the_other_folders_are_cards(tmp_path: Path) -> None:
    text = ONE.replace('"lab"', '"group/lab"')
    names = ["group", "group/lab", "group/quick", "more", "more/inner"]
    arrangement = read_arrangement(arranged(tmp_path, text), names)
    assert arrangement.pages == {"lab": "group/lab", "quick": "group/quick", "more": "more"}


def test_two_pages_of_one_name_are_refused(tmp_path: Path) -> None:
    text = ONE.replace('runs = ["lab"]', 'runs = ["a/lab", "b/lab"]').replace('"lab"', '"a/lab"')
    with pytest.raises(ConfigError, match="found the page 'lab' again"):
        read_arrangement(arranged(tmp_path, text), ["a", "a/lab", "b", "b/lab"])


def test_without_a_file_all_runs_are_one_group(tmp_path: Path) -> None:
    (group,) = read_arrangement(tmp_path, NAMES).group
    assert [card.title for card in group.card] == NAMES


def test_every_locked_run_is_listed() -> None:
    names = folders_with_runs(LOCKED)
    assert find_arrangement(LOCKED) == project_root() / "results" / "site" / ARRANGEMENT
    cards = [card for _, card in read_arrangement(LOCKED, names).cards]
    assert {run for card in cards for run in card.runs} == {name for name in names if "/" in name}
    assert all(card.text for card in cards), "a run without a card of site.toml"
    assert any(card.compare for card in cards)


def summary(name: str, engine: str = "rvsim", finding: str = "", error: str = "") -> PageSummary:
    return PageSummary(name=name, engines=(engine,), finding=finding or f"{name} won.", error=error)


def test_a_page_that_was_not_written_has_no_link_but_a_command(tmp_path: Path) -> None:
    arrangement = read_arrangement(arranged(tmp_path, ONE), NAMES)
    summaries = {name: summary(name) for name in NAMES}
    text = index_html(make_index(arrangement, summaries, ["lab"], command="osgap site DIR"))
    assert re.findall(r'href="([^"#]+)"', text) == ["lab.html"]
    assert "<code>osgap site DIR</code>" in text
    assert text.count("Not in this folder") == 2
    whole = index_html(make_index(arrangement, summaries, NAMES, command="osgap site DIR"))
    assert re.findall(r'href="([^"#]+)"', whole) == [f"{name}.html" for name in NAMES]
    assert "osgap site DIR" not in whole and "Not in this folder" not in whole


def test_the_index_begins_with_the_finding_of_its_first_run(tmp_path: Path) -> None:
    arrangement = read_arrangement(arranged(tmp_path, ONE), NAMES)
    summaries = {name: summary(name, finding=f"{name} <won>") for name in NAMES}
    text = index_html(make_index(arrangement, summaries, NAMES))
    assert text.index("A site</h1>") < text.index("lab &lt;won&gt;") < text.index("Of three runs.")


def test_engines_are_links_of_one_card(tmp_path: Path) -> None:
    text = ONE.replace('["lab"]', '["lab", "quick"]')
    arrangement = read_arrangement(arranged(tmp_path, text), NAMES)
    summaries = {
        "lab": summary("lab"),
        "quick": summary("quick", "gem5"),
        "more": summary("more", error="more: broken"),
    }
    index = make_index(arrangement, summaries, NAMES)
    (card,) = (card for group in index.groups for card in group.cards)
    assert [(page.label, page.file) for page in card.pages] == [
        ("rvsim", "lab.html"),
        ("gem5", "quick.html"),
    ]
    assert "more: broken" in index_html(index)


def test_a_picture_has_the_rows_of_the_first_set_alone() -> None:
    means = pd.read_csv(LOCKED / "publications/suites" / "rvsim" / "tables" / "geomean.csv")
    assert means["set"].nunique() > 1, "the run no longer tries this"
    curves = _curves_of({"geomean": means})
    assert list(curves) == ["fixed", "memory"]
    for points in curves.values():
        assert len(points) == len({x for x, _ in points}) == means["clock_mhz"].nunique()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two small runs with a site.toml."""
    folder = tmp_path_factory.mktemp("runs")
    for name in ("quick", "160mhz"):
        shutil.copytree(LOCKED / SMALL[name], folder / name)
    return arranged(
        folder, ONE.replace("lab", "160mhz").replace('["160mhz"]', '["160mhz", "quick"]')
    )


@pytest.fixture(scope="module")
def site(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("site")
    assert write_site(runs, output, workers=2) == (output / "index.html", [])
    return output


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
@pytest.mark.xdist_group("site")
def test_a_site_has_a_page_for_each_folder_and_small_pictures(site: Path) -> None:
    files = contents(site)
    assert {"index.html", "vega.js", "quick.html", "160mhz.html"} <= set(files)
    index = files["index.html"].decode()
    assert index.count("<svg ") == 1 and len(index) < 20_000
    assert "times faster" in index


@pytest.mark.slow
@pytest.mark.xdist_group("site")
def test_unchanged_pages_are_not_made_again(
    runs: Path, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(site)
    monkeypatch.setattr(site_pages, "make_page", lambda task: pytest.fail(f"made {task.name}"))
    write_site(runs, site, workers=1)
    assert contents(site) == before


@pytest.mark.slow
@pytest.mark.xdist_group("site")
def test_changed_runs_and_damaged_pages_are_made_again(
    runs: Path, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    real = site_pages.make_page

    def make(task: site_pages.PageTask) -> PageSummary:
        made.append(task.name)
        return real(task) if task.name == "quick" else summary(task.name)

    before = contents(site)
    monkeypatch.setattr(site_pages, "make_page", make)
    (site / "quick.html").write_text("damaged")
    (runs / "160mhz" / "note.txt").write_text("changed")
    write_site(runs, site, workers=1)
    assert sorted(made) == ["160mhz", "quick"]
    # One process and two give the same bytes.
    assert contents(site)["quick.html"] == before["quick.html"]


def pretended(task: site_pages.PageTask) -> PageSummary:
    if task.output:
        (task.output / f"{task.name}.html").write_text(task.name)
    return summary(task.name)


@pytest.mark.slow
def test_pages_chosen_by_name_are_written_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("quick", "160mhz"):
        shutil.copytree(LOCKED / SMALL[name], tmp_path / "runs" / name)
    monkeypatch.setattr(site_pages, "make_page", pretended)
    output = tmp_path / "site"
    write_site(tmp_path / "runs", output, ["160mhz"], workers=1)
    assert {path.name for path in output.glob("*.html")} == {"index.html", "160mhz.html"}
    assert "<code>osgap site " in (output / "index.html").read_text()
    with pytest.raises(OsgapError, match=r"--pages: found 'lab'; allowed: 160mhz, quick"):
        write_site(tmp_path / "runs", output, ["lab"])


def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    shutil.copytree(LOCKED / "lab/160mhz", tmp_path / "runs" / "broken")
    (tmp_path / "runs" / "broken" / "run.tar.xz").write_bytes(b"")
    index, (error,) = write_site(tmp_path / "runs", tmp_path / "site", workers=1)
    assert "broken" in error and "run.tar.xz" in error
    assert "No page: " in index.read_text()
    assert not (tmp_path / "site" / site_pages.RECORDS / "broken.json").exists()


class NoCurves:
    """A subject without a mean of R."""

    beside, is_simulated = None, False


def test_a_run_without_a_curve_and_a_publication_has_no_picture() -> None:
    assert thumbnail(NoCurves(), []) is None  # type: ignore[arg-type]


def test_printed_values_are_points_about_the_diagonal() -> None:
    rows = pd.DataFrame({"paper": [1.0, 2.0, math.nan], "simulated": [1.1, 4.0, 1.0], "m": "x"})
    comparison = Beside("n", "Title", "", rows, "m", printed="paper", simulated="simulated")
    picture = thumbnail(NoCurves(), [comparison])  # type: ignore[arg-type]
    assert picture and picture.svg.count("<circle") == 2
    assert picture.alt == "Title. 1 of 2 points lie within 25 % of the diagonal."
    assert "simulated = printed" in picture.svg
    predicted = replace(comparison, axes=("predicted", "simulated"))
    picture = thumbnail(NoCurves(), [predicted])  # type: ignore[arg-type]
    assert picture and "simulated = predicted" in picture.svg and "printed" not in picture.svg


def test_names_at_the_ends_of_lines_do_not_overlap() -> None:
    texts = "".join(_names([(100.0, "a"), (101.0, "b"), (99.0, "c"), (20.0, "d")]))
    places = sorted(float(place) for place in re.findall(r' y="([\d.]+)"', texts))
    assert all(b - a >= 12 for a, b in pairwise(places))
