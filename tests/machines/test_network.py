# SPDX-License-Identifier: BSD-3-Clause
"""A machine's network: from its file to the parameters of the guest, and to no older system."""

from pathlib import Path

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.machines.axes import FIGURES, FigureAxis
from osgap.machines.figure import Figure
from osgap.machines.machine import Machine, load_fitted, load_machine
from osgap.machines.network import LARGEST, Network
from osgap.machines.system import System, system

MACHINES = project_root() / "configs" / "machines"
FILE = MACHINES / "base.toml"
BASE = load_machine(FILE)
WITHOUT = {"hohmuth"}
"""Machines of which no network is known."""
ALL = sorted(MACHINES.rglob("*.toml"))


def network(rate: float = 10, delay: float = 0, overhead: float = 24, lost: float = 0) -> Network:
    rate_, delay_, overhead_, lost_ = (
        Figure(value=value, source="a test") for value in (rate, delay, overhead, lost)
    )
    return Network(
        bandwidth_mbit_s=rate_,
        delay_us=delay_,
        frame_overhead_bytes=overhead_,
        lost_per_million=lost_,
    )


def changed(scale: float = 1, **figures: float) -> Machine:
    return BASE.model_copy(update={"network": network(**figures), "time_scale": scale})


def parameters(found: System) -> dict[str, int]:
    assert found.network is not None
    return found.network.parameters


def _edited(tmp_path: Path, old: str, new: str) -> Path:
    text = FILE.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "edited.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_machines_have_the_ethernet_of_their_time(path: Path) -> None:
    found = load_machine(path).network
    if path.stem in WITHOUT:
        assert found is None
        return
    assert found is not None and found.lost_per_million is None
    own = (found.bandwidth_mbit_s, found.delay_us, found.frame_overhead_bytes)
    assert [figure.value for figure in own] == [10, 0, 24]
    assert all(figure.source.startswith(("IEEE 802.3", "assumed: ")) for figure in own)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_a_system_has_a_network_only_where_files_are_on_a_server(path: Path) -> None:
    machine = load_machine(path)
    without = machine.model_copy(update={"network": None})
    assert "network" not in without.model_dump()
    plain = system(machine)
    assert plain == system(without) and plain.network is None
    assert plain.model_dump_json() == system(without).model_dump_json()
    assert "network" not in plain.model_dump()
    if machine.network is not None:
        remote = system(machine, remote=True)
        assert remote.model_copy(update={"network": None}) == plain


def test_parameters_are_all_sent_and_no_loss_is_not_recorded() -> None:
    none, some = system(changed(), remote=True), system(changed(lost=20), remote=True)
    orders = {"bytes_per_s": 1250000, "delay_ns": 0, "overhead_bytes": 24, "lost_per_million": 0}
    assert parameters(none) == orders
    assert list(parameters(none)) == list(orders)
    assert parameters(some) == {**orders, "lost_per_million": 20}
    assert none.model_dump()["network"] == dict(list(orders.items())[:3])
    assert some.model_dump()["network"] == {**orders, "lost_per_million": 20}


def test_a_time_scale_multiplies_the_rate_and_divides_the_delay() -> None:
    one, thirty = (
        parameters(system(changed(scale, delay=60, lost=5), remote=True)) for scale in (1, 30)
    )
    assert (thirty["bytes_per_s"], thirty["delay_ns"]) == (30 * one["bytes_per_s"], 2000)
    same = ("overhead_bytes", "lost_per_million")
    assert [thirty[key] for key in same] == [one[key] for key in same] == [24, 5]


@pytest.mark.parametrize("rate", [10, 100, 1000])
def test_ethernets_stay_below_the_guests_limit_at_any_time_scale_of_the_machines(
    rate: float,
) -> None:
    assert parameters(system(changed(30, rate=rate), remote=True))["bytes_per_s"] <= LARGEST


def test_a_scaled_network_follows_the_clock_and_a_fixed_one_does_not() -> None:
    machine = changed(delay=80)
    fixed, scaled = (
        parameters(system(machine, 160, network=policy, remote=True))
        for policy in ("fixed", "scaled")
    )
    own = parameters(system(machine, remote=True))
    assert fixed == own
    assert scaled == {**own, "bytes_per_s": 8 * own["bytes_per_s"], "delay_ns": 10000}
    memory = system(machine, 160, "scaled", "scaled", remote=True)
    assert parameters(memory) == own


def test_a_network_is_scaled_to_the_references() -> None:
    """The DECstation 3100 has 12 MIPS, the MicroVAX II 0.9: 13.3 times as fast relative to it."""
    machine, vax = load_fitted(MACHINES / "paper" / "DS3100.toml", "rvsim", MACHINES)
    assert vax is not None and machine.mips is not None and vax.mips is not None
    slower = vax.model_copy(update={"network": network(rate=1)})
    fixed, scaled = (
        parameters(system(machine, network=policy, reference=slower, remote=True))["bytes_per_s"]
        for policy in ("fixed", "scaled")
    )
    ratio = machine.mips.value / vax.mips.value
    assert fixed == round(1250000 * machine.time_scale)
    assert scaled == round(125000 * machine.time_scale * ratio)
    bare = vax.model_copy(update={"network": None})
    with pytest.raises(ConfigError, match=r"machine 'MicroVAX II.*': network: missing; allowed"):
        system(machine, network="scaled", reference=bare, remote=True)


