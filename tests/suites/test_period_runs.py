# SPDX-License-Identifier: BSD-3-Clause
"""The committed runs of the machines that spend what 1990 did."""

from pathlib import Path

import pandas as pd
import pytest

from osgap.analysis.reference import load_reference
from osgap.base.paths import project_root
from osgap.machines.machine import load_fitted
from osgap.suites.ousterhout.calibration.fit import Rates, target
from osgap.suites.ousterhout.entry import ENTRY, ROWS, entry_table
from osgap.suites.ousterhout.simulated import simulated_values

LOCKED = project_root() / "results" / "locked"
MACHINES = project_root() / "configs" / "machines"
REFERENCE = load_reference("ousterhout_tables")
NAMES = sorted(file.stem for file in (MACHINES / "period").glob("*.toml"))
OF_1989 = sorted(file.stem for file in (MACHINES / "period-1989").glob("*.toml"))
ENGINES = ("rvsim", "gem5")
MIPS_OFF, COPYING_OFF = 0.005, 0.08
"""A fit's own run is within 3 %; in a whole sweep other pages are copied."""


@pytest.fixture(scope="module", params=["rvsim", pytest.param("gem5", marks=pytest.mark.long)])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def own(engine: str) -> pd.DataFrame:
    return simulated_values(LOCKED / f"paper/period-{engine}")


@pytest.fixture(scope="module")
def of_1989(engine: str) -> pd.DataFrame:
    return simulated_values(LOCKED / f"paper/period-1989-{engine}", 1989)


def check_mips_and_copying(runs: pd.DataFrame, name: str, wanted: Rates) -> None:
    copy = runs[(runs["machine"] == name) & (runs["benchmark"] == "bcopy_uncached")].iloc[0]
    assert copy["mips"] == pytest.approx(wanted.mips, rel=MIPS_OFF)
    assert copy["value"] == pytest.approx(wanted.uncached, rel=COPYING_OFF)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_machine_has_its_mips_and_its_copying_rate(own: pd.DataFrame, name: str) -> None:
    check_mips_and_copying(own, name, target(REFERENCE, name))


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_1989)
def test_so_has_each_that_the_note_of_1989_rates(of_1989: pd.DataFrame, name: str) -> None:
    check_mips_and_copying(of_1989, name, target(REFERENCE, name, 1989))


@pytest.mark.slow
def test_with_and_without_differ_in_nothing_but_what_entry_spends(engine: str) -> None:
    """Machines of which nothing is known, or that are the reference, are the same in both."""
    folders = [LOCKED / f"paper/{kind}-{engine}" for kind in ("no-entry", "entry")]
    off, on = (simulated_values(folder).set_index(["machine", "benchmark"]) for folder in folders)
    assert list(off.index) == list(on.index)
    shorter = set()
    for name in NAMES:
        machine, reference = load_fitted(MACHINES / "period" / f"{name}.toml", engine, MACHINES)
        spends = machine.entry and reference and machine.entry.system_call.value > 45
        for benchmark in ROWS:
            before, after = (frame.loc[(name, benchmark), "value"] for frame in (off, on))
            if spends and after < before:
                shorter.add((name, benchmark))
            else:
                assert (after > before) if spends else (after == before), (name, benchmark)
    assert shorter == ({("DS3100", "select_10_full")} if engine == "rvsim" else set())


@pytest.mark.slow
def test_the_committed_table_of_entry_is_that_of_the_committed_runs() -> None:
    pairs = {
        name: (LOCKED / f"paper/no-entry-{name}", LOCKED / f"paper/entry-{name}")
        for name in ENGINES
    }
    committed = pd.read_csv(Path(LOCKED / "paper/period" / "tables" / "entry.csv"))
    made = entry_table(pairs)
    assert list(committed.columns) == ENTRY.names
    pd.testing.assert_frame_equal(committed, made, rtol=1e-4, atol=1e-4)
