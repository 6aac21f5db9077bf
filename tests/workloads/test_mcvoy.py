# SPDX-License-Identifier: BSD-3-Clause
"""Hohmuth's rows on this machine: sane values, and what each benchmark's own check catches."""

import os
import shutil
import subprocess
import time

import psutil
import pytest
from native import FLAGS, ON_THIS_MACHINE, ROOT, WORKLOADS, build, names, of, orders, run

pytestmark = ON_THIS_MACHINE

ROWS = {
    "us": "null_call null_process simple_process sh_process mmap_latency ctxsw_2 ctxsw_8 "
    "ctxsw_overhead_2 ctxsw_overhead_8 pipe_latency udp_latency rpc_udp_latency tcp_latency "
    "rpc_tcp_latency",
    "MB/s": "pipe_bandwidth tcp_bandwidth file_reread mmap_reread bcopy_libc bcopy_hand "
    "memory_read memory_write",
    "ns": "latency_l1 latency_l2 latency_memory",
}
UNIT_NS = {"us": 1e3, "ns": 1}


@pytest.fixture(scope="module")
def hello(tmp_path_factory):
    target = tmp_path_factory.mktemp("hello") / "hello"
    source = ROOT / "disk-images" / "programs" / "hello.c"
    subprocess.run(["gcc", *FLAGS, source, "-o", target], check=True)
    return str(target)


def reasons(lines):
    return {fields["name"]: fields["reason"] for fields in of("fail", lines)}


def in_units(lines):
    """Return the best sample of each row, in the row's unit."""
    best = {}
    for bench in of("bench", lines):
        name = bench["name"]
        ns = min(int(s["ns"]) for s in of("sample", lines) if s["name"] == name)
        best[name] = ns / int(bench["count"]) / UNIT_NS.get(bench["metric"], 1)
        if bench["metric"] == "MB/s":
            best[name] = int(bench["bytes"]) * 1e3 / best[name]
    return best


def out_of_order(best):
    """Return the pairs of rows of which the first should be the faster one, and is not."""
    pairs = [
        ("latency_l1", 1.2 * best["latency_memory"]),
        ("null_call", best["null_process"] / 10),
        ("null_call", best["pipe_latency"]),
        ("null_process", best["sh_process"]),
        *((f"ctxsw_overhead_{ring}", best[f"ctxsw_{ring}"]) for ring in (2, 8)),
    ]
    return [(name, best[name], limit) for name, limit in pairs if best[name] >= limit]


def test_every_row_runs_and_gives_sane_values(program, hello, tmp_path):
    best = {}
    for turn in range(5):  # another process on this host makes a row slow, never fast
        here = tmp_path / str(turn)
        here.mkdir()
        code, lines = run(program, orders("fs unix", "run mcvoy"), here, OSGAP_HELLO=hello)
        assert (code, reasons(lines)) == (0, {})
        assert {bench["name"]: bench["metric"] for bench in of("bench", lines)} == {
            name: metric for metric, listed in ROWS.items() for name in listed.split()
        }
        times = in_units(lines)
        assert all(1 < times[name] < 1e6 for name in ROWS["MB/s"].split())
        assert all(0.01 < times[name] < 1e6 for name in ROWS["us"].split())
        timed = f"{ROWS['us']} {ROWS['ns']}".split()
        best = {name: min(times[name], best.get(name, times[name])) for name in timed}
        if not out_of_order(best):
            break
    assert 0.1 < best["latency_l1"] < 50
    assert out_of_order(best) == []


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 17])
def test_a_ring_makes_any_number_of_hops(program, tmp_path, count):
    listed = [name.split("/")[1] for name in names(program) if "/ctxsw" in name]
    assert len(listed) == 4
    sets = [f"set {name}.count={count}" for name in listed]
    run_line = "run " + ",".join(f"mcvoy/{name}" for name in listed)
    code, lines = run(program, orders(run_line, *sets), tmp_path)
    assert (code, reasons(lines)) == (0, {})


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/nonexistent/hello", "no-hello"),
        ("/bin/true;true", "no-hello"),
        ("/bin/true", "wrong-greeting"),
        ("/bin/false", "wrong-status"),
    ],
)
def test_a_process_must_have_been_that_program(program, tmp_path, path, reason):
    text = orders("run mcvoy/simple_process,mcvoy/sh_process")
    code, lines = run(program, text, tmp_path, OSGAP_HELLO=path)
    assert code != 0
    assert reasons(lines) == {"simple_process": reason, "sh_process": reason}


def test_a_map_is_made_for_each_pass_or_the_run_fails(program, tmp_path):
    text = orders("fs unix", "run mcvoy/mmap_reread", "set mmap_reread.batches=40")
    _, lines = run(program, text, tmp_path)
    assert reasons(lines) == {"mmap_reread": "too-many-passes"}


def _peers(process):
    """The processes that serve the running benchmark, which is the program's only child."""
    return [peer for child in process.children() for peer in child.children()]


