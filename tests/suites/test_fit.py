# SPDX-License-Identifier: BSD-3-Clause
"""Calibration of machines whose rates are known formulas: it finds what they were made with."""

from dataclasses import dataclass

import pytest

from osgap.analysis.reference import load_reference
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.engines import load
from osgap.machines.machine import Fit, fitted, load_machine
from osgap.machines.system import system
from osgap.suites.ousterhout.calibration.calibrate import Calibrated, table_rows, write_fit
from osgap.suites.ousterhout.calibration.fit import (
    CLOCK_STEP_MHZ,
    MIN_TIME_SCALE,
    SHAPES,
    Rates,
    close,
    first_guess,
    improved,
    line_bytes,
    target,
    to_fit,
)

MACHINES = project_root() / "configs" / "machines"
TEN = sorted(path.stem for path in (MACHINES / "paper").glob("*.toml"))


@dataclass(frozen=True)
class Toy:
    """A machine whose rates follow from its figures: what an engine would measure."""

    mips_per_mhz: float
    cached_per_mhz: float

    def measure(self, fit: Fit, engine: str) -> Rates:
        clock, line = fit.clock_mhz.value, fit.line_bytes
        latency = fit.latency_ns.value / 1000
        transfer = line / fit.bandwidth_mb_s.value
        overlapped = SHAPES[engine].overlapped
        memory = max(latency, 3 * transfer) if overlapped else 2 * latency + transfer
        cached = self.cached_per_mhz * clock
        return Rates(self.mips_per_mhz * clock, cached, 1 / (1 / cached + memory / line))


@pytest.mark.parametrize("engine", ["rvsim", "gem5"])
@pytest.mark.parametrize("name", TEN)
def test_a_few_rounds_find_every_machine_that_can_be_found(name: str, engine: str) -> None:
    machine = load_machine(MACHINES / "paper" / f"{name}.toml")
    wanted = target(load_reference("ousterhout_tables"), name)
    toy = Toy(mips_per_mhz=0.5, cached_per_mhz=4.0)
    shape = SHAPES[engine]
    guess = first_guess(machine, wanted, shape)
    for _ in range(6):
        fit = to_fit(guess, machine, shape)
        found = toy.measure(fit, engine)
        guess = improved(guess, wanted, found, shape)
    assert found.mips == pytest.approx(wanted.mips, rel=0.01)
    assert close(wanted, found, limit=0.02)


@pytest.mark.parametrize("engine", ["rvsim", "gem5"])
@pytest.mark.parametrize("name", TEN)
def test_a_fit_is_a_system_that_the_engine_can_have(name: str, engine: str) -> None:
    machine = load_machine(MACHINES / "paper" / f"{name}.toml")
    shape = SHAPES[engine]
    wanted = target(load_reference("ousterhout_tables"), name)
    fit = to_fit(first_guess(machine, wanted, shape), machine, shape)
    assert fit.time_scale >= MIN_TIME_SCALE * 0.999
    assert fit.line_bytes == line_bytes(machine, shape) >= shape.smallest_line
    resolved = system(fitted(machine.model_copy(update={"fit": {engine: fit}}), engine))
    assert resolved.clock_mhz % CLOCK_STEP_MHZ == 0
    cycles = resolved.memory.latency_ns * resolved.clock_mhz / 1000
    assert cycles == pytest.approx(round(cycles), abs=1e-3)
    assert round(cycles) >= shape.floor_cycles
    if engine == "rvsim":
        load("rvsim").check(resolved)


@pytest.mark.parametrize("path", sorted(MACHINES.glob("paper*/*.toml")), ids=lambda p: p.stem)
def test_committed_fits_are_systems(path) -> None:
    machine = load_machine(path)
    for engine in SHAPES:
        assert engine in machine.fit, f"{path} was not calibrated for {engine}"
        resolved = system(fitted(machine, engine))
        assert resolved.clock_mhz % CLOCK_STEP_MHZ == 0
    load("rvsim").check(system(fitted(machine, "rvsim")))


def test_written_fits_replace_older_ones_and_leave_the_rest(tmp_path) -> None:
    source = MACHINES / "paper" / "DS3100.toml"
    copy = tmp_path / "DS3100.toml"
    copy.write_text(source.read_text())
    machine = load_machine(copy)
    wanted = target(load_reference("ousterhout_tables"), "DS3100")
    for engine in SHAPES:
        fit = to_fit(first_guess(machine, wanted, SHAPES[engine]), machine, SHAPES[engine])
        write_fit(copy, engine, fit)
        write_fit(copy, engine, fit)
        again = load_machine(copy)
        assert again.fit[engine] == fit
        assert again.model_copy(update={"fit": {}}) == machine.model_copy(update={"fit": {}})
    assert copy.read_text().count("[fit.") == len(SHAPES)


def test_targets_are_the_papers() -> None:
    tables = load_reference("ousterhout_tables")
    assert target(tables, "MVAX2") == Rates(0.9, 3.5, 3.3)
    mach_and_others = target(tables, "DS3100")
    assert mach_and_others.uncached == pytest.approx((5.4 * 5.1 * 5.1) ** (1 / 3))
    assert target(tables, "DS3100", 1989).mips == 13
    with pytest.raises(OsgapError, match="Cray"):
        target(tables, "Cray")


def test_what_lies_beyond_five_per_cent_is_named() -> None:
    machine = load_machine(MACHINES / "paper" / "DS3100.toml")
    wanted = Rates(12, 10, 5)
    fit = to_fit(first_guess(machine, wanted, SHAPES["rvsim"]), machine, SHAPES["rvsim"])
    rows = table_rows([Calibrated("a", fit, wanted, Rates(12.1, 20, 5.2))])
    assert rows[0]["beyond_5_percent"] == "cached" and rows[0]["cached_ratio"] == 2
