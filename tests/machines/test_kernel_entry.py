# SPDX-License-Identifier: BSD-3-Clause
"""What a machine's kernel entry costs over the reference's: from its file to the guest's orders."""

import pytest

from osgap.base.config import ConfigError, validate
from osgap.base.paths import project_root
from osgap.image.builder.variant import load_variant
from osgap.machines.figure import Figure
from osgap.machines.machine import KernelEntryCost, Machine, load_fitted
from osgap.machines.system import System, system
from osgap.rundir.point import Axes, OrdersRecord, Spec, key_of
from osgap.sweep.spec import SweepFile, each_run

MACHINES = project_root() / "configs" / "machines"
PERIOD = sorted((MACHINES / "period").glob("*.toml"))
ORDERS = OrdersRecord(run=("checks",), fs=("unix",), seed=0)


def of(name: str) -> tuple[Machine, Machine | None]:
    return load_fitted(MACHINES / "period" / f"{name}.toml", "rvsim", MACHINES)


def resolved(name: str) -> System:
    machine, reference = of(name)
    return system(machine, reference=reference, entry=True)


def entry(call: float, trap: float, switch: float, stores: int = 0) -> KernelEntryCost:
    call_, trap_, switch_ = (Figure(value=value, source="a test") for value in (call, trap, switch))
    return KernelEntryCost(system_call=call_, trap=trap_, context_switch=switch_, stores=stores)


def test_there_are_the_papers_ten_machines() -> None:
    assert [file.stem for file in PERIOD] == [
        file.stem for file in sorted((MACHINES / "paper").glob("*.toml"))
    ]


def test_only_what_is_over_the_references_is_spent() -> None:
    """108, 185 and 178 instructions of an R2000 over a VAX's 45, 66 and 81."""
    made = resolved("DS3100").entry
    assert made is not None
    assert made.model_dump() == {
        "call_instructions": 63,
        "call_stores": 0,
        "trap_instructions": 119,
        "trap_stores": 0,
        "switch_instructions": 97,
        "switch_stores": 0,
    }


@pytest.mark.parametrize(
    ("name", "cost"), [("RT-APC", {"one_mapping": 1}), ("HP835", {"switch_instructions": 8192})]
)
def test_a_hypothesis_spends_one_thing_more(name: str, cost: dict[str, int]) -> None:
    machine, reference = load_fitted(MACHINES / "hypotheses" / f"{name}.toml", "rvsim", MACHINES)
    made = system(machine, reference=reference, entry=True)
    plain = resolved(name)
    assert made.entry is not None
    assert {key: value for key, value in made.entry.model_dump().items() if value} == cost
    assert made.model_copy(update={"entry": None}) == plain


@pytest.mark.parametrize("name", ["MVAX2", "8800", "Sun3", "RT-APC", "HP835"])
def test_where_nothing_is_known_or_over_nothing_is_spent(name: str) -> None:
    assert resolved(name).entry is None


def test_the_note_of_1989_rates_one_of_them_otherwise() -> None:
    """The same microseconds of a DECstation 3100 are 13/12 times the instructions there."""
    folders = [MACHINES / name for name in ("period", "period-1989")]
    then, now = (
        load_fitted(folder / "DS3100.toml", "rvsim", MACHINES)[0].entry for folder in folders[::-1]
    )
    assert then is not None and now is not None
    for event in ("system_call", "trap", "context_switch"):
        more = getattr(then, event).value / getattr(now, event).value
        assert more == pytest.approx(13 / 12, rel=0.005)


def test_what_is_less_than_the_references_is_not_taken_off() -> None:
    machine, reference = of("SS1")
    assert reference is not None
    cheap = machine.model_copy(update={"entry": entry(1, 1000, 1, stores=3)})
    made = system(cheap, reference=reference, entry=True).entry
    assert made is not None
    assert (made.call_instructions, made.trap_instructions, made.switch_instructions) == (0, 934, 0)
    assert made.call_stores == made.trap_stores == made.switch_stores == 3


def test_a_reference_without_an_entry_is_refused() -> None:
    machine, _ = of("SS1")
    bare, _ = load_fitted(MACHINES / "paper" / "MVAX2.toml", "rvsim", MACHINES)
    with pytest.raises(ConfigError, match="entry: missing; allowed: one"):
        system(machine, reference=bare, entry=True)


def test_the_orders_have_it_beside_the_disks_parameters() -> None:
    place = resolved("SS1")
    axes = Axes(clock_mhz=1, memory="fixed", disk="fixed")
    key = key_of("fake", "1", "image", axes, place, ORDERS)
    spec = Spec(
        key=key,
        engine="fake",
        engine_version="1",
        image_digest="image",
        machine="period/SS1",
        axes=axes,
        resolved=place,
        orders=ORDERS,
        timeout_s=1,
    )
    line = next(line for line in spec.guest_orders("none").text().split("\n") if "disk " in line)
    assert " call_instructions=142 " in line and " switch_instructions=582 " in line
    assert line.startswith("disk rotation_ns=")


def test_without_it_a_point_keeps_its_key() -> None:
    machine, reference = of("DS5000")
    plain, own = (system(machine, reference=reference, entry=on) for on in (False, True))
    assert "entry" not in plain.model_dump() and "entry" in own.model_dump()


def test_a_sweep_says_whose_entry() -> None:
    data = {"description": "x", "machine": "period/SS1"}
    (plain,) = each_run(validate(data, SweepFile, "f")).values()
    (own,) = each_run(validate({**data, "entry": "machine"}, SweepFile, "f")).values()
    assert plain.entry == "image" and "entry" not in plain.model_dump()
    assert own.entry == "machine"
    with pytest.raises(ConfigError, match="entry: found 'x'; allowed: 'image', 'machine'"):
        validate({**data, "entry": "x"}, SweepFile, "f")


@pytest.mark.build
def test_the_variant_asks_for_the_drivers_parameters() -> None:
    folder = project_root() / "disk-images" / "variants"
    variant = load_variant(folder / "period.toml")
    assert variant.module_words == ("OSGAP_PERIOD=y",)
    assert variant.manifest("period", [])["period"] is True
    assert not variant.moves and load_variant(folder / "period-moves.toml").moves
    assert "period" not in load_variant(folder / "musl.toml").manifest("musl", [])


def test_a_fits_core_and_refill_are_that_engines_alone() -> None:
    gem5, _ = load_fitted(MACHINES / "period" / "MVAX2.toml", "gem5", MACHINES)
    rvsim, _ = of("MVAX2")
    assert (system(gem5).core, system(gem5).refill_cycles) == ("in-order-pipelined", 3)
    assert (system(rvsim).core, system(rvsim).refill_cycles) == ("in-order", None)
    assert "refill_cycles" not in system(rvsim).model_dump()
