# SPDX-License-Identifier: BSD-3-Clause
"""Prediction, agreement and explanation, on machines that obey a known law."""

import hashlib
import json
import math
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from osgap.analysis.reference import load_reference
from osgap.analysis.resampling import rank_correlations, standard_ranks
from osgap.base.paths import project_root
from osgap.rundir.csvfile import ResultsError
from osgap.suites.ousterhout.agreement import agreement_table
from osgap.suites.ousterhout.cells import (
    BENCHMARKS,
    FITTED,
    NULL_MODELS,
    TABLES,
    as_simulated,
    cells_table,
)
from osgap.suites.ousterhout.explain import explained_table, shares_table
from osgap.suites.ousterhout.published import BANDWIDTHS, MEASURED, Paper
from osgap.suites.ousterhout.simulated import SIMULATED, simulated_values
from osgap.suites.ousterhout.tables import means_table

ROOT = project_root()
REFERENCE = load_reference("ousterhout_tables")
MACHINES = list(dict.fromkeys(REFERENCE[REFERENCE["source"] == 1990]["machine"]))
RATES = {"bcopy_cached", "bcopy_uncached", "read"}
MEMORY, DISK, REST = 0.5, 0.25, 0.9  # factors of R


def _predicted(skew: float = 1.0) -> pd.DataFrame:
    """R of each machine is MEMORY * DISK * REST to a power that grows with its MIPS."""
    paper = Paper(REFERENCE, 1990)
    factors = {
        "fixed": MEMORY * DISK * REST,
        "memory": DISK * REST,
        "disk": MEMORY * REST,
        "both": REST,
    }
    rows = []
    for machine in MACHINES:
        mips = paper.mips(machine)
        power = math.log(mips / 0.9) / math.log(20 / 0.9)
        for benchmark in set(BENCHMARKS.values()):
            metric = "MB/s" if benchmark in RATES else "ms"
            for series, factor in factors.items():
                relative = (factor**power) * (skew if machine != "MVAX2" else 1)
                rows.append((machine, series, benchmark, "none", metric, 1.0, mips, relative))
    return pd.DataFrame(rows, columns=SIMULATED.names[1:])


def test_every_local_cell_of_the_tables_is_there_once() -> None:
    cells = cells_table(REFERENCE, _predicted())
    assert set(cells["table"]) == set(TABLES)
    assert not cells.duplicated(["table", "machine", "os", "metric"]).any()
    assert cells["simulated"].notna().all()
    assert cells["relative_paper"].notna().all()
    related = cells[cells["related"] == "yes"]
    metrics = {MEASURED[8 if table == 7 else table] for table in TABLES}
    assert set(related["metric"]) == metrics
    getpid = cells[(cells["machine"] == "DS3100") & (cells["metric"] == "getpid")]
    assert len(getpid) == 3  # Sprite, Ultrix, Mach


def test_sprite_is_the_delayed_file_system_where_there_is_one() -> None:
    predicted = _predicted()
    two = pd.concat([predicted.assign(fs="unix"), predicted.assign(fs="sprite", value=2.0)])
    cells = cells_table(REFERENCE, two)
    sprite = cells["os"] == "Sprite"
    assert (cells[sprite]["simulated"] == 2).all() and (cells[~sprite]["simulated"] == 1).all()


def test_what_was_not_simulated_on_its_file_system_has_no_partner() -> None:
    """UNIX's synchronous files do not stand for Sprite's delayed ones, nor the other way round."""
    predicted = _predicted()
    files = {"read", "open_close_foo", "create_delete_0", "andrew_total"}
    on_disk = predicted["benchmark"].isin(files)
    for fs in ("unix", "sprite"):
        cells = cells_table(REFERENCE, predicted.assign(fs=np.where(on_disk, fs, "none")))
        of_files = cells[cells["metric"].map(BENCHMARKS).isin(files)]
        assert of_files["simulated"].notna().tolist() == _runs_on(of_files, fs).tolist()
        assert cells[~cells["metric"].map(BENCHMARKS).isin(files)]["simulated"].notna().all()
        explained = explained_table(cells, predicted.assign(fs=np.where(on_disk, fs, "none")))
        at = (cells["metric"] == "create_delete_0k") & (cells["machine"] == "DS3100")
        expected = cells[at & _runs_on(cells, fs)]
        row = explained[explained["benchmark"] == "create_delete_0"]
        row = row[row["machine"] == "DS3100"]
        assert row["paper"].tolist() == pytest.approx([np.log(expected["relative_paper"]).mean()])


