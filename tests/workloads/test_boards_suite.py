# SPDX-License-Identifier: BSD-3-Clause
"""The suite of boards on this machine: sane values, and what each benchmark's check catches."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from native import ON_THIS_MACHINE, WORKLOADS, Fields, Lines, build, names, of, orders, run

pytestmark = ON_THIS_MACHINE

RINGS = [f"{members}_{kib}k" for members in (2, 8, 16) for kib in (16, 64)]
ROWS = {
    "ns": "chase_16k chase_128k chase_512k chase_1m chase_4m chase_16m chase8_128k chase8_16m",
    "us": "syscall_null syscall_read syscall_write syscall_stat select_file_100 select_tcp_100 "
    "signal_install signal_send signal_catch prot_fault page_fault page_fault_overhead "
    "page_fault_4m page_fault_overhead_4m "
    "unix_latency tcp_connect "
    + " ".join(f"ctx_{ring}" for ring in [*RINGS, "overhead_16k", "overhead_64k"]),
    "MB/s": "unix_bandwidth tcp_bandwidth_512k file_copy_256 file_copy_1024 file_copy_4096 "
    "memcpy memset",
}


def reasons(lines: Lines) -> dict[str, str]:
    return {fields["name"]: fields["reason"] for fields in of("fail", lines)}


def value(bench: Fields, lines: Lines) -> float:
    """The best sample, in the row's unit."""
    samples = [int(s["ns"]) for s in of("sample", lines) if s["name"] == bench["name"]]
    ns = min(samples) / int(bench["count"])
    return {"ns": ns, "us": ns / 1e3, "MB/s": int(bench["bytes"]) * 1e3 / ns}[bench["metric"]]


def test_every_row_runs_and_gives_sane_values(program: Path, tmp_path: Path) -> None:
    code, lines = run(program, orders("run boards"), tmp_path)
    assert (code, reasons(lines)) == (0, {})
    benches = of("bench", lines)
    assert {bench["name"]: bench["metric"] for bench in benches} == {
        name: metric for metric, listed in ROWS.items() for name in listed.split()
    }
    values = {bench["name"]: value(bench, lines) for bench in benches}
    assert all(0.001 < number < 1e6 for number in values.values())


@pytest.mark.parametrize("count", [1, 15, 16, 17, 256, 2048])
def test_a_chase_goes_on_where_it_was_for_any_number_of_loads(
    program: Path, tmp_path: Path, count: int
) -> None:
    """16 KiB have 256 lines, 128 KiB 2,048: also once round, and more."""
    chases = ("chase_16k", "chase_128k", "chase8_128k")
    sets = [f"set {name}.count={count}" for name in chases]
    text = orders("run " + ",".join(f"boards/{name}" for name in chases), *sets)
    code, lines = run(program, text, tmp_path)
    assert (code, reasons(lines)) == (0, {})


@pytest.mark.parametrize("count", [1, 2, 7, 17, 33])
def test_a_ring_with_data_makes_any_number_of_hops(
    program: Path, tmp_path: Path, count: int
) -> None:
    listed = [name for name in names(program) if name.startswith("boards/ctx_")]
    assert len(listed) == len(RINGS) + 2
    sets = [f"set {name.removeprefix('boards/')}.count={count}" for name in listed]
    code, lines = run(program, orders("run " + ",".join(listed), *sets), tmp_path)
    assert (code, reasons(lines)) == (0, {})


def test_a_copy_starts_again_at_the_end_of_its_file(program: Path, tmp_path: Path) -> None:
    """2,000 buffers of 256 bytes are the whole file."""
    for count in (1999, 2000, 2001):
        text = orders("run boards/file_copy_256", f"set file_copy_256.count={count}")
        code, lines = run(program, text, tmp_path)
        assert (code, reasons(lines)) == (0, {})


def peers_of(process: psutil.Process) -> list[psutil.Process]:
    """The processes that serve the running benchmark, which is the program's only child."""
    return [peer for child in process.children() for peer in child.children()]


