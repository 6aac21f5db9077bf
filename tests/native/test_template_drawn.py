# SPDX-License-Identifier: BSD-3-Clause
"""Whatever a machine says of itself and however fast it is, its machine file can be loaded."""

import tempfile
from pathlib import Path

import measured
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from machine_files import GEM5, MIX

from osgap.engines import rvsim_config
from osgap.guest.records import Sample
from osgap.machines.host import HostCache
from osgap.machines.machine import load_machine
from osgap.machines.system import system
from osgap.native.facts import machine_of
from osgap.native.output import NativeError, parse
from osgap.native.template.times import CHASES, EIGHT, MEMCPY
from osgap.native.template.write import template

MACHINE = machine_of(parse(measured.text(), "f"), MIX, "f")
KINDS = ("data", "instruction", "unified", "", "other")
SIZES = st.one_of(st.sampled_from([1 << n for n in range(9, 31)]), st.integers(1, 1 << 31))
LINES = st.sampled_from([0, 1, 16, 32, 48, 64, 128, 256, 512])
CACHES = st.lists(
    st.builds(
        HostCache,
        level=st.integers(1, 9),
        kind=st.sampled_from(KINDS),
        size_bytes=SIZES,
        line_bytes=LINES,
        ways=st.integers(0, 64),
    ),
    max_size=6,
).map(tuple)
PROPERTIES = [
    f"{letter}-{part}"
    for letter in "id"
    for part in ("cache-size", "cache-sets", "cache-block-size", "tlb-size")
]
CACHE_PROPERTIES = ("cache-level", "cache-size", "cache-sets", "cache-block-size")
NAMES = [f"device-tree/cpu/{name}" for name in (*PROPERTIES, "tlb-size")] + [
    f"device-tree/cache-{number}/{name}" for number in (1, 2, 3) for name in CACHE_PROPERTIES
]
NUMBERS = st.one_of(st.integers(0, 1 << 33).map(str), st.sampled_from(["64", "32768", "", "x"]))
TREES = st.dictionaries(st.sampled_from(NAMES), NUMBERS, max_size=12)
WORDS = st.dictionaries(
    st.sampled_from(["cpuinfo", "device-tree/cpu/mmu-type"]),
    st.sampled_from(["mmu : sv39;", "riscv,sv57", "riscv,none", "mmu : ;"]),
)
BENCHMARKS = (*CHASES, *EIGHT, "pointer_chase_l1", "pointer_chase_memory", MEMCPY, "integer_mix")


def samples(times: dict[str, float]) -> list[Sample]:
    return [
        Sample(number, name, "none", 0, 1000, 4096, "ns", max(round(1000 * ns), 1), 0)
        for number, (name, ns) in enumerate(times.items())
    ]


def written(text: str) -> rvsim_config.System:
    """The system of the machine file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.toml"
        path.write_text(text)
        return system(load_machine(path))


@settings(max_examples=examples(200), deadline=None)
@given(
    CACHES,
    TREES,
    WORDS,
    st.dictionaries(st.sampled_from(BENCHMARKS), st.floats(1e-3, 1e9)),
    st.floats(0.001, 1e6),
)
def test_what_is_drawn_is_loaded_or_refused(
    caches: tuple[HostCache, ...],
    tree: dict[str, str],
    words: dict[str, str],
    times: dict[str, float],
    mhz: float,
) -> None:
    machine = MACHINE.model_copy(update={"caches": caches, "clock_mhz": mhz})
    try:
        text = template("x", machine, {**tree, **words}, samples(times), extends=False)
    except NativeError as error:
        assert "--machine-file: found " in str(error)
        assert mhz > 20000 or not any("chase_" in name for name in times)
    else:
        written(text)


@settings(max_examples=examples(200), deadline=None)
@given(
    CACHES,
    TREES,
    st.dictionaries(st.sampled_from(BENCHMARKS), st.floats(0.2, 2000)),
    st.floats(100, 6000),
)
def test_any_board_can_be_simulated(
    caches: tuple[HostCache, ...], tree: dict[str, str], times: dict[str, float], mhz: float
) -> None:
    machine = MACHINE.model_copy(update={"caches": caches, "clock_mhz": mhz})
    chase = {"chase_16m": 150.0, **times}
    simulated = written(template("x", machine, tree, samples(chase), extends=False))
    rvsim_config.check(simulated)
    assert min(GEM5["hit_latencies"](simulated)) >= 1 and GEM5["device_cycles"](simulated) >= 0
    assert len({cache.line_bytes for cache in simulated.caches.values()}) == 1
