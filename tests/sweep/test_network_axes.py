# SPDX-License-Identifier: BSD-3-Clause
"""The network as axes of a sweep: values, systems, names, and a sweep of them."""

from pathlib import Path

import pytest
from stderr import sentences
from sweeping import done, sweep

from osgap import engines
from osgap.base.config import ConfigError, validate
from osgap.base.paths import project_root
from osgap.image.files import Image
from osgap.machines.axes import NETWORK
from osgap.machines.figure import Figure
from osgap.machines.machine import load_machine
from osgap.rundir.load import load_run
from osgap.rundir.point import Spec, parse_spec
from osgap.suites import analyze
from osgap.sweep import estimate
from osgap.sweep.plan import Plan, make_plan
from osgap.sweep.spec import RunSpec

MACHINES = project_root() / "configs" / "machines"
BASE = load_machine(MACHINES / "base.toml")
RUN = {"description": "x", "machine": "base", "engine": "fake"}
SERVED = {**RUN, "fs": ["unix", "nfs"]}


def _asked(**keys: object) -> RunSpec:
    return validate({**SERVED, **keys}, RunSpec, "f")


def _plan(**keys: object) -> Plan:
    return make_plan(_asked(**keys), BASE, engines.load("fake"), Image(Path(), Path(), "none"))


def _network(spec: Spec) -> tuple[int, int]:
    network = spec.system.network
    assert network is not None
    return network.bytes_per_s, network.delay_ns


def test_there_are_three_axes() -> None:
    options = ["--network", "--network-mbit-s", "--network-delay-us"]
    assert [axis.option for axis in NETWORK] == options


@pytest.mark.parametrize("fs", ["nfs", "afs", "diskless"])
def test_files_on_a_server_are_file_systems(fs: str) -> None:
    assert _asked(fs=[fs]).remote == (fs,) and _asked(fs=["unix", fs]).fs == ("unix", fs)
    assert _asked(fs=["unix", "sprite"]).remote == ()


@pytest.mark.parametrize("fs", [["ntfs"], ["none"], ["nfs", "nfs"], ["NFS"]])
def test_other_file_systems_are_refused_with_all_names(fs: list[str]) -> None:
    with pytest.raises(ConfigError, match="unix, sprite, nfs, afs, diskless, each once"):
        _asked(fs=fs)


def test_each_combination_is_a_point_with_that_network() -> None:
    plan = _plan(clock_mhz=[20, 80], network=["fixed", "scaled"], network_mbit_s=["x1", 100])
    keys = {spec.key: spec for spec in plan.specs}
    found = {
        (name, clock): _network(keys[key])
        for name, clocks in plan.series.items()
        for clock, key in clocks.items()
    }
    assert found == {
        ("fixed", "20"): (1250000, 0),
        ("fixed", "80"): (1250000, 0),
        ("network", "20"): (1250000, 0),
        ("network", "80"): (5000000, 0),
        ("fixed-net100", "20"): (12500000, 0),
        ("fixed-net100", "80"): (12500000, 0),
        ("network-net100", "20"): (12500000, 0),
        ("network-net100", "80"): (50000000, 0),
    }
    # At the machine's own clock a scaled network is the fixed one.
    assert len(plan.specs) == 6


def test_names_say_what_is_not_the_machines_own() -> None:
    (own,) = _plan(network_mbit_s=["x1"], network_delay_us=[0]).specs
    assert own == _plan().specs[0]
    assert not {axis.record_key for axis in NETWORK} & set(own.model_dump()["axes"])
    (other,) = _plan(network_mbit_s=["x10"], network_delay_us=[50], network=["scaled"]).specs
    assert other.key.startswith("20mhz-net100-delay50-")
    assert other.axes.series == "network-net100-delay50"


def test_no_delay_is_a_value_on_a_machine_with_one() -> None:
    assert BASE.network is not None
    slow = Figure(value=50, source="a test")
    network = BASE.network.model_copy(update={"delay_us": slow})
    machine, image = BASE.model_copy(update={"network": network}), Image(Path(), Path(), "none")
    asked = _asked(network_delay_us=[0, "x1", "x0.5"])
    plan = make_plan(asked, machine, engines.load("fake"), image)
    delays = {spec.axes.series: _network(spec)[1] for spec in plan.specs}
    assert delays == {"fixed-delay0": 0, "fixed": 50000, "fixed-delay25": 25000}
    for spec in plan.specs:
        assert parse_spec(spec.model_dump_json().encode(), spec.key, "f", planned=True) == spec


