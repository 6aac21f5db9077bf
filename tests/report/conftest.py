# SPDX-License-Identifier: BSD-3-Clause
"""A real browser, with no network, where there is one."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from explorers import Known, known_explorer
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

Opener = Callable[[Path], webdriver.Chrome]
_READY = "return document.documentElement.dataset.ready === 'yes'"
_PATIENCE_S = 60


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """Debian's chromium and its driver, by their paths: nothing is downloaded."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not program or not driver:
        pytest.skip("there is no chromium with its chromedriver")
    options = Options()
    options.binary_location = program
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(word)
    folder = tmp_path_factory.mktemp("downloads")
    options.add_experimental_option("prefs", {"download.default_directory": str(folder)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with webdriver.Chrome(options=options, service=Service(driver)) as own:
        own.downloads = folder  # type: ignore[attr-defined]
        own.execute_cdp_cmd("Network.enable", {})
        offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        own.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
        yield own


@pytest.fixture
def opened(browser: webdriver.Chrome) -> Opener:
    """Opens a page from disk, and waits until its parts are there."""

    def open_page(file: Path, fragment: str = "") -> webdriver.Chrome:
        browser.get("about:blank")
        browser.get_log("browser")
        browser.get(f"file://{file}{fragment}")
        WebDriverWait(browser, _PATIENCE_S).until(lambda own: own.execute_script(_READY))
        return browser

    return open_page


@pytest.fixture(scope="session")
def known(tmp_path_factory: pytest.TempPathFactory) -> Known:
    return known_explorer(tmp_path_factory.mktemp("explorer"))
