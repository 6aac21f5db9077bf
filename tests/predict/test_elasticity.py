# SPDX-License-Identifier: BSD-3-Clause
"""How predicted times follow clock, memory and disk."""

import csv
import io
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.predict.elasticity import elasticities
from osgap.predict.grid import simulated
from osgap.predict.model import fitted_run
from osgap.predict.prediction import only_run, predict_run, run_elasticities
from osgap.suites import suites

ROOT = project_root()
LOCKED, MACHINES = ROOT / "results" / "locked", ROOT / "configs" / "machines"
RUNS = ["curve/quick/rvsim", "prediction/disk-requests/rvsim"]


@pytest.mark.parametrize("name", RUNS)
def test_four_speeds_together_are_one_factor(name: str) -> None:
    """A replay depends on where the disk stands, and its times are whole ns."""
    rows = run_elasticities(only_run(LOCKED / name), {"clock_mhz": [80, 320]}, (), MACHINES)
    assert {80, 320} < set(rows["clock_mhz"]) and rows.notna().all(axis=None)
    assert np.allclose(
        rows["clock"] - rows["latency"] + rows["bandwidth"] + rows["disk"],
        -1,
        atol=0.01 if name == RUNS[0] else 0.25,
    )


def test_what_waits_for_nothing_follows_the_clock_alone() -> None:
    rows = run_elasticities(only_run(LOCKED / RUNS[0]), {"clock_mhz": [320]}, (), MACHINES)
    at = rows[rows["clock_mhz"] == 320].set_index(["benchmark", "fs"])
    assert at.loc[("getpid", "none"), "clock"] == pytest.approx(-1, abs=0.01)
    assert at.loc[("create_delete_0", "unix"), "disk"] == pytest.approx(-1, abs=0.01)
    assert at.loc[("bcopy_uncached", "none"), "bandwidth"] < -0.8
    assert at.loc[("andrew_total", "unix"), "disk"] < -0.8


def test_a_slope_is_that_of_the_predicted_times() -> None:
    run = only_run(LOCKED / RUNS[0])
    near = {"clock_mhz": [300], "bandwidth_mb_s": [390, 410]}
    times = predict_run(run, near, (), MACHINES).predicted
    times = times[times["clock_mhz"] == 300]
    place = {"index": ["benchmark", "fs"], "columns": "bandwidth_mb_s"}
    wide = times.pivot_table(**place, values="ns_per_op")
    slopes = np.log(wide[410] / wide[390]) / math.log(410 / 390)
    told = run_elasticities(run, {"clock_mhz": [300]}, (), MACHINES)
    told = told[told["clock_mhz"] == 300].set_index(["benchmark", "fs"])["bandwidth"]
    both = pd.concat([slopes, told], axis=1, join="inner")
    assert len(both) > 8 and np.allclose(both[0], both["bandwidth"], atol=0.02)


def test_slopes_are_of_the_simulated_clock_where_a_file_scales_its_time() -> None:
    """With time_scale 2, a machine file's 20 MHz are simulated at 40."""
    run = only_run(LOCKED / RUNS[0])
    model, machine = fitted_run(run, ()).model, simulated(run.run)[0]
    scaled = replace(machine, clock_mhz=machine.clock_mhz / 2)
    slopes = [
        elasticities(model, [each], suites()).drop(columns="clock_mhz")
        for each in (machine, scaled)
    ]
    assert slopes[0].equals(slopes[1])


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["predict", str(LOCKED / RUNS[0]), "--table", "elasticity", "--cpu-mhz", "320"]
    assert main([*words, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows[0]["machine"] == "base" and float(rows[0]["clock"]) < 0
    assert main(words) == 0
    assert "e-0" not in capsys.readouterr().out
    assert main([*words[:4], "--machine", "drawn/m01", "--against", str(LOCKED)]) == 2
    assert "--against: found beside --table" in capsys.readouterr().err
