# SPDX-License-Identifier: BSD-3-Clause
"""The page in a real browser, opened from disk with no network."""

import json
import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from accessibility import serious_faults
from explorers import SERIES, predicted_at
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from osgap.base.paths import project_root
from osgap.predict.borrowed_errors import committed_prior, lender
from osgap.predict.prediction import explored
from osgap.report.build import BuiltPage, build
from osgap.report.document import html, library
from osgap.report.explorer import explorer
from osgap.report.sliders import corner_systems, ranges, simulated_ranges
from osgap.report.subject import load
from osgap.suites import load_runs, suites

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("browser")]
LOCKED = project_root() / "results" / "locked"
MACHINES = project_root() / "configs" / "machines"
Opener = Callable[..., WebDriver]
_SETTINGS = 8


@pytest.fixture(scope="module")
def built() -> BuiltPage:
    return build(load(LOCKED / "curve/default"))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, built: BuiltPage) -> Path:
    """The page of the default run."""
    file = tmp_path_factory.mktemp("page") / "default.html"
    text = html(built.page, library())
    assert len(text) < 2_000_000
    file.write_text(text)
    return file


def no_errors(browser: WebDriver) -> None:
    told = [one for one in browser.get_log("browser") if one["level"] == "SEVERE"]
    assert told == []


def marks(browser: WebDriver, chart: str) -> int:
    return len(browser.find_elements(By.CSS_SELECTOR, f"#{chart} svg path, #{chart} svg line"))


