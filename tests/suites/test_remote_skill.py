# SPDX-License-Identifier: BSD-3-Clause
"""Skills and claims of files on a server, of engines whose errors are known, in text and figure."""

from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from osgap.analysis import resampling
from osgap.drawing.figure import NothingToDraw, discover, drawn
from osgap.drawing.text_table import boxed_lines
from osgap.suites.ousterhout import FIGURES
from osgap.suites.ousterhout.remote import PENALTIES, REMOTE
from osgap.suites.ousterhout.remoteclaims import REMOTE_CLAIMS, remote_claims_table
from osgap.suites.ousterhout.remoteskill import REMOTE_SKILL, SPEED, TIME, remote_skill_table
from osgap.suites.ousterhout.report import printed_tables

WIDTH = 100
_PRINTED = {
    "MVAX2": ("Ultrix 3.0", "nfs", 36.0, 295.0, 634.0, 2500.0, 1707.0),
    "Sun3": ("SunOS 3.5", "nfs", 10.4, 152.0, 300.0, 1270.0, 635.0),
    "Sun4": ("SunOS 4.0.3", "nfs", 3.5, 97.0, 336.0, 2260.0, 305.0),
    "DS3100": ("Ultrix 3.1", "nfs", 3.8, 116.0, 370.0, 3028.0, 269.0),
    "DS3100 ": ("Sprite", "diskless", 4.3, 33.0, 34.0, 68.0, 127.0),
    "RT-APC": ("Mach 2.5", "afs", 1.7, 120.0, 303.0, 1615.0, 525.0),
}
_METRICS = {
    "open_close_foo": (9, "ms"),
    "create_delete_0k": (10, "ms"),
    "create_delete_10k": (10, "ms"),
    "create_delete_100k": (10, "ms"),
    "andrew_total": (7, "s"),
}
_MIPS = {"MVAX2": 0.9, "Sun3": 1.8, "RT-APC": 2.5, "Sun4": 8.0, "DS3100": 12.0}
_CALLS = {"nfs": 1.0, "diskless": 2.0, "afs": 0.0}
_WRITES = {"create_delete_0k": 5.0, "create_delete_10k": 9.0, "create_delete_100k": 38.0}


def _remote(engine: str = "fake", factor: float = 1.0, null: float = 2.0) -> pd.DataFrame:
    """Cells of an engine whose times are `factor` times the printed, and null models of `null`.

    R of the reference is 1 on each side, so R is off by as much.
    """
    rows = []
    for name, (os, fs, *values) in _PRINTED.items():
        machine = name.strip()
        off, null_off = (1.0, 1.0) if machine == "MVAX2" else (factor, null)
        for (metric, (table, unit)), value in zip(_METRICS.items(), values, strict=True):
            base = _PRINTED["MVAX2"][2 + list(_METRICS).index(metric)]
            speed = base / value / (_MIPS[machine] / 0.9)
            tree = 5 if metric.startswith("andrew") else 1
            times = (value, value * off / tree, value * null_off, value * null_off)
            speeds = (speed, speed / off, speed / null_off, speed / null_off)
            counts = (_CALLS[fs], _WRITES.get(metric, 0.0))
            rows.append((engine, table, machine, os, metric, unit, fs, *times, *speeds, *counts))
    return REMOTE.frame(rows)


def _penalties(*simulated: float, engine: str = "fake") -> pd.DataFrame:
    """Four NFS penalties and one of Sprite, with the simulated ones."""
    printed = [
        ("MVAX2", "Ultrix 3.0", "nfs", 0.9, 21.0),
        ("Sun3", "SunOS 3.5", "nfs", 1.8, 34.0),
        ("Sun4", "SunOS 4.0.3", "nfs", 8.0, 63.0),
        ("DS3100", "Ultrix 3.1", "nfs", 12.0, 26.0),
        ("DS3100", "Sprite", "diskless", 12.0, 6.0),
    ]
    sides = zip(printed, simulated, strict=True)
    return PENALTIES.frame((engine, *place, value, 1.0, 2.0) for place, value in sides)


def _skill(remote: pd.DataFrame, source: int = 1990) -> pd.DataFrame:
    with patch.object(resampling, "RESAMPLES", 99):
        return remote_skill_table(remote, source)


def _claim(table: pd.DataFrame, start: str) -> pd.DataFrame:
    rows = table[table["claim"].str.startswith(start)]
    assert len(rows)
    return rows.reset_index(drop=True)


