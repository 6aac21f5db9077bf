# SPDX-License-Identifier: BSD-3-Clause
"""Faults of accessibility that axe-core finds in a page of a browser.

tests/support/axe has axe-core 4.14.1 of the npm registry, unchanged, with its licence (MPL-2.0).
"""

from pathlib import Path

from selenium.webdriver.chrome.webdriver import WebDriver

VERSION = "4.14.1"
_FILE = Path(__file__).parent / "axe" / "axe.min.js"
_SERIOUS = {"serious", "critical"}
_RUN = (
    "const done = arguments[0]; axe.run().then((result) => done(result), (error) => done(error));"
)


def serious_faults(browser: WebDriver) -> list[tuple[str, str]]:
    """Rule and element of each serious or critical fault."""
    browser.execute_script(_FILE.read_text(encoding="utf-8"))
    assert browser.execute_script("return axe.version") == VERSION
    result = browser.execute_async_script(_RUN)
    return [
        (fault["id"], fault["nodes"][0]["html"])
        for fault in result["violations"]
        if fault["impact"] in _SERIOUS
    ]
