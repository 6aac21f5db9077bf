# SPDX-License-Identifier: BSD-3-Clause
"""Files on a server are predicted over networks: rate and delay, elasticities, grid and errors."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rundirs import make_run

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.layouts.values import TIME
from osgap.analysis.wire import WireUse
from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.machines.network import NetworkSystem
from osgap.predict.observations import observations
from osgap.predict.prediction import only_run, predict_run, run_elasticities
from osgap.predict.wire_wait import RemoteUse, WireMeasurement, WireWait, wire_wait
from osgap.rundir.csvfile import ResultsError

MACHINES = project_root() / "configs" / "machines"
SERVED = {"fs": ("unix", "nfs"), "clock_mhz": (20, 320), "memory": ("fixed", "scaled")}
GRID = {
    "clock_mhz": (20, 640),
    "network": ("fixed", "scaled"),
    "network_mbit_s": ("x1", 100),
    "network_delay_us": (0, 50),
}
SLOPES = ["clock", "latency", "bandwidth", "disk", "network_bandwidth", "network_delay"]
NETWORK = NetworkSystem(bytes_per_s=1250000, delay_ns=500, overhead_bytes=24)


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> AnalysedRun:
    """Points of the fixed network: three, of which the slowest is in both series."""
    folder = tmp_path_factory.mktemp("served")
    return only_run(make_run(folder / "run", folder, SERVED))


def test_other_networks_are_predicted(simulated: AnalysedRun, tmp_path: Path) -> None:
    """All of the grid is simulated too, on the engine whose times the tests know."""
    told = predict_run(simulated, GRID, (), MACHINES)
    grid = only_run(make_run(tmp_path / "grid", tmp_path, {"fs": ("unix", "nfs"), **GRID}))
    on = ["series", "clock_mhz", "benchmark", "fs"]
    both = told.predicted.merge(grid.tables["relative"], on=on, suffixes=("", "_simulated"))
    assert len(both) == len(told.predicted) > 60
    assert np.allclose(both["value"], both["value_simulated"], rtol=0.02)
    assert np.allclose(both["relative"], both["relative_simulated"], rtol=0.02)
    rows = told.predicted[told.predicted["fs"] == "nfs"]
    networks = set(zip(rows["network_mbit_s"], rows["network_delay_us"], strict=True))
    assert {(10, 0), (100, 50), (320, 0), (3200, 1.562)} <= networks
    assert {"network_mbit_s", "network_delay_us"} <= set(told.means)


def test_errors_and_intervals_are_the_runs(simulated: AnalysedRun) -> None:
    key = next(key for key in simulated.run.points if key.startswith("20mhz"))
    prior = project_root() / "results" / "locked" / "prediction" / "latency-bandwidth"
    told = predict_run(simulated, {"clock_mhz": [80]}, (key,), MACHINES, prior=prior)
    errors = told.errors[told.errors["quantity"] == TIME]
    assert set(errors["fs"]) == {"none", "unix", "nfs"}
    rows = told.predicted[(told.predicted["clock_mhz"] == 80) & (told.predicted["fs"] == "nfs")]
    assert (rows["low"] < rows["value"]).all() and (rows["value"] < rows["high"]).all()


def test_elasticities_have_the_network(simulated: AnalysedRun) -> None:
    grid = {"clock_mhz": [320], "network_delay_us": [0, 500]}
    rows = run_elasticities(simulated, grid, (), MACHINES)
    assert rows[SLOPES].notna().all(axis=None)
    signs = np.array([1, -1, 1, 1, 1, -1])
    assert np.allclose(rows[SLOPES] @ signs, -1, atol=0.02)
    served = rows[(rows["fs"] == "nfs") & (rows["clock_mhz"] == 320)].set_index("network_delay_us")
    assert served.loc[0, "network_bandwidth"] < -0.5 and served.loc[0, "network_delay"] == 0
    assert served.loc[500, "network_delay"] > 0.5
    assert (rows.loc[rows["fs"] != "nfs", SLOPES[4:]] == 0).all(axis=None)


def test_the_command_has_the_options_of_a_sweep(
    simulated: AnalysedRun, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["predict", str(simulated.path), "--cpu-mhz", "80", "--format", "csv"]
    options = ["--network", "fixed,scaled", "--network-mbit-s", "x1,100", "--network-delay-us", "5"]
    assert main([*words, *options]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["series"] for row in rows} == {
        f"{policies}{rate}-delay5" for policies in ("fixed", "network") for rate in ("", "-net100")
    }
    assert main([*words, "--network-mbit-s", "0"]) == 2
    assert "--network-mbit-s: found 0; allowed: a number from 0.001" in capsys.readouterr().err
    assert main([*words[:2], "--machine", "paper/DS3100", "--network", "fixed"]) == 2
    assert "--network: found beside --machine" in capsys.readouterr().err
    assert main([*words[:2], "--table", "elasticity", "--format", "csv", "--cpu-mhz", "80"]) == 0
    header = capsys.readouterr().out.partition("\n")[0].split(",")
    assert header[-2:] == SLOPES[-2:] and "network_mbit_s" in header
    assert main([*words[:2], "--table", "elasticity", "--cpu-mhz", "80"]) == 0
    heads = [cell.strip() for cell in capsys.readouterr().out.splitlines()[2].split("|")]
    assert heads[-5:-1] == [
        "network bandwidth, Mbit/s",
        "network delay, us",
        "network bandwidth",
        "network delay",
    ]


def test_lost_frames_are_refused(simulated: AnalysedRun) -> None:
    key, point = next(iter(simulated.run.points.items()))
    network = NETWORK.model_copy(update={"lost_per_million": 7})
    system = point.record.system.model_copy(update={"network": network})
    record = point.record.model_copy(update={"resolved": system})
    points = {**simulated.run.points, key: replace(point, record=record)}
    with pytest.raises(ResultsError, match=r"network\.lost_per_million: found 7; allowed: 0"):
        observations(replace(simulated.run, points=points), simulated.tables["samples"])


def _measured(busy_ns: float, wait_ns: float) -> WireMeasurement:
    return WireMeasurement(RemoteUse(WireUse(1, 2, 252), NETWORK, disk_ns=0), busy_ns, wait_ns)


def test_work_hides_a_part_of_the_wire() -> None:
    """An open-close: 300 bytes in 240 us and two delays; a tenth of the work hides them."""
    wire_ns = 241000.0
    wait = wire_wait([_measured(1e6, wire_ns - 1e5), _measured(5e6, 0)])
    assert wait is not None and wait.hidden == pytest.approx(0.1)
    assert wait.ns(1e5, NETWORK) == pytest.approx(wire_ns - 1e4)
    assert wait.ns(5e6, NETWORK) == 0
    faster = NETWORK.model_copy(update={"bytes_per_s": 12500000, "delay_ns": 0})
    assert wait.ns(1e5, faster) == pytest.approx(24000 - 1e4)
    hidden = wire_wait([_measured(2.41e6, 0), _measured(4.82e6, 0)])
    assert hidden is not None and hidden.hidden == pytest.approx(0.1)
    assert wire_wait([]) is None and WireWait(WireUse(0, 0, 0), 0).ns(1, NETWORK) == 0


def test_an_idle_time_is_the_wires_and_the_disks() -> None:
    use = RemoteUse(WireUse(1, 2, 252), NETWORK, disk_ns=3 * 241000)
    assert use.wait_ns(2 * 241000) == pytest.approx(241000 / 2)
    assert use.wait_ns(9 * 241000) == pytest.approx(241000)