@pytest.mark.parametrize("quantity", [SPEED, TIME])
def test_an_engine_that_is_off_by_a_factor_has_that_error_and_its_skill(quantity: str) -> None:
    table = _skill(_remote(factor=1.2))
    rows = table[(table["quantity"] == quantity) & (table["table"] == "all")].set_index("model")
    assert rows.loc["fake", "cell_log_error"] == pytest.approx(np.log(1.2))
    assert rows.loc["fake", "cell_log_error_low"] == pytest.approx(np.log(1.2))
    skill = 1 - np.log(1.2) / np.log(2)
    assert rows.loc["fake", "cell_skill"] == pytest.approx(skill)
    assert rows.loc["fake", "cell_skill_informed"] == pytest.approx(skill)
    assert rows.loc["fake", "cell_within_25"] == 1
    assert rows.loc["null_model", "cell_within_25"] == 0
    assert rows.loc["fake", "spearman"] == pytest.approx(1)
    ratios = {SPEED: (1 / 1.2, 0.5), TIME: (1.2, 2.0)}[quantity]
    assert tuple(rows.loc[["fake", "null_model"], "ratio"]) == pytest.approx(ratios)


def test_each_table_is_judged_without_the_reference_machine() -> None:
    table = _skill(_remote(factor=1.5))
    rows = table[(table["quantity"] == SPEED) & (table["model"] == "fake")].set_index("table")
    assert rows["machines"].to_dict() == dict.fromkeys(["all", "7", "9", "10"], 4)
    assert rows["cells"].to_dict() == {"all": 25, "7": 5, "9": 5, "10": 15}


def test_1989_leaves_out_the_cells_that_parts_of_models_are_fitted_to() -> None:
    table = _skill(_remote(factor=1.5), 1989)
    rows = table[(table["quantity"] == TIME) & (table["model"] == "fake")].set_index("table")
    # Without the Sun-3, and without the MicroVAX II's open-close and Andrew.
    assert rows["cells"].to_dict() == {"all": 23, "7": 4, "9": 4, "10": 15}


def test_each_engine_is_judged_on_the_cells_that_it_simulated() -> None:
    remote = pd.concat([_remote("a"), _remote("b", 1.1)], ignore_index=True)
    missing = (remote["engine"] == "b") & (remote["table"] == 7)
    columns = ["simulated", "relative_simulated"]
    remote.loc[missing, columns] = np.nan
    table = _skill(remote)
    tables = {engine: set(rows["table"]) for engine, rows in table.groupby("engine")}
    assert tables == {"a": {"all", "7", "9", "10"}, "b": {"all", "9", "10"}}
    assert set(table[table["engine"] == "a"]["model"]) == {"a", "null_model", "informed_null"}
    remote[columns] = np.nan
    assert list(_skill(remote).columns) == REMOTE_SKILL.names


def test_claims_hold_for_an_engine_that_gives_the_printed_values() -> None:
    table = remote_claims_table(_remote(), _penalties(21, 34, 63, 26, 6))
    assert list(table.columns) == REMOTE_CLAIMS.names
    verdicts = table.groupby("claim", sort=False)["reproduced"].agg(set)
    # In the counts here NFS asks at each open.
    no = verdicts[verdicts != {"yes"}]
    assert no.to_dict() == {"NFS asks its server now and then": {"no"}}


def test_the_growth_of_nfs_penalties_is_that_of_three_machines_and_of_all() -> None:
    table = remote_claims_table(_remote(), _penalties(9, 8, 10, 11, 1))
    three = _claim(table, "NFS slows Andrew more on a faster machine").iloc[:3]
    assert list(three["paper"]) == [21, 34, 63] and list(three["simulated"]) == [9, 8, 10]
    assert set(three["reproduced"]) == {"no"} and set(three["null_reproduced"]) == {"no"}
    every = _claim(table, "NFS slows Andrew more on a faster machine, over all systems")
    assert list(every["paper"]) == pytest.approx([0.4, 1.0])
    assert list(every["simulated"]) == pytest.approx([0.8, 0.0])
    assert set(every["reproduced"]) == {"no"}
    assert set(every["null_reproduced"]) == {""}  # all its penalties are equal


def test_sprites_penalty_is_small_where_none_is_above_the_printed() -> None:
    for value, verdict in ((-1.0, "yes"), (6.0, "yes"), (6.1, "no")):
        table = remote_claims_table(_remote(), _penalties(1, 2, 3, 4, value))
        assert set(_claim(table, "Sprite's diskless")["reproduced"]) == {verdict}


