# SPDX-License-Identifier: BSD-3-Clause
"""Working sets that no cache may hold: the benchmarks' own, and those that orders enlarge."""

import shutil
import subprocess

import pytest
from native import ON_THIS_MACHINE, WORKLOADS, build, of, orders, run

pytestmark = ON_THIS_MACHINE


SETS = {
    "pointer_chase_memory": 0,
    "stream_copy": 262144,
    "latency_memory": 0,
    "memory_read": 524288,
    "memory_write": 524288,
    "bcopy_uncached": 131072,
    "read": 262144,
    "memcpy": 262144,
    "memset": 262144,
}
"""Bytes that one operation moves in the benchmark's own working set."""
RUN_SETS = (
    "run checks/pointer_chase_memory,checks/stream_copy,mcvoy/latency_memory,mcvoy/memory_read,"
    "mcvoy/memory_write,ousterhout/bcopy_uncached,ousterhout/read,boards/memcpy,boards/memset"
)


@pytest.mark.parametrize("order", [None, 131072, 393216, 1 << 20, 16 << 20])
def test_a_working_set_is_the_larger_of_the_benchmarks_and_the_orders(program, tmp_path, order):
    lines = [] if order is None else [f"uncached {order}"]
    code, lines = run(program, orders("fs unix", *lines, RUN_SETS), tmp_path)
    assert (code, of("fail", lines)) == (0, [])
    sizes = {bench["name"]: int(bench["bytes"]) for bench in of("bench", lines)}
    assert sizes == {name: size and max(size, order or 0) for name, size in SETS.items()}


def test_what_a_cache_holds_is_not_enlarged(program, tmp_path):
    names = (
        "run checks/pointer_chase_l1,mcvoy/latency_l1,mcvoy/latency_l2,ousterhout/bcopy_cached,"
        "boards/chase_16k,boards/chase_16m"
    )
    code, lines = run(program, orders("uncached 268435456", names), tmp_path)
    assert (code, of("fail", lines)) == (0, [])
    assert {int(bench["bytes"]) for bench in of("bench", lines)} == {0, 4096}


def test_a_larger_working_set_takes_longer_to_move(program, tmp_path):
    """128 times the bytes take well over 16 times as long, by the fastest of each."""
    best = []
    for order in (131072, 16 << 20):
        text = orders(f"uncached {order}", "run ousterhout/bcopy_uncached")
        _, lines = run(program, text, tmp_path)
        best.append(min(int(sample["ns"]) for sample in of("sample", lines)))
    assert best[1] > 16 * best[0]


def replaced(folder, file, old, new):
    """The program with a line of one of its sources replaced."""
    copy = folder / "workloads"
    shutil.copytree(WORKLOADS, copy)
    source = (copy / file).read_text()
    assert source.count(old) == 1
    (copy / file).write_text(source.replace(old, new))
    return build(copy, folder / "osgap-bench")


def test_orders_that_do_not_fit_memory_are_refused_before_anything_runs(tmp_path):
    """Two of 16 MiB and 4 MiB to spare are needed, where the benchmark takes part alone."""
    meminfo = tmp_path / "meminfo"
    short = replaced(tmp_path, "lib/memory.c", "/proc/meminfo", str(meminfo))
    (scratch := tmp_path / "scratch").mkdir()
    bcopy = "run checks/empty_loop,ousterhout/bcopy_uncached"

    def answer(free, *lines):
        meminfo.write_text(f"MemTotal: 9 kB\nMemFree: 1 kB\nMemAvailable: {free} kB\n")
        return run(short, orders(*lines), scratch)

    code, lines = answer(36864 - 1, "uncached 16777216", bcopy)
    assert code != 0 and lines == [("error", {"reason": "no-memory"})]
    assert answer(36864, "uncached 16777216", bcopy)[0] == 0
    assert answer(0, bcopy)[0] == 0
    assert answer(0, "uncached 16777216", "run ousterhout/getpid")[0] == 0


@pytest.mark.parametrize("size", ["100000", "131072 + 4096", "268435456 + 16384", "262144"])
def test_a_benchmark_with_a_working_set_that_cannot_be_is_found(tmp_path, size):
    """None below the least, above the most, between steps, or beside other bytes than it moves."""
    old, new = ".uncached = BYTES", f".uncached = {size}"
    program = replaced(tmp_path, "ousterhout/bcopy.c", old, new)
    done = subprocess.run([program, "--list"], capture_output=True)
    assert done.returncode != 0 and b"bad-benchmark" in done.stderr