def _runs_on(cells: pd.DataFrame, fs: str) -> pd.Series:
    return (cells["os"] == "Sprite") == (fs == "sprite")


def test_the_hp835s_gethostid_is_in_no_mean_of_getpid() -> None:
    cells = cells_table(REFERENCE, _predicted())
    row = cells[(cells["machine"] == "HP835") & (cells["metric"] == "getpid")]
    assert row["related"].tolist() == ["no"] and "gethostid" in row["note"].iloc[0]
    explained = explained_table(cells, _predicted())
    getpid = explained[explained["benchmark"] == "getpid"].set_index("machine")["paper"]
    assert getpid.isna().to_dict() == {name: name == "HP835" for name in getpid.index}


def test_the_row_that_machines_are_fitted_to_is_in_no_mean() -> None:
    cells = cells_table(REFERENCE, _predicted())
    fitted = cells["metric"].isin(FITTED)
    off = cells.assign(relative_simulated=cells["relative_simulated"].where(~fitted, 1e6))
    for made, expected in zip(*map(_means_over_rows, (off, cells)), strict=True):
        pd.testing.assert_frame_equal(made, expected)


def _means_over_rows(cells: pd.DataFrame) -> tuple[pd.DataFrame, ...]:
    agreement = agreement_table(cells)
    return means_table(REFERENCE, cells), agreement[agreement["table"] == "all"]


def test_times_are_compared_in_size_and_the_reference_alone() -> None:
    """Rates are inverted, and Andrew's tree is a fifth: all take twice the printed time."""
    cells = cells_table(REFERENCE, _predicted())
    rate = cells["metric"].isin(BANDWIDTHS)
    times = cells["paper"].where(cells["metric"] != "andrew_total", cells["paper"] / 5) * 2
    factor = np.where(cells["machine"] == "MVAX2", 1.5, 1.0)
    made = cells.assign(
        simulated=times.where(~rate, cells["paper"] / 2) * factor ** np.where(rate, -1, 1)
    )
    table = agreement_table(made)
    assert table["time_ratio"].tolist() == pytest.approx([2] * len(table))
    assert table["reference_time_ratio"].tolist() == pytest.approx([3] * len(table))


def test_a_null_model_takes_the_printed_times_on_the_machine_to_which_all_is_relative() -> None:
    """Its Andrew is of the whole tree, as the printed one is."""
    cells = cells_table(REFERENCE, _predicted())
    for column in NULL_MODELS.values():
        table = agreement_table(as_simulated(cells, column), tree=1)
        assert table["reference_time_ratio"].dropna().tolist() == pytest.approx([1] * len(table))


def test_a_prediction_that_is_the_papers_agrees_with_it() -> None:
    cells = cells_table(REFERENCE, _predicted())
    perfect = cells.assign(relative_simulated=cells["relative_paper"])
    table = agreement_table(perfect)
    assert table["spearman"].tolist() == pytest.approx([1.0] * len(table))
    assert table[["ratio", "ratio_low", "ratio_high"]].to_numpy() == pytest.approx(1)
    assert list(table["table"]) == ["2", "3", "4", "5", "6", "7", "9", "10", "all"]


def test_rank_correlations_are_scipys() -> None:
    random = np.random.default_rng(2)
    a, b = random.integers(0, 5, (20, 8)).astype(float), random.normal(size=(20, 8))
    expected = [stats.spearmanr(x, y).statistic for x, y in zip(a, b, strict=True)]
    assert rank_correlations(standard_ranks(a), standard_ranks(b)) == pytest.approx(expected)
    constant = standard_ranks(np.ones((1, 4)))
    assert np.isnan(rank_correlations(constant, standard_ranks(b[:1, :4]))).all()


def test_twice_the_papers_speeds_are_a_ratio_of_two_in_the_same_order() -> None:
    cells = cells_table(REFERENCE, _predicted())
    noise = np.random.default_rng(1).lognormal(0, 0.1, len(cells))
    factors = np.where(cells["machine"] != "MVAX2", 2 * noise, 1.0)
    table = agreement_table(cells.assign(relative_simulated=cells["relative_paper"] * factors))
    assert table["ratio"].between(1.8, 2.2).all()
    assert ((table["ratio_low"] <= table["ratio"]) & (table["ratio"] <= table["ratio_high"])).all()
    assert (table["spearman_low"] <= table["spearman"]).all()


