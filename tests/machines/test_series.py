# SPDX-License-Identifier: BSD-3-Clause
"""Names of series: of the parts that are scaled and the figures that are not the machine's own."""

from hypothesis import given
from hypothesis import strategies as st

from osgap.machines.axes import FIGURES, POLICIES
from osgap.machines.series import (
    POLICY_NAMES,
    Series,
    clock_and_parts,
    figures_text,
    parse_series,
    scaled_parts,
    series_of,
)

FIRST = ("fixed", "memory", "disk", "both")


def test_the_network_doubles_the_names_and_the_first_four_stay() -> None:
    assert [axis.key for axis in POLICIES] == ["memory", "disk", "network"]
    names = [*FIRST, "network", "memory+network", "disk+network", "both+network"]
    assert list(POLICY_NAMES) == names


def test_each_policy_is_a_bit() -> None:
    for number, name in enumerate(POLICY_NAMES):
        bits = [axis for bit, axis in enumerate(POLICIES) if number >> bit & 1]
        assert scaled_parts(name) == bits
        record = {axis.key: "scaled" if axis in bits else "fixed" for axis in POLICIES}
        assert series_of(record).name == name


def test_a_record_of_before_the_network_is_in_the_series_that_it_was_in() -> None:
    for number, name in enumerate(FIRST):
        memory, disk = ("scaled" if number >> bit & 1 else "fixed" for bit in range(2))
        assert series_of({"memory": memory, "disk": disk, "seed": 0}).name == name


VALUES = st.tuples(*(st.none() | st.just(0.0) | st.floats(0.0001, 1e6) for _ in FIGURES))


@given(policies=st.sampled_from(POLICY_NAMES), values=VALUES)
def test_a_name_leads_back_to_its_series(policies: str, values: tuple[float | None, ...]) -> None:
    rounded = [
        (axis.key, float(f"{value:g}"))
        for axis, value in zip(FIGURES, values, strict=True)
        if value is not None
    ]
    named = Series(policies, tuple(rounded))
    assert parse_series(named.name) == named


def test_a_name_has_the_networks_figures_after_memorys() -> None:
    record = {
        "latency_ns": 100.0,
        "network": "scaled",
        "network_mbit_s": 100.0,
        "network_delay_us": 0.0,
    }
    series = series_of(record)
    assert series.name == "network-lat100-net100-delay0"
    assert series.texts == ["100 ns", "100 Mbit/s", "0 us"]


def test_sentences_name_the_network() -> None:
    assert clock_and_parts("both+network") == "clock, memory, disk and network"
    varied = [parse_series(name) for name in ("fixed", "fixed-net100", "fixed-delay50")]
    assert figures_text(varied) == "bandwidths or delays of the network"
    assert figures_text([*varied, parse_series("fixed-lat100")]) == (
        "latencies or bandwidths of memory or bandwidths or delays of the network"
    )
