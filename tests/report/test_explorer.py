# SPDX-License-Identifier: BSD-3-Clause
"""The explorer in a real browser: its numbers are Python's, and each of its parts answers."""

import math
import random
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import measured
import pytest
from accessibility import serious_faults
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.suite import composites, subtracted
from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.machines.system import System
from osgap.predict.borrowed_errors import committed_prior, lender
from osgap.predict.busy_time import MemoryPosition
from osgap.predict.model import Operands
from osgap.predict.observations import exact_memory_position, memory_position
from osgap.predict.prediction import Explored, explored
from osgap.predict.tables import time_rows
from osgap.report.explore_page import Explorer, build_explorer, explorer_html
from osgap.report.marks import native_marks
from osgap.report.sliders import SERIES, corner_systems, predicted_at, system_at
from osgap.report.subject import load
from osgap.suites import load_runs, suites

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("browser")]
DEFAULT = project_root() / "results" / "locked" / "default"
Opener = Callable[..., WebDriver]
Setting = dict[str, float]
Row = tuple[str, str]
KEYS = ("clock_mhz", "latency_ns", "bandwidth_mb_s", "disk_speed")
FASTEST = "#at=640,200,400,1"
SIX_DIGITS = 1e-6
_SETTINGS = 6
_OWN = "osgapExplorer.own"


@dataclass(frozen=True, eq=False)
class Known:
    """The page's file, its content, and the model that it must agree with."""

    file: Path
    explorer: Explorer
    run: AnalysedRun
    model: Explored

    @property
    def rows(self) -> list[Row]:
        keys = [str(row["key"]).split() for row in self.explorer.data["rows"]]
        return [(name, fs) for name, fs in keys]

    def settings(self) -> Iterator[Setting]:
        """The presets, and settings drawn from the sliders' whole ranges."""
        yield from (dict(preset["at"]) for preset in self.explorer.presets)
        drawn = random.Random(38)
        for _ in range(_SETTINGS):
            yield {
                axis["key"]: float(
                    f"{axis['low'] * (axis['high'] / axis['low']) ** drawn.random():.4g}"
                )
                for axis in self.explorer.axes
            }

    def system(self, at: Setting) -> System:
        return system_at(self.model.reference.system, at)

    def times(self, operands: Operands) -> dict[Row, float]:
        """The times of the rows, ns."""
        rows = time_rows("", self.model.model.times(operands), self.model.model, suites())
        times = {(str(row["benchmark"]), str(row["fs"])): row["ns_per_op"] for row in rows}
        return {row: float(str(times[row])) for row in self.rows}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Known:
    run = load_runs([DEFAULT])[0]
    lent = lender(committed_prior(), run.engine)
    explorer = build_explorer(load(DEFAULT), lambda engine: lent)
    file = tmp_path_factory.mktemp("explorer") / "explore.html"
    file.write_text(explorer_html(explorer))
    model = explored(run, lambda reference: corner_systems(run, reference), lent)
    return Known(file, explorer, run, model)


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a machine that does not exist."""
    folder = tmp_path_factory.mktemp("native")
    words = ["native", "--import", str(measured.file(folder)), "--name", "board"]
    assert main([*words, "--output", str(folder / "run")]) == 0
    return folder / "run"


def near(value: float) -> object:
    return pytest.approx(value, rel=SIX_DIGITS)


def no_errors(browser: WebDriver) -> None:
    assert [one for one in browser.get_log("browser") if one["level"] == "SEVERE"] == []


def sentence(browser: WebDriver) -> str:
    return browser.find_element(By.ID, "sentence").text


def soon(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def rested(browser: WebDriver) -> str:
    """The address's fragment, which follows a moment later."""
    time.sleep(0.4)
    return browser.current_url.partition("#")[2]


def preset(browser: WebDriver, name: str) -> None:
    browser.find_element(By.XPATH, f"//button[text()='{name}']").click()


def at(browser: WebDriver, setting: Mapping[str, float]) -> dict[str, Any]:
    found: dict[str, Any] = browser.execute_script(f"return {_OWN}.at(arguments[0])", setting)
    return found


def predicted(known: Known, setting: Setting) -> dict[str, float]:
    """R by row and by set, relative to the explorer's reference."""
    tables = predicted_at(known.model, setting, suites())
    # Python's R is relative to the slower machine of both.
    is_slower = setting["clock_mhz"] < known.model.reference.clock_mhz
    series = known.model.reference.series if is_slower else SERIES
    speeds = {
        f"{row['benchmark']} {row['fs']}": row["relative"]
        for row in tables["relative"].to_dict("records")
        if row["series"] == series
    } | {
        row["set"]: row["geomean"]
        for row in tables["geomean"].to_dict("records")
        if row["series"] == series
    }
    return {name: 1 / value if is_slower else value for name, value in speeds.items()}


def test_r_is_what_python_predicts(opened: Opener, known: Known) -> None:
    browser = opened(known.file)
    for setting in known.settings():
        wanted, found = predicted(known, setting), at(browser, setting)
        assert [row["key"] for row in found["rows"]] == [" ".join(row) for row in known.rows]
        for row in found["rows"]:
            assert row["value"] == near(wanted[row["key"]]), (row["key"], setting)
        assert found["mean"]["value"] == near(wanted[known.explorer.data["set"]])


