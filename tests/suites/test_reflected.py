# SPDX-License-Identifier: BSD-3-Clause
"""Reflected calls against direct ones, beside the publication's ratios."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from suite_runs import mcvoy, slower, write_part

from osgap.analysis.reference import load_reference
from osgap.analysis.runs import placed_points
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.hohmuth.reflected import published_ratios, reflected_sheets, reflected_table

FACTORS = {"null_call": 17.0, "ctxsw_2": 30.0, "pipe_bandwidth": 2.3, "sh_process": 1.0}


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    path = tmp_path / "sweep"
    write_part(path / "direct", mcvoy(), clocks=(20, 80))
    costs = slower(FACTORS)
    write_part(path / "patch", mcvoy(), calls="patch-first", costs=costs, clocks=(20, 80))
    return path


def test_the_published_ratios() -> None:
    seed = published_ratios(load_reference("hohmuth_lmbench")).set_index("benchmark")
    assert len(seed) == 23
    call = seed.loc["null_call"]
    assert call["seed"] == pytest.approx((56 + 48 + 51) / 9)
    assert (call["seed_low"], call["seed_high"]) == pytest.approx((48 / 3, 56 / 3))
    assert seed.loc["pipe_bandwidth", "seed"] == pytest.approx(29 / 66)
    assert pd.isna(seed.loc["latency_l1", "seed"])
    assert seed.loc["latency_memory", "seed"] == pytest.approx(312 / 316)


def test_ratios_and_what_lies_beyond_2x(sweep: Path) -> None:
    table = reflected_table(placed_points(load_runs([sweep])), load_reference("hohmuth_lmbench"))
    own = table[(table["series"] == "fixed") & (table["clock_mhz"] == 80)].set_index("benchmark")
    assert own.loc["null_call", "ratio"] == pytest.approx(17)
    assert own.loc["null_call", "differs"] == pytest.approx(17 / (155 / 9))
    assert own.loc["null_call", "beyond"] == "no"
    assert own.loc["ctxsw_2", "beyond"] == "yes"
    assert own.loc["pipe_bandwidth", "ratio"] == pytest.approx(1 / 2.3)
    assert own.loc["pipe_bandwidth", "beyond"] == "no"
    assert own.loc["sh_process", "ratio"] == pytest.approx(1)
    assert own.loc["udp_latency", "beyond"] == "yes"
    assert own.loc["latency_l1", "beyond"] == ""
    titles, sheets = zip(*reflected_sheets(table), strict=True)
    assert "reflected by direct, base, default, fixed 20 MHz, rvsim" in titles
    shown = sheets[0].set_index("benchmark")["patch-first / published"]
    assert shown["ctxsw_2"].endswith(" !")
    assert shown["latency_l1"] == ""


def test_without_a_pair_it_says_so(tmp_path: Path) -> None:
    write_part(tmp_path / "direct", mcvoy(), clocks=(20,))
    write_part(tmp_path / "other", mcvoy(), calls="patch-first", variant="musl", clocks=(20,))
    with pytest.raises(ResultsError, match="no run with reflected calls has one with direct"):
        reflected_table(placed_points(load_runs([tmp_path])), load_reference("hohmuth_lmbench"))


@pytest.mark.slow
def test_the_script_prints_and_writes_it(sweep: Path, repository: Path) -> None:
    command = [sys.executable, str(repository / "scripts" / "analyze.py"), str(sweep)]
    done = subprocess.run(
        [*command, "--table", "reflected", "--mhz", "80"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "patch-first / published" in done.stdout
    written = pd.read_csv(sweep / "tables" / "reflected.csv")
    assert set(written["clock_mhz"]) == {80}
    assert len(written) == 4 * 23