@pytest.mark.parametrize("fs", [["unix"], ["unix", "sprite"]])
def test_points_of_other_files_are_what_they_were(fs: list[str]) -> None:
    """Whatever network their machine has, or none: keys, records and orders."""
    asked, image = _asked(fs=fs, clock_mhz=[20, 40]), Image(Path(), Path(), "none")
    faster = BASE.network and BASE.network.model_copy(
        update={"bandwidth_mbit_s": BASE.memory.latency_ns}
    )
    plans = [
        make_plan(asked, BASE.model_copy(update={"network": network}), engines.load("fake"), image)
        for network in (BASE.network, None, faster)
    ]
    assert plans[0] == plans[1] == plans[2]
    for spec in plans[0].specs:
        assert "network" not in spec.model_dump_json()
        assert "network" not in spec.guest_orders("none").text()
    assert not {axis.key for axis in NETWORK} & set(asked.model_dump(mode="json"))


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"network_mbit_s": [0]}, "network_mbit_s.0: found 0; allowed: a number from 0.001"),
        ({"network_mbit_s": ["x0"]}, "network_mbit_s.0: found 'x0', a text; allowed: a number"),
        ({"network_delay_us": [-1]}, "network_delay_us.0: found -1; allowed: a number from 0 to"),
        ({"network": ["quick"]}, "network.0: found 'quick'; allowed: 'fixed', 'scaled'"),
        ({"network_delay_us": [1e-5]}, "network_delay_us: found 1e-05; allowed: 0, or 0.0001 us"),
        ({"network_delay_us": ["x2", 0]}, "network_delay_us: found x2, 0.0; allowed: values that"),
        ({"network_mbit_s": ["x0.00001"]}, "a multiple of the machine's own from x0.001"),
        ({"network_mbit_s": [10, 10]}, "each value once"),
    ],
)
def test_other_values_are_refused_in_words(keys: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        _plan(**keys)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_machine_without_a_network_has_none_to_vary() -> None:
    bare, image = BASE.model_copy(update={"network": None}), Image(Path(), Path(), "none")
    for axis in ("network_mbit_s", "network_delay_us"):
        asked = _asked(fs=["unix"], **{axis: [1]})
        with pytest.raises(
            ConfigError, match=f"network: missing; allowed: one, since the .*{axis}"
        ):
            make_plan(asked, bare, engines.load("fake"), image)


def test_a_plan_shows_the_axes_of_parts_that_it_has() -> None:
    served, plain = (
        [column.header for column in estimate._table(plan.specs, {}).columns]
        for plan in (_plan(), _plan(fs=["unix"]))
    )
    assert [name for name in served if name not in plain] == ["network", "Mbit/s", "delay, us"]
    assert plain == ["point", "MHz", "memory", "latency, ns", "MB/s", "disk", "start", *plain[-2:]]


@pytest.mark.long
def test_a_sweep_of_networks_is_run_and_analysed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    axes = ("--fs", "unix,nfs", "--network-mbit-s", "x1,100", "--network-delay-us", "0,50")
    made = sweep(run, "--cpu-mhz", "20,80", "--network", "fixed,scaled", *axes)
    assert made.returncode == 0, made.stderr
    assert len(done(run)) == 12
    loaded = load_run(run)
    calls = next(iter(loaded.points.values())).network
    assert calls["fs"].tolist() == ["nfs"] and calls["messages"].tolist() == [150]
    tables = analyze(loaded)
    points = tables["points"]
    assert set(zip(points["network_mbit_s"], points["network_delay_us"], strict=True)) == {
        *((rate, delay) for rate in (10, 100) for delay in (0, 50)),
        *((rate, delay) for rate in (40, 400) for delay in (0, 12.5)),
    }
    assert "latency_ns" not in points
    times = tables["times"].merge(points.drop_duplicates("key"), on="key")
    rows = times[(times["fs"] == "nfs") & (times["clock_mhz"] == 20)]
    by = rows.set_index(["network_mbit_s", "network_delay_us"])["ns_per_op"]
    # Three calls of two frames of 174 bytes.
    assert by[10, 50] - by[10, 0] == pytest.approx(3 * 2 * 50000, rel=1e-3)
    assert by[10, 0] - by[100, 0] == pytest.approx(3 * 2 * 174 * 0.9 * 800, rel=1e-3)


@pytest.mark.slow
def test_bad_networks_are_one_sentence(tmp_path: Path) -> None:
    for words in (
        ("--network-mbit-s", "100"),
        ("--fs", "nfs", "--network", "quick"),
        ("--fs", "nfs", "--machine", "base,hohmuth"),
        ("--fs", "nfs", "--predict"),
    ):
        result = sweep(tmp_path / "run", *words)
        assert result.returncode == 2 and not (tmp_path / "run").exists()
        assert len(sentences(result.stderr)) == 1
