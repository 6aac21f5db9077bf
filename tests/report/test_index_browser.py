# SPDX-License-Identifier: BSD-3-Clause
"""The committed index in a real browser: its search, its folded group, its fit, its contrasts."""

from collections.abc import Callable

import pytest
from accessibility import serious_faults
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By

from osgap.base.paths import project_root
from osgap.report.site_pages import INDEX

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("browser")]
FILE = project_root() / "results" / "site" / INDEX
Opener = Callable[..., WebDriver]
_LONGEST = 8000
"""Pixels of the index on a telephone of 400 pixels."""


def shown_cards(browser: WebDriver) -> list[str]:
    cards = browser.find_elements(By.CSS_SELECTOR, ".card h3")
    return [card.text for card in cards if card.is_displayed()]


def test_the_search_leaves_cards_with_all_words_and_opens_folded_groups(opened: Opener) -> None:
    browser = opened(FILE)
    field = browser.find_element(By.ID, "words")
    every = shown_cards(browser)
    field.send_keys("giant ARCHIVES")
    assert shown_cards(browser) == ["Does a giant lock hurt more on more processors?"]
    assert browser.find_element(By.ID, "matches").text.startswith("1 of ")
    field.clear()
    field.send_keys("requests to the disk")
    assert shown_cards(browser) == ["The disk's requests, one by one"], "is in a folded group"
    field.clear()
    field.send_keys("no such words")
    assert shown_cards(browser) == []
    assert browser.find_element(By.ID, "matches").text.startswith("0 of ")
    field.clear()
    field.send_keys(" ")
    assert shown_cards(browser) == every
    told = [one for one in browser.get_log("browser") if one["level"] == "SEVERE"]
    assert told == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_it_is_accessible_fits_and_is_short(opened: Opener, width: int, scheme: str) -> None:
    browser = opened(FILE)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    assert serious_faults(browser) == []
    root = "return document.documentElement"
    assert browser.execute_script(f"{root}.scrollWidth") <= width
    assert browser.execute_script(f"{root}.scrollHeight") < _LONGEST
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