def test_a_machine_without_a_network_reaches_no_server() -> None:
    machine = load_machine(MACHINES / "hohmuth.toml")
    assert system(machine).network is None
    with pytest.raises(ConfigError, match=r'machine "Hohmuth.*: network: missing; allowed: one'):
        system(machine, remote=True)


FIGURE = {
    "rate": st.floats(0.001, 10000),
    "delay": st.floats(0, 1000000),
    "overhead": st.integers(0, 1000),
    "lost": st.integers(0, 500000),
}


@settings(max_examples=examples(100))
@given(figures=st.fixed_dictionaries(FIGURE), scale=st.floats(0.001, 1000))
def test_what_the_guest_is_told_is_within_its_limits(
    figures: dict[str, float], scale: float
) -> None:
    try:
        found = system(changed(scale, **figures), remote=True)
    except ConfigError as error:
        assert str(error).startswith("network.") and "as simulated; allowed: " in str(error)
        return
    told = parameters(found)
    assert 1 <= told["bytes_per_s"] <= LARGEST and 0 <= told["delay_ns"] <= LARGEST
    assert told["bytes_per_s"] == pytest.approx(figures["rate"] * 125000 * scale, abs=0.5)
    assert told["delay_ns"] == pytest.approx(figures["delay"] * 1000 / scale, abs=0.5)
    again = System.model_validate_json(found.model_dump_json())
    assert again == found and parameters(again) == told


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("value = 10, s", "value = 0, s", "network.bandwidth_mbit_s: found 0; allowed: a number"),
        ("value = 10, s", "value = 10001, s", "from 0.001 to 10000 Mbit/s"),
        ("delay_us = { value = 0", "delay_us = { value = -1", "network.delay_us: found -1"),
        ("value = 24", "value = 1.5", "network.frame_overhead_bytes: found 1.5; allowed: a whole"),
        ("value = 24", "size = 24", "network.frame_overhead_bytes.value: missing"),
        ("value = 24, source", "value = 24, from", "network.frame_overhead_bytes.source: missing"),
        ("[network]", "[network]\nlost_per_million = 1", "network.lost_per_million"),
        (
            "[network]",
            '[network]\nlost_per_million = { value = 500001, source = "x" }',
            "network.lost_per_million: found 500001; allowed: a whole number from 0 to 500000",
        ),
        ("[network]", "[network]\nspeed = 3", "network.speed: unknown key; allowed: bandwidth_mb"),
        ("[network]", "[net]", "net: unknown key"),
    ],
)
def test_a_bad_network_is_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_machine(_edited(tmp_path, old, new))
    message = str(caught.value)
    assert "edited.toml" in message and "\n" not in message and words in message


def test_a_network_is_inherited_key_by_key(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(FILE.read_text(encoding="utf-8"), encoding="utf-8")
    mine = tmp_path / "mine.toml"
    figure = 'bandwidth_mbit_s = { value = 100, source = "IEEE 802.3u" }\n'
    mine.write_text(f'extends = "base"\ndescription = "mine"\n[network]\n{figure}')
    found = load_machine(mine).network
    assert found is not None and BASE.network is not None
    own = Figure(value=100, source="IEEE 802.3u")
    assert found == BASE.network.model_copy(update={"bandwidth_mbit_s": own})


def _network_figures() -> list[FigureAxis]:
    return [axis for axis in FIGURES if axis.part == "network"]


def test_the_axes_values_are_the_files_figures() -> None:
    bandwidth, delay = _network_figures()
    found = system(changed(delay=12.5), remote=True)
    assert (bandwidth.of(found), delay.of(found)) == (10, 12.5)
    scaled = system(changed(20, delay=50), remote=True)
    assert bandwidth.on_own_time(bandwidth.of(scaled), 20) == 10
    assert delay.on_own_time(delay.of(scaled), 20) == 50
    faster = bandwidth.applied(found, 100)
    assert parameters(faster)["bytes_per_s"] == 12500000
    record = system(BASE)
    for axis in (bandwidth, delay):
        assert str(axis.of(record)) == "nan" and axis.printed(record, record) == ""


def test_an_axis_replaces_the_files_figure_before_it_is_scaled() -> None:
    machine = changed(10, delay=40)
    found = system(machine, remote=True, network_mbit_s="x2", network_delay_us=5)
    assert (parameters(found)["bytes_per_s"], parameters(found)["delay_ns"]) == (25000000, 500)
    assert system(machine, network_mbit_s="x2") == system(machine)
