# SPDX-License-Identifier: BSD-3-Clause
"""Machines that simulate faster than they are: compared with others on their own time."""

import pandas as pd
import pytest
from suite_runs import byte, mcvoy, scale_time, write_part

from osgap.analysis.analysed import AnalysedRun, PlacedPoint
from osgap.analysis.runs import placed_points
from osgap.suites import load_runs
from osgap.suites.hohmuth.runs import measured_lines
from osgap.suites.raveling.hypothesis import hypothesis_table
from osgap.suites.raveling.runs import study

SCALE = 16.0


NAMES = {
    "empty_loop",
    "integer_mix",
    "null_call",
    "pipe_bandwidth",
    "context1",
    "iocall",
    "fs_read_1",
    "sh_load_8",
}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> list[PlacedPoint]:
    """The same costs twice, the second said to be of a machine SCALE times slower."""
    tmp_path = tmp_path_factory.mktemp("pair")
    for name, scale in (("itself", 1.0), ("scaled", SCALE)):
        benches = tuple(bench for bench in (*mcvoy(), *byte()[2:]) if bench.name in NAMES)
        write_part(tmp_path / name, benches, variant=f"clang-{name}")
        scale_time(tmp_path / name, scale)
    return placed_points(load_runs([tmp_path]))


def runs_of(points: list[PlacedPoint]) -> tuple[AnalysedRun, AnalysedRun]:
    first, second = dict.fromkeys(point.analysed for point in points)
    return first, second


def test_times_grow_and_rates_shrink_by_the_scale(pair: list[PlacedPoint]) -> None:
    itself, scaled = (
        run.machine_time["times"].set_index(["key", "benchmark", "fs"]) for run in runs_of(pair)
    )
    ratio = scaled["median"] / itself["median"]
    rates = itself["metric"].isin(["MB/s", "MIPS"])
    assert rates.any() and not rates.all()
    assert ratio[rates].to_numpy() == pytest.approx(1 / SCALE)
    assert ratio[~rates].to_numpy() == pytest.approx(SCALE)
    assert (scaled["ns_per_op"] / itself["ns_per_op"]).to_numpy() == pytest.approx(SCALE)


def test_mips_shrink_and_clocks_stay(pair: list[PlacedPoint]) -> None:
    itself, scaled = (run.machine_time["points"] for run in runs_of(pair))
    assert (itself["mips"] / scaled["mips"]).to_numpy() == pytest.approx(SCALE)
    assert scaled["clock_mhz"].equals(itself["clock_mhz"])


def test_the_runs_own_tables_stay_simulated_time(pair: list[PlacedPoint]) -> None:
    itself, scaled = (run.tables for run in runs_of(pair))
    pd.testing.assert_frame_equal(itself["times"], scaled["times"])


def test_the_publications_tables_are_of_own_time(pair: list[PlacedPoint]) -> None:
    costs = study(pair).costs
    own = [one for one in costs if one.compiler == "clang-itself"]
    assert own
    for one in own:
        scaled = costs[one._replace(compiler="clang-scaled")]
        name = ("context1", "real")
        assert scaled[name] == pytest.approx(SCALE * costs[one][name])
    lines = measured_lines(pair)
    before, after = lines[0].values, lines[len(lines) // 2].values
    assert after["null_call"] == pytest.approx(SCALE * before["null_call"])
    assert after["pipe_bandwidth"] == pytest.approx(before["pipe_bandwidth"] / SCALE)


def test_r_does_not_depend_on_the_scale(pair: list[PlacedPoint]) -> None:
    half = len(pair) // 2
    tables = [hypothesis_table(own) for own in (pair[:half], pair[half:])]
    r = [table[table["measure"] == "relative"]["spearman"] for table in tables]
    pd.testing.assert_series_equal(*r)
