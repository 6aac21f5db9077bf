# SPDX-License-Identifier: BSD-3-Clause
"""The tables of a synthetic run, whose numbers are known from its model."""

import json
import math
from pathlib import Path

import pandas as pd
import pytest
from synthetic import BENCHES, CLOCKS, EMPTY_NS, Bench, parts, seal, write_run

from osgap.analysis.tables import read_tables, write_tables
from osgap.analysis.times import steady
from osgap.base.errors import OsgapError
from osgap.printing.tables import notes
from osgap.rundir.load import load_run
from osgap.suites import analyze, load_runs
from osgap.suites.ousterhout.suite import FIGURE1

# The guest counts whole ns.
ROUNDING = 1e-3
TABLES = (
    "points",
    "samples",
    "times",
    "relative",
    "geomean",
    "elasticity",
    "attribution",
    "disk",
    "checks",
)


def one(frame: pd.DataFrame, **where: object) -> dict[str, object]:
    for name, value in where.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1, where
    return {str(name): value for name, value in frame.iloc[0].to_dict().items()}


def test_median_without_the_empty_loop(tables: dict[str, pd.DataFrame]) -> None:
    row = one(tables["times"], key="fixed-80", benchmark="getpid")
    assert row["median"] == pytest.approx(20 / 4)
    assert row["best"] == pytest.approx(20 / 4)
    assert row["cold"] == pytest.approx((1.5 * (20000 + EMPTY_NS) - EMPTY_NS) / 4e3)
    assert (row["batches"], row["steady"], row["timer_irqs"]) == (3, "yes", 1)


def test_the_empty_loop_stays_in_the_rating(tables: dict[str, pd.DataFrame]) -> None:
    loop = one(tables["times"], key="base-20", benchmark="empty_loop")
    assert loop["median"] == pytest.approx(EMPTY_NS)
    chase = one(tables["times"], key="base-20", benchmark="pointer_chase_l1")
    assert chase["median"] == pytest.approx(100 + EMPTY_NS)
    insts, time = 1000 * 200 * 20 / 1e3 / 2, (1000 + EMPTY_NS) * 200
    point = one(tables["points"], series="fixed", clock_mhz=20)
    # The synthetic batches add 7 instructions each, as a tick would: the least counts.
    assert point["mips"] == pytest.approx(insts / time * 1e3)
    assert point["dhrystone_mips"] == pytest.approx(1e9 / (15000 + EMPTY_NS) / 1757)


def test_bandwidth(tables: dict[str, pd.DataFrame]) -> None:
    row = one(tables["times"], key="fixed-80", benchmark="read")
    assert row["median"] == pytest.approx(16384 / (100000 / 4 + 200000) * 1e3)
    assert row["metric"] == "MB/s"
    assert row["best"] > row["cold"]  # type: ignore[operator]


def test_andrew_sums(tables: dict[str, pd.DataFrame]) -> None:
    phases = one(tables["times"], key="base-20", benchmark="andrew_copyphases", fs="unix")
    total = one(tables["times"], key="base-20", benchmark="andrew_total", fs="unix")
    assert phases["median"] == pytest.approx(0.2 + 0.6 + 0.1 + 0.1)
    assert total["median"] == pytest.approx(1.0 + 2.5)
    assert (phases["metric"], phases["batches"]) == ("s", 2)


def test_no_sum_of_parts_that_were_not_measured(tmp_path: Path) -> None:
    benches = tuple(bench for bench in BENCHES if bench.name != "andrew_scandir")
    tables = analyze(load_run(write_run(tmp_path / "run", benches=benches)))
    assert "andrew_total" not in set(tables["times"]["benchmark"])
    assert set(tables["geomean"][tables["geomean"]["set"] == "figure1"]["not_run"]) == {
        "andrew_total"
    }


def test_relative_speeds_of_the_model(tables: dict[str, pd.DataFrame]) -> None:
    relative = tables["relative"]
    assert one(relative, series="fixed", clock_mhz=320, benchmark="getpid")[
        "relative"
    ] == pytest.approx(1, rel=ROUNDING)
    cswitch = one(relative, series="fixed", clock_mhz=320, benchmark="cswitch")["relative"]
    assert cswitch == pytest.approx(600 / (400 / 16 + 200) / 16)
    read = one(relative, series="fixed", clock_mhz=320, benchmark="read")["relative"]
    assert read == pytest.approx(300 / (100 / 16 + 200) / 16)
    scaled = relative[(relative["series"] == "both") & (relative["benchmark"] != "integer_mix")]
    assert scaled["relative"].tolist() == pytest.approx([1] * len(scaled), rel=ROUNDING)