def parts_of(known: Known, setting: Setting) -> dict[Row, list[float]]:
    """Computing, memory and disk of each row's time, ns, from the model's formulas."""
    system, parts = known.system(setting), {}
    for row, benchmark in known.model.model.benchmarks.items():
        busy, computing = (
            benchmark.busy_time.cycles(position) / system.clock_mhz * 1e3
            for position in (memory_position(system), MemoryPosition(0, 0))
        )
        total = benchmark.disk_wait.operation_time(busy, system.disk).ns
        shown = min(1.0, total / busy)
        parts[row] = [computing * shown, (busy - computing) * shown, total - busy * shown]
    loops = subtracted(suites())
    net = {}
    for (name, fs), own in parts.items():
        loop = parts.get((str(loops.get(name, "empty_loop")), "none"), [0.0] * 3)
        net[name, fs] = [part - over for part, over in zip(own, loop, strict=True)]
    sums = composites(suites())
    return {
        (name, fs): [math.fsum(values) for values in zip(*own, strict=True)]
        for name, fs in known.rows
        for own in [[net[part, fs] for part in sums.get(name, (name,))]]
    }


def test_the_parts_of_a_time_are_the_models_and_add_up(opened: Opener, known: Known) -> None:
    browser = opened(known.file)
    for setting in known.settings():
        wanted = parts_of(known, setting)
        times = known.times(Operands.of(known.system(setting)))
        for row in at(browser, setting)["rows"]:
            name = tuple(row["key"].split())
            assert sum(row["parts"]) == near(times[name])
            for found, part in zip(row["parts"], wanted[name], strict=True):
                assert found == pytest.approx(
                    max(0.0, part), rel=SIX_DIGITS, abs=1e-6 * times[name]
                )


def faster_parts(known: Known, setting: Setting) -> Iterator[tuple[str, Operands]]:
    """The machine with one part 10 % faster, where memory's cycles need not be whole."""
    before = known.system(setting)
    old, place = exact_memory_position(before), memory_position(before)
    for name, changes in (
        ("clock", {"clock_mhz": 1.1}),
        ("memory", {"latency_ns": 1 / 1.1, "bandwidth_mb_s": 1.1}),
        ("disk", {"disk_speed": 1.1}),
    ):
        after = known.system({key: setting[key] * changes.get(key, 1.0) for key in KEYS})
        new = exact_memory_position(after)
        position = MemoryPosition(
            max(1.0, place.latency * new.latency / old.latency),
            place.transfer * new.transfer / old.transfer,
        )
        yield name, Operands(after.clock_mhz, position, after.disk)


def test_gains_of_faster_parts_are_the_models(opened: Opener, known: Known) -> None:
    browser = opened(known.file)
    for setting in known.settings():
        found = browser.execute_script(f"return {_OWN}.gains(arguments[0])", setting)
        before = known.times(Operands.of(known.system(setting)))
        for name, operands in faster_parts(known, setting):
            after = known.times(operands)
            gain = geometric_mean([before[row] / after[row] for row in known.rows])
            assert 1 + found[name] == near(gain), (name, setting)


def test_a_machine_is_compared_with_another(opened: Opener, known: Known) -> None:
    browser = opened(known.file, f"{FASTEST}&a=20,200,400,1&what=cswitch+none")
    a, b = (
        {"clock_mhz": clock, "latency_ns": 200, "bandwidth_mb_s": 400, "disk_speed": 1}
        for clock in (20, 640)
    )
    call = f"return {_OWN}.faster({_OWN}.at(arguments[0]), {_OWN}.at(arguments[1]))"
    found = browser.execute_script(call, a, b)
    times = [known.times(Operands.of(known.system(own))) for own in (a, b)]
    for row in known.rows:
        one = found[" ".join(row)]
        assert one["value"] == near(times[0][row] / times[1][row])
        assert one["low"] < one["value"] < one["high"]
    told = browser.find_element(By.ID, "compared").text
    ratio = found["cswitch none"]["value"]
    assert told.startswith(f"B / A: {ratio:.3g} [") and "R is 1.00 on A" in told
    browser.find_element(By.ID, "swap").click()
    assert browser.find_element(By.ID, "compared").text.startswith(f"B / A: {1 / ratio:.3g}")
    browser.find_element(By.ID, "drop").click()
    assert not browser.find_element(By.ID, "swap").is_displayed()


def test_the_reference_has_no_interval(opened: Opener, known: Known) -> None:
    browser = opened(known.file)
    found = at(browser, known.explorer.presets[3]["at"])
    for row in [*found["rows"], found["mean"]]:
        assert row["low"] == row["value"] == row["high"] == 1
    preset(browser, "1990 workstation")
    assert sentence(browser) == (
        "This is the 1990 workstation: other machines are compared with it. R is 1.00."
    )
    same = browser.execute_script(
        f"return {_OWN}.faster({_OWN}.at(arguments[0]), {_OWN}.at(arguments[0]))",
        known.explorer.presets[5]["at"],
    )
    assert all(one["low"] == one["high"] == 1 for one in same.values())


def test_a_sentence_says_why(opened: Opener, known: Known) -> None:
    browser = opened(known.file)
    preset(browser, "clock x 32")
    setting = known.explorer.presets[4]["at"]
    mean = at(browser, setting)["mean"]
    assert sentence(browser).startswith("32 times the clock made the operating system ")
    assert sentence(browser).endswith(
        f"R is {mean['value']:.2f} [{mean['low']:.2f}, {mean['high']:.2f}]."
    )
    row = browser.find_element(By.CSS_SELECTOR, "[data-row='cswitch none']")
    row.send_keys(Keys.ENTER)
    parts = parts_of(known, setting)["cswitch", "none"]
    us, computing, waiting = (f"{ns / 1e3:.3g}" for ns in (sum(parts), *parts[:2]))
    begin = f"One context switch takes {us} us: {computing} computing, {waiting} waiting for memory"
    assert sentence(browser).startswith(begin)
    assert browser.execute_script("return document.activeElement.dataset.row") == "cswitch none"
    no_errors(browser)


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
