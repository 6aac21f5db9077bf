# SPDX-License-Identifier: BSD-3-Clause
"""The explorer in a real browser: each of its parts answers."""

import struct
import time
from pathlib import Path

import measured
import pytest
from accessibility import serious_faults
from explorers import FASTEST, Known, Opener, at, no_errors, preset, rested, sentence, soon
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from osgap.cli.main import main
from osgap.report.marks import native_marks
from osgap.suites import load_runs, suites

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a machine that does not exist."""
    folder = tmp_path_factory.mktemp("native")
    words = ["native", "--import", str(measured.file(folder)), "--name", "board"]
    assert main([*words, "--output", str(folder / "run")]) == 0
    return folder / "run"


def test_the_address_keeps_the_state(opened: Opener, known: Known) -> None:
    browser = opened(known.file)
    preset(browser, "+ memory")
    browser.find_element(By.ID, "keep").click()
    Select(browser.find_element(By.ID, "card")).select_by_value("nothing")
    typed = browser.find_element(By.ID, "clock_mhz-typed")
    typed.send_keys(Keys.CONTROL, "a")
    typed.send_keys("100", Keys.ENTER)
    browser.find_element(By.CSS_SELECTOR, "[data-axis=disk_speed][data-by='2']").click()
    slider = browser.find_element(By.ID, "latency_ns")
    slider.send_keys(Keys.ARROW_RIGHT)
    told, state = sentence(browser), "return JSON.stringify(osgapExplorer.kept.state)"
    kept, fragment = browser.execute_script(state), rested(browser)
    again = opened(known.file, f"#{fragment}")
    assert (again.execute_script(state), sentence(again)) == (kept, told)
    assert '"clock_mhz":100' in kept and '"disk_speed":2' in kept
    again.find_element(By.ID, "reset").click()
    assert sentence(again).startswith("32 times the clock made the operating system ")
    no_errors(again)


def test_a_guess_comes_before_the_answer(opened: Opener, known: Known) -> None:
    browser = opened(known.file, FASTEST)
    mean = at(browser, known.explorer.presets[4]["at"])["mean"]["value"]
    browser.find_element(By.ID, "guess").click()
    page = browser.find_element(By.TAG_NAME, "main").text
    assert f"{mean:.2f}" not in page and "drag the point" in sentence(browser)
    names = [
        row.get_attribute("data-row") for row in browser.find_elements(By.CSS_SELECTOR, ".row")
    ]
    assert names[:-1] == [" ".join(row) for row in known.rows]
    number = browser.find_element(By.ID, "guess-value")
    number.clear()
    number.send_keys("0.5")
    browser.find_element(By.ID, "guess").click()
    told = browser.find_element(By.ID, "guess-told").text
    assert told.startswith(f"You guessed 0.50. The model says {mean:.2f}")
    assert f"{0.5 / mean:.3g} times too high" in told
    link = browser.execute_script("return osgapExplorer.kept.guessLink()")
    assert "?guess=0.5#" in link
    opened(known.file, "?guess=0.2,0.3,0.7" + FASTEST)
    assert "3 guesses of a class are here" in browser.find_element(By.ID, "guess-told").text
    browser.find_element(By.ID, "guess").click()
    assert "median 0.30, from 0.20 to 0.70" in browser.find_element(By.ID, "guess-told").text
    pasted = browser.execute_script(
        "return osgapExplorer.kept.pasted(arguments[0])", f"{link} {link}"
    )
    assert pasted == [0.5, 0.5]
    no_errors(browser)


def test_a_point_is_dragged(opened: Opener, known: Known) -> None:
    browser = opened(known.file, FASTEST + "&guessing=yes")
    browser.execute_script(
        "const box = document.getElementById('curve').getBoundingClientRect();"
        "document.getElementById('curve').dispatchEvent(new PointerEvent('pointerdown',"
        "{clientX: box.left + 9, clientY: box.top + box.height / 2, bubbles: true}))"
    )
    guess = browser.execute_script("return osgapExplorer.kept.state.guess")
    assert 0.4 < guess < 0.8
    no_errors(browser)


@pytest.mark.parametrize(
    ("card", "before", "after", "told"),
    [
        ("reach", "640,200,400,1", "640,12.5,6400,16", "R is 0.8"),
        ("nothing", "20,200,400,1", "1.6,1.5,52000,1", "by 0.0 %"),
        ("waiting", "20,200,400,1", "1280,200,400,1", "it waits for memory"),
    ],
)
def test_a_card_is_checked(
    opened: Opener, known: Known, card: str, before: str, after: str, told: str
) -> None:
    browser = opened(known.file, f"#at={before}&card={card}")
    output = browser.find_element(By.ID, "card-told")
    assert output.text.startswith("Not yet") and "solved" not in output.get_attribute("class")
    opened(known.file, f"#at={after}&card={card}")
    output = browser.find_element(By.ID, "card-told")
    assert told in output.text and "solved" in output.get_attribute("class")


def test_a_measured_machine_is_a_mark(opened: Opener, known: Known, native: Path) -> None:
    browser = opened(known.file)
    tables = [str(native / "tables" / name) for name in ("times.csv", "points.csv")]
    browser.execute_script("document.getElementById('measured').open = true")
    browser.find_element(By.ID, "measured-folder").send_keys(str(native))
    soon(lambda: "board: R" in browser.find_element(By.ID, "measured-told").text)
    (mark,) = native_marks(load_runs([native])[0], known.run, known.model.reference.key, suites())
    (found,) = browser.execute_script("return osgapExplorer.kept.state.natives")
    wanted = mark["relative"]
    assert isinstance(wanted, dict)
    assert found["mips_ratio"] == pytest.approx(mark["mips_ratio"], rel=1e-5)
    shown = {" ".join(row) for row in known.rows} | {known.explorer.data["set"]}
    assert set(found["relative"]) == shown & set(wanted)
    for name, value in found["relative"].items():
        # The tables have six digits.
        assert value == pytest.approx(wanted[name], rel=3e-5), name
    assert "board, measured" in browser.find_element(By.ID, "curve").get_attribute("innerHTML")
    fragment = rested(browser)
    again = opened(known.file, f"#{fragment}")
    (kept,) = again.execute_script("return osgapExplorer.kept.state.natives")
    assert kept["mips_ratio"] == pytest.approx(found["mips_ratio"], rel=1e-5)
    again.execute_script("document.getElementById('measured').open = true")
    again.find_element(By.ID, "forget").click()
    again.find_element(By.ID, "measured-files").send_keys("\n".join(tables))
    soon(lambda: len(again.execute_script("return osgapExplorer.kept.state.natives")) == 1)
    again.find_element(By.ID, "measured-files").send_keys(tables[0])
    assert "found no times.csv and points.csv" in wait_for(again, "trouble")
    no_errors(again)


def wait_for(browser: WebDriver, name: str) -> str:
    """The text of an element, once it has any."""
    soon(lambda: bool(browser.find_element(By.ID, name).text))
    return browser.find_element(By.ID, name).text


def test_a_picture_is_saved(opened: Opener, known: Known) -> None:
    browser = opened(known.file, FASTEST)
    file: Path = browser.downloads / "explore.png"  # type: ignore[attr-defined]
    browser.find_element(By.ID, "png").click()
    soon(file.is_file)
    head = file.read_bytes()[:24]
    assert head[:4] == b"\x89PNG" and struct.unpack(">II", head[16:]) == (1920, 1080)
    no_errors(browser)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("width", "height", "fragment"),
    [
        (1280, 720, FASTEST),
        (400, 800, FASTEST),
        (1920, 1080, FASTEST + "&projector=yes"),
        (1280, 720, FASTEST + "&projector=yes"),
    ],
)
def test_it_is_accessible_and_fits(
    opened: Opener, known: Known, scheme: str, width: int, height: int, fragment: str
) -> None:
    browser = opened(known.file, fragment)
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    time.sleep(0.5)
    assert serious_faults(browser) == []
    whole = "return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    wide, high = browser.execute_script(whole)
    assert wide <= width
    assert high <= height or width < 600
    if "projector" in fragment:
        size_of = (
            "return [...document.querySelectorAll('#bars text')].map(t => parseFloat("
            "getComputedStyle(t).fontSize))"
        )
        assert min(browser.execute_script(size_of)) >= 21
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