def test_constant_time_falls_by_the_speedup(tmp_path: Path) -> None:
    def constant(series: str, clock: float, bench: Bench) -> tuple[float, float, float]:
        scaled = parts(series, clock, bench)
        flat = bench.name == "getpid"
        return (scaled[0], parts(series, CLOCKS[0], bench)[0] - scaled[0], 0) if flat else scaled

    tables = analyze(load_run(write_run(tmp_path / "run", parts=constant)))
    # The empty loop is taken off and does scale, so the rest is all but constant.
    row = one(tables["relative"], series="fixed", clock_mhz=320, benchmark="getpid")
    assert row["relative"] == pytest.approx(1 / 16, rel=5e-3)
    fit = one(tables["elasticity"], series="fixed", benchmark="getpid", kind="fit")
    assert fit["elasticity"] == pytest.approx(0, abs=2e-3)


def test_geometric_mean_counts_each_file_system(tables: dict[str, pd.DataFrame]) -> None:
    row = one(tables["geomean"], set="figure1", series="fixed", clock_mhz=320)
    own = tables["relative"]
    own = own[(own["series"] == "fixed") & (own["clock_mhz"] == 320)]
    own = own[own["benchmark"].isin(FIGURE1)]
    assert (row["n"], row["of"], row["not_run"]) == (10, 10, "")
    assert row["mips_ratio"] == pytest.approx(16)
    logs = [math.log(value) for value in own["relative"]]
    assert row["geomean"] == pytest.approx(math.exp(sum(logs) / 10))
    with_bcopy = one(tables["geomean"], set="figure1_bcopy", series="fixed", clock_mhz=320)
    assert (with_bcopy["of"], with_bcopy["n"]) == (11, 11)
    assert with_bcopy["geomean"] < row["geomean"]  # type: ignore[operator]


def test_elasticities_of_the_model(tables: dict[str, pd.DataFrame]) -> None:
    def fit(series: str, benchmark: str) -> object:
        return one(tables["elasticity"], series=series, benchmark=benchmark, kind="fit")[
            "elasticity"
        ]

    assert fit("fixed", "getpid") == pytest.approx(-1, rel=ROUNDING)
    assert fit("both", "read") == pytest.approx(-1, rel=ROUNDING)
    assert fit("fixed", "stream_copy") == pytest.approx(0, abs=1e-6)
    step = one(
        tables["elasticity"], series="fixed", benchmark="cswitch", kind="step", clock_low_mhz=80
    )
    assert step["clock_high_mhz"] == 320
    assert step["elasticity"] == pytest.approx(math.log(225 / 300) / math.log(4))


def test_attribution_sums_to_1(tables: dict[str, pd.DataFrame]) -> None:
    frame = tables["attribution"]
    sums = frame[["user", "kernel", "memory_stall", "idle"]].sum(axis=1)
    assert sums.tolist() == pytest.approx([1] * len(frame))
    row = one(frame, key="base-20", benchmark="cswitch")
    assert row["memory_stall"] == pytest.approx(200000 / (600000 + EMPTY_NS))
    # A quarter of the busy cycles is the user's, before and after the stall is taken out.
    assert row["user"] == pytest.approx((1 - row["memory_stall"]) / 4, rel=1e-4)  # type: ignore[operator]
    total = one(frame, key="base-20", benchmark="andrew_total", fs="unix")
    assert total["idle"] == pytest.approx(0.5 / 3.5, rel=1e-6)


def test_disk_waits(tables: dict[str, pd.DataFrame]) -> None:
    row = one(tables["disk"], key="disk-80", benchmark="create_delete_0", fs="unix")
    wait = 50 / 4 * 5 * 3.5
    assert row["wait_ms"] == pytest.approx(wait)
    assert row["rotation_ms"] == pytest.approx(wait * 3 / 4)
    assert row["wait_share"] == pytest.approx(50 / (50 + 1 + EMPTY_NS / 1e6))


def test_checks_find_the_configured_memory(tables: dict[str, pd.DataFrame]) -> None:
    checks = tables["checks"]
    assert checks["error"].dropna().tolist() == pytest.approx([0] * 18, abs=1e-4)
    row = one(checks, key="memory-80", check="memory_latency")
    assert (row["measured"], row["configured"]) == (pytest.approx(50), 50)
    row = one(checks, key="memory-80", check="copy_bandwidth")
    assert (row["measured"], row["configured"]) == (pytest.approx(1600, rel=1e-4), 1600)
    assert checks[checks["check"] == "guest_clock"]["measured"].max() < 1e-3


@pytest.mark.slow
def test_checks_find_another_memory_than_configured(tmp_path: Path) -> None:
    def slower(series: str, clock: float, bench: Bench) -> tuple[float, float, float]:
        cpu, memory, disk = parts(series, clock, bench)
        return cpu, 1.5 * memory, disk

    checks = analyze(load_run(write_run(tmp_path / "run", parts=slower)))["checks"]
    row = one(checks, key="base-20", check="memory_latency")
    assert row["error"] == pytest.approx(0.5)
    row = one(checks, key="base-20", check="copy_bandwidth")
    assert row["error"] == pytest.approx(-1 / 3, abs=1e-4)