def test_the_ratio_of_ultrix_to_sprite_is_of_the_printed_times() -> None:
    remote = _remote()
    (row,) = _claim(remote_claims_table(remote, _penalties(*range(5))), "NFS creates").to_dict(
        "records"
    )
    assert row["paper"] == pytest.approx(3028 / 68)
    assert row["reproduced"] == "yes"
    is_sprite = remote["os"] == "Sprite"
    slower = remote.assign(simulated=remote["simulated"].mask(is_sprite, remote["simulated"] * 2))
    claims = remote_claims_table(slower, _penalties(*range(5)))
    assert set(_claim(claims, "NFS creates")["reproduced"]) == {"no"}


def test_counts_are_the_least_and_the_most_of_the_simulated_machines() -> None:
    remote = _remote()
    is_one = (remote["machine"] == "Sun3") & (remote["metric"] == "open_close_foo")
    remote.loc[is_one, "messages"] = 0.25
    table = remote_claims_table(remote, _penalties(*range(5)))
    calls = _claim(table, "NFS asks")
    assert list(calls["simulated"]) == [0.25, 1.0] and set(calls["cells"]) == {4}
    writes = _claim(table, "NFS writes")
    assert list(writes["simulated"]) == pytest.approx([33 / 13, 33 / 13])
    assert writes["paper"].iloc[1] == 3 and writes["null"].isna().all()
    assert list(_claim(table, "Sprite asks")["simulated"]) == [2, 2]


def test_a_claim_without_its_runs_has_empty_cells() -> None:
    remote = _remote()
    names = ["simulated", "null", "informed", "messages", "writes"]
    table = remote_claims_table(remote.assign(**dict.fromkeys(names, np.nan)), _nowhere())
    assert table[["simulated", "null", "informed"]].isna().all(axis=None)
    verdicts = ["reproduced", "null_reproduced", "informed_reproduced"]
    assert (table[verdicts] == "").all(axis=None)
    assert table["paper"].notna().any()


def _nowhere() -> pd.DataFrame:
    names = ["simulated", "null", "informed"]
    return _penalties(*range(5)).assign(**dict.fromkeys(names, np.nan))


def test_a_paper_without_afs_has_no_claim_about_it() -> None:
    remote = _remote()
    table = remote_claims_table(remote[remote["fs"] != "afs"], _penalties(*range(5)))
    assert not table["claim"].str.startswith("AFS").any()


def test_all_is_printed_in_100_columns() -> None:
    remote, penalties = _remote(factor=2.345), _penalties(21, 34, 63, 26, 6)
    tables = {
        "remote": remote,
        "penalties": penalties,
        "remote_skill": _skill(remote),
        "remote_claims": remote_claims_table(remote, penalties),
    }
    lines = [
        line
        for table in printed_tables(tables, list(tables))
        for line in boxed_lines(table._visible("utf-8"))
    ]
    assert max(map(len, lines)) <= WIDTH
    text = "\n".join(lines)
    assert "Table 10: create-delete on a server, fake, ms" in text
    assert "penalty, %: Sun-4/280, SunOS 4.0.3" in text
    assert "63 yes" in text


def _figure(tables: dict[str, pd.DataFrame]) -> Figure:
    return drawn(discover(FIGURES)["remote"], tables)


def test_the_figure_has_a_panel_for_each_table_and_engine_and_names_machines() -> None:
    remote = pd.concat([_remote("rvsim", 1.2), _remote("gem5", 0.8)], ignore_index=True)
    figure = _figure({"remote": remote})
    titles = [axes.get_title() for axes in figure.axes]
    assert titles[:3] == ["modified Andrew, rvsim", "modified Andrew, gem5", "open-close, rvsim"]
    assert len(titles) == 6
    texts = [text.get_text() for text in figure.axes[2].texts if text.get_text()]
    assert sorted(texts) == [
        "DECstation 3100",
        "DECstation 3100",
        "IBM RT-APC",
        "Sun-3/75",
        "Sun-4/280",
    ]
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["NFS", "diskless", "AFS", "null model", "informed null"]


def test_without_runs_there_is_no_figure() -> None:
    nothing = _remote().assign(relative_simulated=np.nan)
    for tables in ({}, {"remote": nothing}):
        with pytest.raises(NothingToDraw, match="no cell of a server's files was simulated"):
            _figure(tables)
