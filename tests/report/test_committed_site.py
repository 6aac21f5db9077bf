# SPDX-License-Identifier: BSD-3-Clause
"""The committed site: an index of every locked run, the default run's page and its explorer."""

import math
import re
import subprocess
from html import unescape
from pathlib import Path

import pandas as pd
import pytest
from packed import PACKED, unpack

from osgap.base.paths import project_root
from osgap.report.arrangement import ARRANGEMENT, folders_with_runs, page_name, read_arrangement
from osgap.report.build import build
from osgap.report.document import LIBRARY, html
from osgap.report.explore_page import EXPLORER, build_explorer, explorer_html
from osgap.report.site_pages import INDEX, PageTask, make_page
from osgap.report.subject import load

ROOT = project_root()
LOCKED, SITE = ROOT / "results" / "locked", ROOT / "results" / "site"
ARRANGED = read_arrangement(LOCKED, folders_with_runs(LOCKED))
RUN = ARRANGED.lead
LEAD = page_name(RUN)
OTHER = next(name for name in ARRANGED.pages if name != LEAD)
PAGES = (INDEX, f"{LEAD}.html", EXPLORER)
COMMITTED = {*PAGES, LIBRARY, ARRANGEMENT, ".osgap"}
LARGEST_BYTES = 2_000_000
MAKE = f"osgap site results/locked --pages {LEAD} --output results/site"
SAME = 1e-3
"""A fitted number's last digits differ from processor to processor, by its vector instructions."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_ADDRESS = re.compile(r'(?:src|href)="([^"#]+)')


def index() -> str:
    return unescape((SITE / INDEX).read_text())


def test_every_card_is_in_the_index() -> None:
    for _, card in ARRANGED.cards:
        assert card.title in index() and card.text in index(), MAKE


def test_no_card_says_that_a_number_is_none() -> None:
    assert not re.search(r"\bnan\b", re.sub(r"<script.*?</script>", "", index(), flags=re.DOTALL))


def test_the_index_begins_with_the_finding_and_leads_to_the_explorer() -> None:
    _, _, text = index().partition("<h1>")
    assert text.index('id="finding"') < text.index(EXPLORER) < text.index("<main")


def test_the_picture_of_a_card_ends_at_the_mean_of_its_run() -> None:
    means = pd.read_csv(LOCKED / RUN / "tables" / "geomean.csv")
    last = means[(means["set"] == "figure1") & (means["clock_mhz"] == means["clock_mhz"].max())]
    cards = re.findall(r'<li class="card.*?</li>', index(), re.DOTALL)
    card = next(part for part in cards if f'href="{LEAD}.html"' in part)
    shown = re.findall(r"(\d\.\d\d) (clock[^<]*)</text>", card)
    names = {"fixed": "clock only", "memory": "clock and memory", "disk": "clock and disk"}
    names["both"] = "clock, memory and disk"
    assert {name: value for value, name in shown} == {
        names[row.series]: f"{row.geomean:.2f}" for row in last.itertuples()
    }
    assert card.count('<polyline class="s') == len(names)


def test_a_page_that_is_not_committed_has_a_command_in_place_of_a_link() -> None:
    assert set(_ADDRESS.findall(index())) == {f"{LEAD}.html", EXPLORER}
    assert "<code>osgap site results/locked</code>" in index()
    count = sum(not set(card.pages) <= {LEAD} for _, card in ARRANGED.cards)
    assert index().count("Not in this folder") == count


@pytest.mark.parametrize("page", PAGES)
def test_no_page_loads_what_is_not_beside_it_or_says_where_it_was_made(page: str) -> None:
    text = (SITE / page).read_text()
    for address in _ADDRESS.findall(text):
        assert address.startswith("data:") or (SITE / address).is_file(), address
    for place in (str(ROOT), str(Path.home())):
        assert place == "/" or f"{place}/" not in text


def test_the_committed_files_are_few_and_small() -> None:
    assert sum((SITE / name).stat().st_size for name in COMMITTED) < LARGEST_BYTES
    ignored = subprocess.run(
        ["git", "check-ignore", "--no-index", *COMMITTED, f"{OTHER}.html", ".pages"],
        cwd=SITE,
        capture_output=True,
        text=True,
    )
    if ignored.returncode > 1:
        pytest.skip("this is no git checkout")
    assert ignored.stdout.split() == [f"{OTHER}.html", ".pages"]


def unpacked(page: str) -> str:
    """The page with its tables and models as text."""
    return PACKED.sub(lambda found: unpack(found[1]), page)


def split(page: str) -> tuple[list[str], list[float]]:
    """What stands between a page's numbers, and the numbers."""
    page = unpacked(page)
    return _NUMBER.split(page), [float(number) for number in _NUMBER.findall(page)]


def check_same(committed: str, made: str) -> None:
    """Fails unless two pages have equal words, and numbers that differ by rounding alone."""
    (words, numbers), (words_now, numbers_now) = split(committed), split(made)
    differ = [(old, new) for old, new in zip(words, words_now, strict=False) if old != new]
    # Not the whole page in a message: it is long.
    changed = [(old[-200:], new[-200:]) for old, new in differ[:1]]
    assert not changed and len(words) == len(words_now), MAKE
    far = [
        pair
        for pair in zip(numbers, numbers_now, strict=True)
        if not math.isclose(*pair, rel_tol=SAME, abs_tol=SAME)
    ]
    assert not far[:5], MAKE


@pytest.mark.slow
def test_the_pages_are_what_today_makes() -> None:
    subject = load(LOCKED / RUN)
    title = next(card.title for _, card in ARRANGED.cards if LEAD in card.pages)
    made = html(build(subject, small=True, title=title).page, link=LIBRARY, home=INDEX)
    check_same((SITE / f"{LEAD}.html").read_text(), made)
    check_same((SITE / EXPLORER).read_text(), explorer_html(build_explorer(subject), home=INDEX))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three-clocks", "quick"])
def test_a_card_is_what_today_makes(name: str) -> None:
    made = make_page(PageTask(name, LOCKED / ARRANGED.pages[name], None, None))
    assert made.finding in index() and unescape(made.picture) in index(), MAKE
