# SPDX-License-Identifier: BSD-3-Clause
"""The disk driver's timing model, compiled for the host, against its parameters."""

import ctypes
import itertools
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from osgap.base.paths import project_root
from osgap.machines.machine import load_machine
from osgap.machines.system import DiskSystem, system
from osgap.predict.disk_replay import DiskMechanism

pytestmark = pytest.mark.build
DRIVER = project_root() / "disk-images" / "kernel" / "osgap_disk"
_PARAMS = (
    "rotation_ns",
    "sectors_per_track",
    "heads",
    "cylinders",
    "seek_track_ns",
    "seek_full_ns",
    "overhead_ns",
    "cache_sectors",
)
_STATS = (
    "reads",
    "writes",
    "sectors",
    "seek_ns",
    "rotation_ns",
    "transfer_ns",
    "overhead_ns",
    "queue_ns",
)


class Params(ctypes.Structure):
    _fields_ = [(name, ctypes.c_ulong) for name in _PARAMS]


class Stats(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in _STATS]


class Model(ctypes.Structure):
    _fields_ = [
        ("cylinder", ctypes.c_uint64),
        ("busy_until_ns", ctypes.c_uint64),
        ("cache_free_ns", ctypes.c_uint64),
        ("stats", Stats),
    ]


Serve = Callable[..., int]


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Serve:
    library = tmp_path_factory.mktemp("disk") / "model.so"
    subprocess.run(
        [
            "gcc",
            "-std=gnu11",
            "-Wall",
            "-Wextra",
            "-Wno-unused-parameter",
            "-Werror",
            "-shared",
            "-fPIC",
            "-O2",
            f"-I{Path(__file__).parent}",
            f"-I{DRIVER}",
            str(DRIVER / "disk_model.c"),
            "-lm",
            "-o",
            str(library),
        ],
        check=True,
    )
    function = ctypes.CDLL(str(library)).disk_model_complete_ns
    function.restype = ctypes.c_uint64
    function.argtypes = [
        ctypes.POINTER(Model),
        ctypes.POINTER(Params),
        ctypes.c_uint64,
        ctypes.c_uint64,
        ctypes.c_uint64,
        ctypes.c_bool,
    ]

    def call(model: Model, params: Params, now: int, sector: int, count: int, write: bool) -> int:
        return int(function(ctypes.byref(model), ctypes.byref(params), now, sector, count, write))

    return call


def _disk() -> DiskSystem:
    return system(load_machine(project_root() / "configs" / "machines" / "base.toml")).disk


def _params(**changes: int) -> Params:
    return Params(**{**_disk().model_dump(), **changes})


def test_a_sector_under_the_head_costs_overhead_and_transfer(serve: Serve) -> None:
    params, model = _params(overhead_ns=0), Model()
    turn = params.rotation_ns
    assert serve(model, params, 5 * turn, 0, 36, False) == 6 * turn  # one track is one turn
    assert (model.stats.rotation_ns, model.stats.transfer_ns, model.stats.reads) == (0, turn, 1)


def test_a_sector_just_missed_costs_a_turn(serve: Serve) -> None:
    params, model = _params(), Model()
    first = serve(model, params, 0, 8, 8, True)
    again = serve(model, params, first, 8, 8, True)
    assert again - first == params.rotation_ns


def test_back_to_back_writes_of_one_sector_are_one_a_turn(serve: Serve) -> None:
    params, model, now = _params(), Model(), 0
    ends = []
    for _ in range(20):
        now = serve(model, params, now, 100, 8, True)
        ends.append(now)
    assert {b - a for a, b in itertools.pairwise(ends)} == {params.rotation_ns}


def test_seeks_grow_from_track_to_full_with_the_root_of_the_distance(serve: Serve) -> None:
    params = _params()
    per_cylinder = params.sectors_per_track * params.heads

    def seek(distance: int) -> int:
        model = Model()
        serve(model, params, 0, distance * per_cylinder, 1, False)
        return int(model.stats.seek_ns)

    last = params.cylinders - 1
    assert seek(0) == 0 and seek(1) == params.seek_track_ns
    assert seek(last) == pytest.approx(params.seek_full_ns, rel=1e-3)
    quarter = (seek(1 + last // 4) - params.seek_track_ns) / (
        params.seek_full_ns - params.seek_track_ns
    )
    assert quarter == pytest.approx(0.5, abs=0.01)


def test_random_reads_average_seek_half_a_turn_and_transfer(serve: Serve) -> None:
    params, model, now = _params(), Model(), 0
    capacity = params.sectors_per_track * params.heads * params.cylinders
    count, chance = 4000, random.Random(1990)
    for _ in range(count):
        now = serve(model, params, now, chance.randrange(capacity), 8, False)
    assert model.stats.seek_ns / count == pytest.approx(16e6, rel=0.03)  # RZ55's average
    assert model.stats.rotation_ns / count == pytest.approx(params.rotation_ns / 2, rel=0.05)
    assert model.stats.overhead_ns == count * params.overhead_ns


def test_the_write_cache_hides_writes_until_it_is_full(serve: Serve) -> None:
    params, model = _params(cache_sectors=64), Model()
    first = serve(model, params, 0, 100, 8, True)
    assert first == params.overhead_ns
    second = serve(model, params, first, 5000, 8, True)
    assert second > params.rotation_ns / 36  # waits for the medium of the first
    too_large = serve(Model(), params, 0, 100, 65, True)
    assert too_large > params.rotation_ns


@settings(max_examples=examples(200), deadline=None)
@given(
    now=st.integers(0, 10**15),
    sector=st.integers(0, 600_000),
    count=st.integers(1, 2048),
    write=st.booleans(),
    busy=st.integers(0, 10**15),
)
def test_a_request_never_ends_before_it_could(
    serve: Serve, now: int, sector: int, count: int, write: bool, busy: int
) -> None:
    params, model = _params(), Model(busy_until_ns=busy)
    end = serve(model, params, now, sector, count, write)
    start = max(now, busy)
    transfer = count * params.rotation_ns // params.sectors_per_track
    assert start + params.overhead_ns + transfer <= end
    assert end <= start + params.overhead_ns + params.seek_full_ns + params.rotation_ns + transfer
    assert model.stats.queue_ns == start - now


_REQUESTS = st.lists(
    st.tuples(
        st.integers(0, 40_000_000), st.integers(0, 600_000), st.integers(1, 64), st.booleans()
    ),
    min_size=1,
    max_size=20,
)


@settings(max_examples=examples(300), deadline=None)
@given(
    requests=_REQUESTS,
    cache=st.sampled_from([0, 16, 64]),
    by=st.sampled_from([1, 7, 32]),
    begin=st.integers(0, 10**12),
)
def test_the_model_that_replays_is_the_drivers(
    serve: Serve, requests: list[tuple[int, int, int, bool]], cache: int, by: int, begin: int
) -> None:
    """osgap.predict.disk_replay and disk_model.c, on disks of several speeds and caches."""
    disk = _disk()
    times = {name: getattr(disk, name) // by for name in _PARAMS if name.endswith("_ns")}
    disk = disk.model_copy(update={**times, "cache_sectors": cache})
    params, model, mine, now = Params(**disk.model_dump()), Model(), DiskMechanism(disk), begin
    for later_ns, sector, count, write in requests:
        now += later_ns
        expected = serve(model, params, now, sector, count, write)
        assert mine.complete_ns(now, sector, count, is_write=write) == expected