def test_a_disagreement_of_the_clocks_is_flagged(few_directory: Path) -> None:
    samples = few_directory / "points" / "fixed-80" / "samples.csv"
    # 501250 ns become 3 % more; the statistics stay.
    samples.write_text(samples.read_text().replace(",501250,", ",516288,", 1))
    seal(samples.parent)
    frame = analyze(load_run(few_directory))["samples"]
    flagged = frame[frame["flagged"] == "yes"]
    assert len(flagged) == 1
    assert flagged["disagreement"].iloc[0] == pytest.approx(0.03, rel=1e-4)


@pytest.mark.parametrize(
    ("times", "verdict"),
    [([5.0], ""), ([5.0, 5.04], "yes"), ([9.0, 5.0, 5.06], "no"), ([9.0, 5.0, 5.01], "yes")],
)
def test_steady_state(times: list[float], verdict: str) -> None:
    assert steady(times) == verdict


def test_series_come_in_their_order_whatever_the_file_has(few_directory: Path) -> None:
    file = few_directory / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()), sort_keys=True))
    points = analyze(load_run(few_directory))["points"]
    assert list(points["series"].unique()) == ["fixed", "memory", "disk", "both"]
    assert points["clock_mhz"].tolist() == [20, 80, 320] * 4


def test_a_point_of_another_seed_is_measured_but_in_no_series(few_directory: Path) -> None:
    file = few_directory / "run.json"
    record = json.loads(file.read_text())
    del record["series"]["fixed"]["80"]
    file.write_text(json.dumps(record))
    tables = analyze(load_run(few_directory))
    row = one(tables["points"], key="fixed-80")
    assert (row["series"], row["clock_mhz"], row["finished"]) == ("", 80, "yes")
    assert "fixed-80" in set(tables["times"]["key"])
    assert "fixed-80" not in set(tables["relative"]["key"])


def test_checks_of_what_was_not_run_have_no_row(tmp_path: Path) -> None:
    benches = tuple(bench for bench in BENCHES if bench.name != "stream_copy")
    checks = analyze(load_run(write_run(tmp_path / "run", benches=benches)))["checks"]
    assert set(checks["check"]) == {"memory_latency", "guest_clock", "cycle_sum"}


def test_unfinished_points_stay_listed_and_unrated(tmp_path: Path) -> None:
    path = write_run(tmp_path / "run", unfinished=("disk-320",))
    tables = analyze(load_run(path))
    row = one(tables["points"], key="disk-320")
    assert (row["finished"], row["series"], row["clock_mhz"]) == ("no", "disk", 320)
    assert math.isnan(float(str(row["mips"])))
    assert "disk-320" not in set(tables["relative"]["key"])
    assert "not finished, left out: disk-320" in notes(tables)


def test_without_the_reference_relative_speeds_are_undefined(tmp_path: Path) -> None:
    tables = analyze(load_run(write_run(tmp_path / "run", unfinished=("base-20",))))
    assert len(tables["relative"]) > 0
    assert tables["relative"]["relative"].isna().all()
    assert tables["geomean"]["geomean"].isna().all()
    assert (tables["geomean"]["n"] == 0).all()


def test_without_any_finished_point_there_is_one_sentence(tmp_path: Path) -> None:
    path = write_run(tmp_path / "run", clocks=(20,), unfinished=("base-20",))
    with pytest.raises(OsgapError, match="of 1 point none is finished"):
        analyze(load_run(path))
    with pytest.raises(OsgapError, match="of 1 point none is finished"):
        load_runs([path])


def test_of_several_runs_one_without_a_finished_point_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = write_run(tmp_path / "runs" / "empty", clocks=(20,), unfinished=("base-20",))
    done = write_run(tmp_path / "runs" / "done")
    assert [run.path for run in load_runs([tmp_path / "runs"])] == [done]
    assert f"Left out: {empty}, none of whose points is finished" in capsys.readouterr().err
    again = write_run(tmp_path / "other", clocks=(20,), unfinished=("base-20",))
    with pytest.raises(OsgapError, match="of 2 runs none has a finished point"):
        load_runs([empty, again])


@pytest.mark.slow
def test_tables_are_the_same_bytes_again(tmp_path: Path, run_directory: Path) -> None:
    for name in ("a", "b"):
        write_tables(analyze(load_run(run_directory)), tmp_path / name)
    for table in TABLES:
        first = (tmp_path / "a" / f"{table}.csv").read_bytes()
        assert first == (tmp_path / "b" / f"{table}.csv").read_bytes()
        assert first.count(b"\n") > 1


def test_tables_read_back(tmp_path: Path, tables: dict[str, pd.DataFrame]) -> None:
    write_tables(tables, tmp_path)
    again = read_tables(tmp_path, TABLES)
    assert again["geomean"]["geomean"].tolist() == pytest.approx(
        tables["geomean"]["geomean"].tolist(), rel=1e-5
    )
    with pytest.raises(OsgapError, match=r"other\.csv"):
        read_tables(tmp_path, ["other"])
