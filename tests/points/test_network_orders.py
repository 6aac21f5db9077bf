# SPDX-License-Identifier: BSD-3-Clause
"""A point whose files are on a server: its key, its orders, and what it records."""

import json
from pathlib import Path

import pytest
from examples import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from osgap import engines
from osgap.base.paths import project_root
from osgap.engines.contract import Job
from osgap.guest.records import NetworkUse
from osgap.image.files import no_image
from osgap.machines.machine import load_machine
from osgap.machines.network import NetworkSystem
from osgap.machines.system import System, system
from osgap.points.planned import make_spec, read_plan
from osgap.rundir.files import PointFiles
from osgap.rundir.load import load_point
from osgap.rundir.point import Axes, OrdersRecord, Spec, parse_spec
from osgap.rundir.pointfiles import write_done, write_point

BASE = load_machine(project_root() / "configs" / "machines" / "base.toml")
AXES = Axes(clock_mhz=20, memory="fixed", disk="fixed")
FAKE = engines.load("fake")
NETWORKS = st.builds(
    NetworkSystem,
    bytes_per_s=st.integers(1, 4 * 10**9),
    delay_ns=st.integers(0, 4 * 10**9),
    overhead_bytes=st.integers(0, 1000),
    lost_per_million=st.integers(0, 500000),
)


def point(*fs: str, resolved: System | None = None) -> Spec:
    found = resolved or system(BASE, remote="nfs" in fs)
    orders = OrdersRecord(run=("ousterhout",), fs=fs, seed=0)
    return make_spec(FAKE, no_image(Path()), "base", AXES, found, orders, 10)


def parameters(spec: Spec, verb: str) -> dict[str, int]:
    """Those of a device in the orders of a point; none without its line."""
    lines = [line.split() for line in spec.guest_orders("none").text().splitlines()]
    pairs = [word.split("=") for words in lines if words[0] == verb for word in words[1:]]
    return {key: int(value) for key, value in pairs}


def test_the_orders_have_the_systems_network() -> None:
    spec = point("unix", "nfs")
    assert spec.system.network is not None
    assert parameters(spec, "network") == spec.system.network.parameters
    assert parameters(spec, "disk") == spec.system.parameters
    assert parameters(point("unix"), "network") == {}
    assert parameters(point("unix"), "disk") == parameters(spec, "disk")


@pytest.mark.parametrize("fs", [("unix",), ("unix", "sprite")])
def test_a_point_without_such_files_has_the_key_of_before(fs: tuple[str, ...]) -> None:
    spec, bare = point(*fs), BASE.model_copy(update={"network": None})
    assert spec == point(*fs, resolved=system(bare))
    assert "network" not in json.dumps(spec.model_dump(mode="json"))


@settings(max_examples=examples(100))
@given(one=NETWORKS, other=NETWORKS)
def test_another_network_is_another_point_and_is_read_again(
    one: NetworkSystem, other: NetworkSystem
) -> None:
    assume(one != other)
    plain = system(BASE)
    specs = [
        point("nfs", resolved=plain.model_copy(update={"network": network}))
        for network in (None, one, other)
    ]
    assert len({spec.key for spec in specs}) == 3
    for spec in specs[1:]:
        content = spec.model_dump_json().encode()
        again = parse_spec(content, spec.key, "f", planned=True)
        assert again == spec and parameters(again, "network") == parameters(spec, "network")
    assert parameters(specs[1], "network") == one.parameters


def test_a_plan_is_read_with_its_network(tmp_path: Path) -> None:
    spec = point("nfs")
    (tmp_path / "plan").mkdir()
    file = tmp_path / "plan" / f"{spec.key}.json"
    file.write_text(json.dumps(spec.model_dump(mode="json")))
    assert read_plan(tmp_path, spec.key) == spec


def test_what_the_guest_tells_of_its_network_is_kept(tmp_path: Path) -> None:
    """The engine `fake` makes three calls an operation, of two frames each."""
    for name, spec in (("served", point("unix", "nfs")), ("plain", point("unix"))):
        job = Job(no_image(tmp_path), spec.system, spec.guest_orders("none"), tmp_path, tmp_path, 9)
        outcome = FAKE.run(job)
        (tmp_path / name).mkdir()
        write_point(tmp_path / name, spec, outcome)
        write_done(tmp_path / name)
        found = load_point(PointFiles(tmp_path / name), spec.key)
        assert found.record == spec
        assert len(found.network) == len(outcome.transcript.of(NetworkUse)) == (name == "served")
        assert (tmp_path / name / "network.csv").exists() == (name == "served")
    rows = load_point(PointFiles(tmp_path / "served"), point("unix", "nfs").key).network
    (row,) = rows.to_dict("records")
    assert (row["benchmark"], row["fs"], row["messages"]) == ("create_delete_0", "nfs", 150)
    assert (row["frames"], row["bytes"]) == (300, 300 * 150)
