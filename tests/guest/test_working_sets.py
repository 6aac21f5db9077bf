# SPDX-License-Identifier: BSD-3-Clause
"""The order for working sets that no cache holds: which machines get it, and how large it is."""

import re

import pytest

from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.guest import working_sets
from osgap.guest.working_sets import WORKING_SETS, is_order, uncached_order
from osgap.machines.machine import load_machine
from osgap.machines.system import system
from osgap.rundir import manifest
from osgap.rundir.files import finished_points
from osgap.rundir.point import POINT, parse_spec

ROOT = project_root()
MACHINES = ROOT / "configs" / "machines"
DEFAULT = ("checks", "ousterhout")
BCOPY = ("ousterhout/bcopy_uncached",)
READ = ("ousterhout/read",)
KIB, MIB = 1 << 10, 1 << 20


@pytest.mark.parametrize(
    ("run", "last_cache", "order"),
    [
        # 128 KiB are twice 64 KiB: nothing of the smallest working set stays in the cache.
        (DEFAULT, 32 * KIB, 0),
        (DEFAULT, 64 * KIB, 0),
        (DEFAULT, 65 * KIB, 272 * KIB),
        (BCOPY, 128 * KIB, 512 * KIB),
        (("ousterhout",), 256 * KIB, MIB),
        (("mcvoy",), 256 * KIB, 0),
        (("mcvoy",), 512 * KIB, 2 * MIB),
        (("mcvoy/latency_memory",), 512 * KIB, 0),
        (("publications/kennaway/extract_tmpfs_1", "checks/integer_mix"), 512 * KIB, 0),
        (("program/mine",), 64 * MIB, 0),
        (READ, 512 * KIB, 2 * MIB),
        # The guest's disk has room for a file of 4 MiB, its memory for 32 MiB twice.
        (READ, 2 * MIB, 4 * MIB),
        (BCOPY, 2 * MIB, 8 * MIB),
        (BCOPY, 16 * MIB, 32 * MIB),
    ],
)
def test_an_order_comes_where_the_benchmarks_would_fit_the_last_cache(
    run: tuple[str, ...], last_cache: int, order: int
) -> None:
    assert uncached_order(run, last_cache, 128) == order
    assert not order or is_order(order)


@pytest.mark.parametrize(
    ("run", "last_cache", "sentence"),
    [
        (
            DEFAULT,
            4 * MIB,
            "last cache: found 4096 KiB; allowed: 2048 KiB or less, since the guest's disk limits "
            "the file of ousterhout/read",
        ),
        (
            BCOPY,
            17 * MIB,
            "last cache: found 17408 KiB; allowed: 16384 KiB or less, since the guest's memory "
            "limits working sets",
        ),
    ],
)
def test_a_cache_that_no_working_set_exceeds_is_refused(
    run: tuple[str, ...], last_cache: int, sentence: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        uncached_order(run, last_cache, 128)
    assert str(refused.value) == sentence


def test_of_the_machine_files_these_get_an_order_for_all_benchmarks() -> None:
    orders = {}
    for path in sorted(MACHINES.rglob("*.toml")):
        resolved = system(load_machine(path))
        if path.stem.startswith("p550"):  # its 4 MiB are more than half of the largest file
            continue
        order = uncached_order(DEFAULT, resolved.last_cache_bytes, resolved.memory.size_mib)
        orders[str(path.relative_to(MACHINES))] = order
    assert {name: order for name, order in orders.items() if order} == {
        "hohmuth.toml": MIB,
        **{f"smp-{harts}.toml": 2 * MIB for harts in (1, 2, 4, 8, 12, "12-far", "12-narrow")},
        **{f"large-cache/{name}-1MiB.toml": 4 * MIB for name in ("DS3100", "MVAX2", "SS1")},
        **{f"boards/{name}.toml": 4 * MIB for name in ("visionfive2", "visionfive2-4")},
    }
    assert len(orders) > 40


@pytest.mark.parametrize(
    "name",
    [
        "publications/hohmuth-patch/rvsim/direct",
        "publications/hohmuth-dispatch/gem5/sud-first",
        "publications/kennaway/gem5/smp-1.smp",
        "publications/kennaway/gem5/smp-12.smp",
    ],
)
def test_accepted_runs_of_machines_with_a_second_cache_keep_their_orders(name: str) -> None:
    run = ROOT / "results" / "locked" / name
    for key, files in finished_points(run, manifest.read(run).points):
        spec = parse_spec(files.read(POINT), key, key, planned=True)
        resolved = spec.system
        assert resolved.last_cache_bytes >= 256 * KIB
        order = uncached_order(spec.orders.run, resolved.last_cache_bytes, 128)
        assert order == spec.orders.uncached == 0
        assert "uncached" not in spec.guest_orders("m5").text().split("\nrun ")[0]


def test_the_sizes_are_those_that_the_sources_declare() -> None:
    declared, fields = {}, 0
    for path in sorted((ROOT / "workloads").glob("*/*.c")):
        source = path.read_text()
        defined = dict(re.findall(r"^#define (\w+) (\d+)$", source, re.MULTILINE))
        for name, size in re.findall(r"BENCHMARK\((\w+),[^;]*\.uncached = (\w+)", source):
            declared[f"{path.parent.name}/{name}"] = int(defined.get(size, size))
        fields += source.count(".uncached = ")
    assert declared == WORKING_SETS and fields == len(declared)
    header = (ROOT / "workloads" / "lib" / "runner.h").read_text()
    limits = dict(re.findall(r"^#define (M\w+_UNCACHED|UNCACHED_\w+) (\d+)u", header, re.MULTILINE))
    assert {name: int(size) for name, size in limits.items()} == {
        "MIN_UNCACHED": working_sets.LEAST_BYTES,
        "MAX_UNCACHED": working_sets.MOST_BYTES,
        "UNCACHED_STEP": working_sets.STEP_BYTES,
    }