def test_the_parts_of_log_r_are_what_the_machines_were_made_with() -> None:
    explained = explained_table(cells_table(REFERENCE, _predicted()), _predicted())
    assert "MVAX2" not in set(explained["machine"])
    fastest = explained[explained["machine"] == "M2000"]
    assert fastest["memory"].tolist() == pytest.approx([math.log(MEMORY)] * len(fastest))
    assert fastest["disk"].tolist() == pytest.approx([math.log(DISK)] * len(fastest))
    assert fastest["rest"].tolist() == pytest.approx([math.log(REST)] * len(fastest))
    sums = explained[["memory", "disk", "rest"]].sum(axis=1)
    assert sums.tolist() == pytest.approx(explained["log_relative"].tolist())
    known = explained.dropna(subset=["paper"])
    total = known["log_relative"] + known["unexplained"]
    assert total.tolist() == pytest.approx(known["paper"].tolist())


def test_shares_of_the_gap_sum_to_one_and_lie_in_their_intervals() -> None:
    shares = shares_table(explained_table(cells_table(REFERENCE, _predicted()), _predicted()))
    assert (shares["machines"] <= 9).all() and shares["benchmark"].tolist()[-1] == "all"
    parts = ("memory", "disk", "rest", "unexplained")
    total = sum(shares[f"{part}_share"] for part in parts)
    gap = shares["memory_share"].notna()
    assert total[gap].tolist() == pytest.approx([1.0] * int(gap.sum()))
    held = (shares["paper_low"] <= 0) & (shares["paper_high"] >= 0)
    assert gap.tolist() == (~held).tolist() and gap.any() and held.any()
    whole = shares[gap]
    for part in parts:
        share = whole[f"{part}_share"]
        assert share.between(whole[f"{part}_share_low"], whole[f"{part}_share_high"]).all()


@pytest.mark.slow
def test_predictions_are_on_the_machines_own_time(simulated: Path, tmp_path: Path) -> None:
    before = simulated_values(simulated)
    longer = shutil.copytree(simulated, tmp_path / "longer")
    for record in longer.rglob("point.json"):
        data = json.loads(record.read_text())
        record.write_text(json.dumps({**data, "time_scale": 10.0 * data.get("time_scale", 1.0)}))
        _sign_again(record)
    after = simulated_values(longer)
    rates = before["metric"].isin(["MB/s", "MIPS"])
    factor = rates.map({True: 0.1, False: 10.0})
    assert after["value"].tolist() == pytest.approx((before["value"] * factor).tolist())
    assert after["mips"].tolist() == pytest.approx((before["mips"] / 10).tolist(), nan_ok=True)
    assert after["relative"].tolist() == pytest.approx(before["relative"].tolist(), nan_ok=True)


def _sign_again(record: Path) -> None:
    done = record.with_name("done.json")
    data = json.loads(done.read_text())
    if record.name in data["sha256"]:
        data["sha256"][record.name] = hashlib.sha256(record.read_bytes()).hexdigest()
        done.write_text(json.dumps(data))


@pytest.mark.slow
def test_files_are_relative_to_the_microvaxs_ultrix(simulated: Path) -> None:
    frame = simulated_values(simulated)
    frame = frame[(frame["benchmark"] == "create_delete_0") & (frame["series"] == "fixed")]
    rows = frame.set_index(["machine", "fs"])
    reference = rows.loc[("MVAX2", "unix")]
    for fs in ("unix", "sprite"):
        own = rows.loc[("DS3100", fs)]
        expected = (reference["value"] / own["value"]) / (own["mips"] / reference["mips"])
        assert own["relative"] == pytest.approx(expected)
    assert reference["relative"] == 1


@pytest.mark.slow
def test_without_the_reference_machine_there_is_no_relative_speed(simulated: Path) -> None:
    with pytest.raises(ResultsError, match="no run of MVAX2"):
        simulated_values(simulated / "DS3100")
    with pytest.raises(ResultsError, match="none: no such directory"):
        simulated_values(simulated / "none")
