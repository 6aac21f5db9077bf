# SPDX-License-Identifier: BSD-3-Clause
"""The explorer's numbers in a real browser are Python's, to six digits."""

import math
from collections.abc import Iterator
from statistics import geometric_mean

import pytest
from explorers import (
    FASTEST,
    KEYS,
    OWN,
    SERIES,
    SIX_DIGITS,
    Known,
    Opener,
    Row,
    Setting,
    at,
    near,
    no_errors,
    predicted_at,
    preset,
    sentence,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from osgap.analysis.suite import composites, subtracted
from osgap.predict.busy_time import MemoryPosition
from osgap.predict.model import Operands
from osgap.predict.observations import exact_memory_position, memory_position
from osgap.suites import suites

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("browser")]


def predicted(known: Known, setting: Setting) -> dict[str, float]:
    """R by row and by set, relative to the explorer's reference."""
    tables = predicted_at(known.model, setting)
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
        found = browser.execute_script(f"return {OWN}.gains(arguments[0])", setting)
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
    call = f"return {OWN}.faster({OWN}.at(arguments[0]), {OWN}.at(arguments[1]))"
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
        f"return {OWN}.faster({OWN}.at(arguments[0]), {OWN}.at(arguments[0]))",
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
