# SPDX-License-Identifier: BSD-3-Clause
"""The committed site: a page of every locked run, small, and of today's code where it is cheap."""

import math
import re
from pathlib import Path

import pytest
from packed import PACKED, unpack

from osgap.base.paths import project_root
from osgap.report.build import build
from osgap.report.document import LIBRARY, html
from osgap.report.explore_page import EXPLORER
from osgap.report.site import INDEX
from osgap.report.subject import load
from osgap.rundir.directory import runs_below

ROOT = project_root()
LOCKED, SITE = ROOT / "results" / "locked", ROOT / "results" / "site"
RUNS = sorted(path.name for path in LOCKED.iterdir() if path.is_dir() and runs_below(path))
LARGEST_BYTES = 10_000_000
OWNER = ".osgap"
"""What osgap leaves in a directory of its own."""
SAME = 1e-3
"""A fitted number's last digits differ from processor to processor, by its vector instructions."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_ADDRESS = re.compile(r'(?:src|href)="([^"#]+)')


def pages() -> list[Path]:
    return sorted(SITE.glob("*.html"))


def test_every_locked_run_has_a_page_and_the_index_leads_to_it() -> None:
    assert sorted(page.stem for page in pages() if page.name not in (INDEX, EXPLORER)) == RUNS
    linked = _ADDRESS.findall((SITE / INDEX).read_text())
    assert {f"{name}.html" for name in RUNS} <= set(linked)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_what_a_page_loads_is_beside_it(page: Path) -> None:
    for address in _ADDRESS.findall(page.read_text()):
        assert address.startswith("data:") or (SITE / address).is_file(), address


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_no_page_says_where_it_was_made(page: Path) -> None:
    text = page.read_text()
    for place in (str(ROOT), str(Path.home())):
        assert place == "/" or f"{place}/" not in text


def test_it_is_small() -> None:
    files = [path for path in SITE.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < LARGEST_BYTES
    assert {path.name for path in files} == {*(page.name for page in pages()), LIBRARY, OWNER}


def unpacked(page: str) -> str:
    """The page with its tables and models as text."""
    return PACKED.sub(lambda found: unpack(found[1]), page)


def split(page: str) -> tuple[list[str], list[float]]:
    """What stands between a page's numbers, and the numbers."""
    page = unpacked(page)
    return _NUMBER.split(page), [float(number) for number in _NUMBER.findall(page)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["quick", "lab", "programs"])
def test_a_page_is_what_today_makes(name: str) -> None:
    made = html(build(load(LOCKED / name), small=True).page, link=LIBRARY, home=INDEX)
    words, numbers = split((SITE / f"{name}.html").read_text())
    words_now, numbers_now = split(made)
    differ = [(old, new) for old, new in zip(words, words_now, strict=False) if old != new]
    # Not the whole page in a message: it is long.
    changed = [(old[-200:], new[-200:]) for old, new in differ[:1]]
    assert not changed and len(words) == len(words_now), "osgap site results/locked"
    far = [
        pair
        for pair in zip(numbers, numbers_now, strict=True)
        if not math.isclose(*pair, rel_tol=SAME, abs_tol=SAME)
    ]
    assert not far[:5], "osgap site results/locked"