def soon(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_it_opens_and_says_what_came_out(opened: Opener, page: Path) -> None:
    browser = opened(page)
    lead = browser.find_element(By.CSS_SELECTOR, "p.lead").text
    assert lead.startswith("A processor 32 times faster made the operating system ")
    charts = browser.find_elements(By.CSS_SELECTOR, ".chart")
    assert charts and all(one.find_elements(By.TAG_NAME, "svg") for one in charts)
    no_errors(browser)


def test_the_figure_is_on_the_first_screen(opened: Opener, page: Path) -> None:
    browser = opened(page)
    size = {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    top = "return document.querySelector('figure').getBoundingClientRect().top"
    assert browser.execute_script(top) < 350
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_printed_chart_is_as_wide_as_paper(opened: Opener, page: Path) -> None:
    browser = opened(page)
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    widths = (
        "[...document.querySelectorAll('svg.marks')].map(svg => svg.getBoundingClientRect().width)"
    )
    assert all(width <= 650 for width in browser.execute_script(f"return {widths}"))
    browser.execute_script("window.dispatchEvent(new Event('afterprint'))")


def test_a_chart_is_shown_as_a_table(opened: Opener, page: Path) -> None:
    browser = opened(page)
    browser.find_element(By.CSS_SELECTOR, "[data-chart=scaling-chart] summary").click()
    soon(lambda: len(browser.find_elements(By.CSS_SELECTOR, "[data-chart=scaling-chart] tr")) > 20)
    no_errors(browser)


def test_a_series_goes_off_and_on(opened: Opener, page: Path) -> None:
    browser = opened(page)
    before = marks(browser, "scaling-chart")
    box = browser.find_element(By.CSS_SELECTOR, "#scaling-series input")
    box.send_keys(Keys.SPACE)
    soon(lambda: marks(browser, "scaling-chart") < before)
    box.send_keys(Keys.SPACE)
    soon(lambda: marks(browser, "scaling-chart") == before)
    no_errors(browser)


def test_a_benchmark_is_picked(opened: Opener, page: Path) -> None:
    browser = opened(page)
    before = browser.find_element(By.ID, "benchmark-value").get_attribute("innerHTML")
    menu = Select(browser.find_element(By.ID, "benchmark"))
    assert menu.first_selected_option.text == "context switch"
    caption = browser.find_element(By.ID, "benchmark-value-caption")
    assert caption.text == "Time of context switch, ms"
    menu.select_by_visible_text("bcopy, uncached")
    soon(
        lambda: browser.find_element(By.ID, "benchmark-value").get_attribute("innerHTML") != before
    )
    assert caption.text == "Rate of bcopy, uncached, MB/s"
    assert "benchmark=bcopy_uncached" in browser.current_url
    no_errors(browser)


def test_the_sliders_move_the_prediction_and_the_link_keeps_them(
    opened: Opener, page: Path
) -> None:
    browser = opened(page)
    told = browser.find_element(By.ID, "explore-told")
    first = told.text
    assert first.startswith("R is ") and "The nearest machine of the paper's: " in first
    slider = browser.find_element(By.ID, "latency_ns")
    for _ in range(60):
        slider.send_keys(Keys.ARROW_LEFT)
    soon(lambda: told.text != first)
    kept, moved = browser.current_url, told.text
    assert "latency_ns=" in kept
    again = opened(page, "#" + kept.partition("#")[2])
    assert again.find_element(By.ID, "explore-told").text == moved
    no_errors(again)


def test_the_band_is_equally_wide_but_at_the_reference(opened: Opener, page: Path) -> None:
    browser = opened(page)
    curve = browser.execute_script("return osgapUi.charts['explore-chart'].data.curve")
    exact = [row for row in curve if row["low"] is None]
    assert [row["value"] for row in exact] == [1]
    widths = [row["high"] / row["low"] for row in curve if row not in exact]
    assert min(widths) == pytest.approx(max(widths))
    # Memory of 200 ns answers in 4 cycles up to 22.5 MHz, then in 5.
    step = {"clock_mhz": 22.5, "bandwidth_mb_s": 400, "latency_ns": 200, "disk_speed": 1}
    script = (
        "const done = arguments[1];"
        "osgapUi.unpack().then(({ models }) => { const [model] = Object.values(models);"
        "done(osgapFormula.clocks(model, arguments[0], [20, 640], 4)); });"
    )
    clocks = browser.execute_async_script(script, step)
    near = [clock for clock in clocks if abs(clock / 22.5 - 1) < 0.001]
    assert len(near) == 2 and near[0] < 22.5 < near[1] and clocks == sorted(clocks)
    no_errors(browser)


def test_without_a_mean_explore_opens_with_a_system_call(
    opened: Opener, tmp_path: Path, built: BuiltPage
) -> None:
    models = {name: {**model, "sets": []} for name, model in built.page.models.items()}
    file = tmp_path / "no-mean.html"
    file.write_text(html(replace(built.page, models=models), library()))
    menu = Select(opened(file).find_element(By.ID, "explore-what"))
    assert menu.first_selected_option.get_attribute("value") == "getpid none"


def test_a_table_sorts_and_filters(opened: Opener, page: Path) -> None:
    browser = opened(page)
    column = "return [...document.querySelectorAll('#fastest tbody tr')].filter(r => !r.hidden)"
    heading = browser.find_element(By.CSS_SELECTOR, "#fastest th[data-name=fixed] button")
    heading.click()
    values = browser.execute_script(f"{column}.map(r => Number(r.cells[1].dataset.value))")
    assert values == sorted(values) and len(values) > 5
    heading.send_keys(Keys.ENTER)
    falling = browser.execute_script(f"{column}.map(r => Number(r.cells[1].dataset.value))")
    assert falling == values[::-1]
    words = browser.find_element(By.CSS_SELECTOR, "#fastest input[type=search]")
    words.send_keys("context")
    names = f"{column}.map(r => r.cells[0].textContent)"
    assert browser.execute_script(names) == ["context switch"]
    assert browser.find_element(By.CSS_SELECTOR, "#fastest output").text == "1 of 9 rows"
    words.send_keys(" nowhere")
    assert browser.execute_script(names) == []
    assert "No row contains" in browser.find_element(By.ID, "fastest").text
    no_errors(browser)


def test_tables_are_saved_as_they_are(opened: Opener, page: Path) -> None:
    browser = opened(page)
    folder: Path = browser.downloads  # type: ignore[attr-defined]
    Select(browser.find_element(By.ID, "table")).select_by_value("geomean")
    browser.find_element(By.ID, "save-csv").click()
    browser.find_element(By.ID, "save-json").click()
    csv, told = folder / "geomean.csv", folder / "geomean.json"
    soon(lambda: csv.is_file() and told.is_file())
    assert csv.read_text() == (LOCKED / "curve/default" / "tables" / "geomean.csv").read_text()
    records = json.loads(told.read_text())
    known = pd.read_csv(csv)
    assert [one["geomean"] for one in records] == pytest.approx(known["geomean"].tolist())
    no_errors(browser)


@pytest.mark.parametrize(
    "run",
    [
        "curve/default",
        "curve/gem5",
        "prediction/disk-requests/rvsim",
        "publications/suites/rvsim",
        "paper/fitted-rvsim/DS3100",
        "remote/rates-gem5",
    ],
)
def test_the_sliders_predict_what_python_does(browser: WebDriver, run: str) -> None:
    own = load_runs([LOCKED / run])[0]
    lent, known = lender(committed_prior(), own.engine), suites()
    data = explorer(own, known, MACHINES, lent)
    made = explored(own, lambda reference: corner_systems(own, reference), lent)
    browser.get("about:blank")
    script = (project_root() / "osgap" / "report" / "assets" / "formula.js").read_text()
    browser.execute_script(f"{script}; window.formula = osgapFormula")
    drawn, compared = random.Random(25), 0
    for _ in range(_SETTINGS):
        at = {
            axis: float(f"{low * (high / low) ** drawn.random():.4g}")
            for axis, (low, high) in ranges(own, made.reference).items()
        }
        tables = predicted_at(made, at)
        call = "return formula.predict(arguments[0], arguments[1]).relative"
        found = browser.execute_script(call, data, at)
        speeds, means = tables["relative"], tables["geomean"]
        wanted = {
            f"{row['benchmark']} {row['fs']}": row["relative"]
            for row in speeds[speeds["series"] == SERIES]
            .dropna(subset="relative")
            .to_dict("records")
        } | {
            row["set"]: row["geomean"]
            for row in means[means["series"] == SERIES].dropna(subset="geomean").to_dict("records")
        }
        for name, value in wanted.items():
            assert found[name]["value"] == pytest.approx(value, rel=1e-6), (name, at)
            compared += 1
    assert compared > 100


def test_sliders_reach_beyond_what_was_simulated() -> None:
    own = load_runs([LOCKED / "curve/default"])[0]
    made = explored(own, lambda reference: [reference.system], None)
    wide, seen = ranges(own, made.reference), simulated_ranges(own, made.reference)
    for axis, (low, high) in wide.items():
        assert low <= seen[axis][0] and high > seen[axis][1], axis


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_it_is_accessible_and_fits(opened: Opener, page: Path, scheme: str, width: int) -> None:
    browser = opened(page)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    time.sleep(1.5)
    assert serious_faults(browser) == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
