# SPDX-License-Identifier: BSD-3-Clause
"""The time of files on a server is split into client, server, wire and the server's disk."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rundirs import make_run

from osgap.analysis.remote_time import PARTS, REMOTE_TIME, remote_table, split
from osgap.analysis.wire import WireUse
from osgap.drawing.figure import NothingToDraw, drawn
from osgap.figures import run_figures
from osgap.machines.network import NetworkSystem
from osgap.rundir.load import load_run
from osgap.suites import analyze

NETWORK = NetworkSystem(bytes_per_s=1250000, delay_ns=1000, overhead_bytes=24)
USE = WireUse(calls=2, frames=10, bytes=4760)
WIRE_NS = 5000 / 1250000 * 1e9 + 4 * 1000
SERVED = {"fs": ("unix", "nfs"), "clock_mhz": (20, 320), "network": ("fixed", "scaled")}
_TIMES = st.floats(0, 1e12)


def test_a_datagrams_frames_are_delayed_together() -> None:
    assert USE.ns(NETWORK) == pytest.approx(WIRE_NS)
    assert WireUse(3, 2, 0).ns(NETWORK) == pytest.approx(2 * 1000 + 48 / 1250000 * 1e9)


@given(_TIMES, _TIMES, _TIMES, _TIMES)
def test_parts_add_up_and_none_is_negative(
    time_ns: float, idle_ns: float, server_ns: float, disk_ns: float
) -> None:
    parts = split(time_ns, idle_ns, server_ns, disk_ns, USE, NETWORK)
    values = [getattr(parts, name) for name in PARTS]
    assert sum(values) == pytest.approx(time_ns, rel=1e-9, abs=1e-3)
    assert all(value >= -1e-3 for value in [*values, parts.overlapped_ns])


def test_what_passes_while_the_processor_works_is_the_processors() -> None:
    """Wire and disk are busy for 4 ms each, of which the processor idles for 2."""
    disk_ns = WIRE_NS
    parts = split(10 * WIRE_NS, WIRE_NS / 2, 3 * WIRE_NS, disk_ns, USE, NETWORK)
    assert parts.wire_ns == parts.server_disk_ns == pytest.approx(WIRE_NS / 4)
    assert parts.overlapped_ns == pytest.approx(1.5 * WIRE_NS)
    assert (parts.client_ns, parts.server_ns) == pytest.approx((6.5 * WIRE_NS, 3 * WIRE_NS))
    assert parts.other_wait_ns == pytest.approx(0)


def test_longer_waits_are_other_ones() -> None:
    parts = split(9 * WIRE_NS, 5 * WIRE_NS, 0, 0, USE, NETWORK)
    assert (parts.wire_ns, parts.other_wait_ns) == pytest.approx((WIRE_NS, 4 * WIRE_NS))
    assert split(1, 1, 0, 0, WireUse(0, 0, 0), NETWORK).other_wait_ns == 1


def test_a_run_has_a_row_for_each_position_and_remote_benchmark(tmp_path: Path) -> None:
    """Three calls of two frames of 174 bytes, which take 0.835 ms at 10 Mbit/s."""
    tables = analyze(load_run(make_run(tmp_path / "run", tmp_path, SERVED)))
    rows = tables["remote_time"]
    assert list(rows) == REMOTE_TIME.names
    assert rows[["series", "clock_mhz", "fs"]].to_numpy().tolist() == [
        [series, clock, "nfs"] for series in ("fixed", "network") for clock in (20, 320)
    ]
    assert (rows["calls"] == 3).all() and (rows["frames"] == 6).all()
    assert rows["wire_bytes"].tolist() == [6 * 174] * 4
    assert rows["wire_ns"].tolist() == pytest.approx([835200, 835200, 835200, 52200], rel=1e-3)
    assert (rows["server_ns"] > 0).all() and (rows["server_disk_ns"] == 0).all()
    assert rows[list(PARTS)].sum(axis=1).tolist() == pytest.approx(rows["time_ns"].tolist())
    times = tables["times"].set_index(["key", "benchmark", "fs"])["ns_per_op"]
    for row in rows.to_dict("records"):
        assert row["time_ns"] == pytest.approx(times[row["key"], row["benchmark"], row["fs"]])
    figure = drawn(run_figures()["remote_time"], tables)
    (axes,) = [axes for axes in figure.axes if axes.get_visible()]
    bars = [bar.get_height() for container in axes.containers for bar in container]  # type: ignore[attr-defined]
    assert len(bars) == 3 * 4 and sum(bars) == pytest.approx(4)


def test_sums_of_benchmarks_are_split_too(tmp_path: Path) -> None:
    run = load_run(make_run(tmp_path / "run", tmp_path, {"fs": ("nfs", "afs")}))
    rows = remote_table(run, analyze(run)["samples"], {"twice": ["create_delete_0"] * 2})
    both = rows[rows["fs"] == "nfs"].set_index("benchmark")
    for column in ("calls", "time_ns", "wire_ns"):
        assert both.loc["twice", column] == 2 * both.loc["create_delete_0", column]
    assert set(rows["fs"]) == {"nfs", "afs"}


def test_a_run_without_a_server_has_none(tmp_path: Path) -> None:
    tables = analyze(load_run(make_run(tmp_path / "run", tmp_path)))
    assert "remote_time" not in tables
    with pytest.raises(NothingToDraw, match="no files on a server"):
        drawn(run_figures()["remote_time"], tables)