@pytest.mark.parametrize(
    ("name", "peers", "allowed"),
    [
        ("ctxsw_2", 1, {"ring-broke"}),
        ("ctxsw_8", 7, {"ring-broke"}),
        ("pipe_latency", 1, {"lost-token", "signal-13"}),
        ("udp_latency", 1, {"lost-token", "signal-13"}),
        ("tcp_latency", 1, {"lost-token", "signal-13"}),
        ("rpc_udp_latency", 1, {"send", "poll", "receive", "signal-13"}),
        ("rpc_tcp_latency", 1, {"send", "poll", "receive", "signal-13"}),
        ("pipe_bandwidth", 1, {"short-read", "ask", "signal-13"}),
        ("tcp_bandwidth", 1, {"short-read", "ask", "signal-13"}),
    ],
)
def test_a_lost_token_ends_the_benchmark_by_name(program, tmp_path, name, peers, allowed):
    """One of the processes that it may be with is killed; nothing may hang or stay."""
    text = orders(f"run mcvoy/{name}", f"set {name}.count=900000000")
    environment = {**os.environ, "OSGAP_SCRATCH": str(tmp_path)}
    with subprocess.Popen(
        [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    ) as started:
        try:
            started.stdin.write(text.decode())
            started.stdin.flush()
            deadline = time.monotonic() + 20
            process = psutil.Process(started.pid)
            while len(_peers(process)) < peers and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(0.1)
            found = _peers(process)
            assert len(found) == peers
            found[-1].kill()
            output, _ = started.communicate(timeout=20)
        finally:
            started.kill()
    fails = [line.split() for line in output.splitlines() if " fail " in line]
    assert [words[2] for words in fails] == [f"name={name}"]
    assert fails[0][4].removeprefix("reason=") in allowed
    assert not any(peer.is_running() and peer.status() != "zombie" for peer in found)


# What could go wrong in each file, put in; the benchmarks that have to tell, and their word.
FAULTS = [
    (
        "mcvoy/null_call.c",
        "write(null, &byte, 1)",
        "write(null, &byte, 0)",
        {"null_call": "short-write"},
    ),
    ("lib/process.c", "_exit(code)", "_exit(code + 1)", {"null_process": "wrong-status"}),
    (
        "mcvoy/mmap_latency.c",
        "munmap(mapped, BYTES)",
        "munmap(mapped, 4096)",
        {"mmap_latency": "still-mapped"},
    ),
    (
        "mcvoy/ctxsw.c",
        "next : 0, token - 1",
        "next : 0, token / 2",
        {"ctxsw_2": "wrong-token", "ctxsw_8": "wrong-token"},
    ),
    (
        "mcvoy/ctxsw.c",
        "put(at, left)",
        "put(at, left + 1)",
        {"ctxsw_overhead_2": "wrong-token", "ctxsw_overhead_8": "wrong-token"},
    ),
    (
        "lib/pingpong.c",
        "write(to, &token, bytes)",
        'write(to, "wrong", bytes)',
        {"pipe_latency": "wrong-token", "tcp_latency": "wrong-token"},
    ),
    (
        "mcvoy/udp_latency.c",
        "sendto(to, &token,",
        "sendto(to, &length,",
        {"udp_latency": "wrong-token"},
    ),
    (
        "lib/rpc.c",
        "put(&out, xid)",
        "put(&out, xid + 1)",
        {"rpc_udp_latency": "rpc-wrong-xid", "rpc_tcp_latency": "rpc-wrong-xid"},
    ),
    (
        "mcvoy/pipe_bandwidth.c",
        "piece_number(piece, number++)",
        "piece_number(piece, 1 + number++)",
        {"pipe_bandwidth": "wrong-piece", "tcp_bandwidth": "wrong-piece"},
    ),
    (
        "lib/pieces.c",
        "numbers[i] = i;",
        "numbers[i] = i + 1;",
        {"file_reread": "wrong-piece", "mmap_reread": "wrong-sum"},
    ),
    (
        "mcvoy/bcopy.c",
        "memcpy(to, from, BYTES)",
        "memcpy(to, from, BYTES - 8)",
        {"bcopy_libc": "wrong-copy"},
    ),
    ("mcvoy/bcopy.c", "b[4] = w4", "b[4] = ~w4", {"bcopy_hand": "wrong-copy"}),
    (
        "mcvoy/memory.c",
        "sum_ints(block, bytes)",
        "sum_ints(block, bytes - 64)",
        {"memory_read": "wrong-sum"},
    ),
    ("mcvoy/memory.c", "p[15] = VALUE", "p[15] = 0", {"memory_write": "wrong-data"}),
    (
        "mcvoy/latency.c",
        "(i + 1) % links",
        "(i + 2) % links",
        {"latency_l1": "wrong-place", "latency_l2": "wrong-place", "latency_memory": "wrong-place"},
    ),
]


def test_every_check_catches_its_fault(tmp_path):
    copy, scratch, expected = tmp_path / "workloads", tmp_path / "scratch", {}
    shutil.copytree(WORKLOADS, copy)
    scratch.mkdir()
    for file, right, wrong, told in FAULTS:
        text = (copy / file).read_text()
        assert text.count(right) == 1, (file, right)
        (copy / file).write_text(text.replace(right, wrong))
        expected |= told
    # The process benchmarks are seen to fail above, by a program that is not theirs.
    rows = set(" ".join(ROWS.values()).split())
    assert rows - set(expected) == {"simple_process", "sh_process"}
    run_line = "run " + ",".join(f"mcvoy/{name}" for name in sorted(expected))
    code, lines = run(build(copy, tmp_path / "bench"), orders("fs unix", run_line), scratch)
    assert code != 0
    assert reasons(lines) == expected