@pytest.mark.parametrize(
    ("name", "peers", "allowed"),
    [
        ("ctx_2_16k", 1, {"ring-broke"}),
        ("ctx_16_64k", 15, {"ring-broke"}),
        ("unix_latency", 1, {"lost-token", "signal-13"}),
        ("unix_bandwidth", 1, {"short-read", "ask", "signal-13"}),
        ("tcp_bandwidth_512k", 1, {"short-read", "ask", "signal-13"}),
        ("tcp_connect", 1, {"connect", "server"}),
    ],
)
def test_a_partner_that_dies_ends_the_benchmark_by_name(
    program: Path, tmp_path: Path, name: str, peers: int, allowed: set[str]
) -> None:
    text = orders(f"run boards/{name}", f"set {name}.count=900000000")
    environment = {**os.environ, "OSGAP_SCRATCH": str(tmp_path)}
    with subprocess.Popen(
        [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    ) as started:
        try:
            assert started.stdin is not None
            started.stdin.write(text.decode())
            started.stdin.flush()
            deadline = time.monotonic() + 20
            process = psutil.Process(started.pid)
            while len(peers_of(process)) < peers and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(0.1)
            found = peers_of(process)
            assert len(found) == peers
            found[-1].kill()
            output, _ = started.communicate(timeout=20)
        finally:
            started.kill()
    fails = [line.split() for line in output.splitlines() if " fail " in line]
    assert [words[2] for words in fails] == [f"name={name}"]
    assert fails[0][4].removeprefix("reason=") in allowed
    assert not any(peer.is_running() and peer.status() != "zombie" for peer in found)


CHASES = ROWS["ns"].split()
CTX = [f"ctx_{ring}" for ring in RINGS]
ALONE = ["ctx_overhead_16k", "ctx_overhead_64k"]
COPIES = ["file_copy_256", "file_copy_1024", "file_copy_4096"]
BULK = ["unix_bandwidth", "tcp_bandwidth_512k"]
# What could go wrong, put in; the benchmarks that have to tell, and their word.
FAULTS = [
    (
        "chase.c",
        "block + next + (next",
        "block + page + (next",
        dict.fromkeys(CHASES, "wrong-place"),
    ),
    ("calls.c", "getppid() != parent", "getpid() != parent", {"syscall_null": "wrong-parent"}),
    (
        "calls.c",
        '"/dev/zero", O_RDONLY',
        '"/dev/urandom", O_RDONLY',
        {"syscall_read": "wrong-data"},
    ),
    (
        "calls.c",
        "write(device, &byte, 1)",
        "write(device, &byte, 0)",
        {"syscall_write": "short-write"},
    ),
    ("calls.c", "if (stat(FILE_NAME,", 'if (stat("var",', {"syscall_stat": "wrong-file"}),
    (
        "select.c",
        "FD_SET(fd, &watched)",
        "FD_SET(LIMIT - 1, &watched)",
        {"select_file_100": "wrong-ready", "select_tcp_100": "wrong-ready"},
    ),
    ("signals.c", "on_signal, &old", "SIG_DFL, &old", {"signal_install": "not-installed"}),
    ("signals.c", "number ? count : 0", "count", {"signal_send": "wrong-count"}),
    ("signals.c", "    caught++;", "    caught += 2;", {"signal_catch": "wrong-count"}),
    ("signals.c", "*page = 1;", "(void)*page;", {"prot_fault": "no-fault"}),
    (
        "page_fault.c",
        "= (char)page++;",
        "= (char)(0 * page++);",
        {"page_fault": "wrong-page", "page_fault_4m": "wrong-page"},
    ),
    ("ctx.c", "next : 0, token - 1", "next : 0, token + 1", dict.fromkeys(CTX, "wrong-token")),
    ("ctx.c", "put(at, left)", "put(at, left + 1)", dict.fromkeys(ALONE, "wrong-token")),
    (
        "unix.c",
        "write(ends[1], &byte, 1)",
        'write(ends[1], "!", 1)',
        {"unix_latency": "wrong-token"},
    ),
    (
        "bulk.c",
        "write_all(writer, message,",
        "write_all(writer, buffer,",
        dict.fromkeys(BULK, "wrong-data"),
    ),
    ("tcp.c", "++*close_count", "*close_count += 2", {"tcp_connect": "server"}),
    (
        "copy.c",
        "write(to, buffer, bytes) != n",
        "write(to, nothing, bytes) != n",
        dict.fromkeys(COPIES, "wrong-data"),
    ),
    (
        "blocks.c",
        "memcpy(to, from, bytes);",
        "memcpy(to, from, bytes - 8);",
        {"memcpy": "wrong-copy"},
    ),
    (
        "blocks.c",
        "memset(to, VALUE, bytes);",
        "memset(to, VALUE, bytes - 1);",
        {"memset": "wrong-data"},
    ),
]


# Of a benchmark that FAULTS has already: a build has one fault of each.
SECOND_FAULTS = [
    ("tcp.c", "fd < 0 || close(fd))", "fd < 0 || close(fd + 1))", {"tcp_connect": "connect"}),
]


def put_in(faults: list[tuple[str, str, str, dict[str, str]]], copy: Path) -> dict[str, str]:
    """Copies the workloads with these faults; the benchmarks that have to tell, and their word."""
    expected: dict[str, str] = {}
    shutil.copytree(WORKLOADS, copy)
    for file, right, wrong, words in faults:
        source = copy / "boards" / file
        text = source.read_text()
        assert text.count(right) == 1, (file, right)
        source.write_text(text.replace(right, wrong))
        expected |= words
    return expected


@pytest.mark.parametrize("faults", [FAULTS, SECOND_FAULTS], ids=["first", "second"])
def test_every_check_catches_its_fault(
    faults: list[tuple[str, str, str, dict[str, str]]], tmp_path: Path
) -> None:
    copy, scratch = tmp_path / "workloads", tmp_path / "scratch"
    scratch.mkdir()
    expected = put_in(faults, copy)
    text = orders("run " + ",".join(f"boards/{name}" for name in sorted(expected)))
    code, lines = run(build(copy, tmp_path / "bench"), text, scratch)
    assert code != 0
    assert reasons(lines) == expected


def test_every_benchmark_has_a_fault_but_those_that_check_nothing() -> None:
    names_of_faults = {name for *_, words in FAULTS for name in words}
    # These are page_fault without its pages, and so without what could be checked.
    apart = {"page_fault_overhead", "page_fault_overhead_4m"}
    assert set(" ".join(ROWS.values()).split()) - names_of_faults == apart
