# SPDX-License-Identifier: BSD-3-Clause
"""The benchmarks and the guest protocol, built and run on this machine."""

import os
import re
import shutil
import subprocess

import pytest
from native import ON_THIS_MACHINE, ROOT, WORKLOADS, build, cut, names, of, orders, run

pytestmark = ON_THIS_MACHINE

EXPECTED = {
    "ousterhout": "getpid cswitch select_1 select_10_empty select_10_full bcopy_cached "
    "bcopy_uncached read andrew_makedir andrew_copy andrew_scandir andrew_readall andrew_make "
    "open_close_foo open_close_path create_delete_0 create_delete_2k create_delete_3k "
    "create_delete_4k create_delete_5k create_delete_6k create_delete_7k create_delete_8k "
    "create_delete_9k create_delete_10k create_delete_100k",
    "checks": "empty_loop integer_mix dhrystone pointer_chase_l1 pointer_chase_memory stream_copy",
}


def fits(name):
    """Has this host a CPU for each of the copies that a benchmark pins?"""
    return "/stream_share_" not in name or int(name.rpartition("_")[2]) <= os.cpu_count()


def test_list_holds_every_benchmark_once(program):
    expected = {f"{s}/{n}" for s, found in EXPECTED.items() for n in found.split()}
    assert expected <= set(names(program))
    assert len(names(program)) == len({n.split("/")[1] for n in names(program)})


def test_every_benchmark_runs(program, tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    startup = tmp_path / "crt.o"
    crt = WORKLOADS / "andrew-crt" / "crt.c"
    subprocess.run(["gcc", "-O1", "-ffreestanding", "-c", crt, "-o", startup], check=True)
    code, lines = run(
        program,
        orders("fs unix,sprite", "run ousterhout,checks", *cut(program)),
        scratch,
        OSGAP_TCC="gcc",
        OSGAP_CRT=str(startup),
    )
    assert (code, of("fail", lines), of("error", lines)) == (0, [], [])
    benches, samples = of("bench", lines), of("sample", lines)
    assert {b["name"] for b in benches} == set(" ".join(EXPECTED.values()).split())
    assert [int(s["region"]) for s in samples] == list(range(len(samples)))
    assert of("end", lines) == [{"status": "ok", "regions": str(len(samples))}]
    for bench in benches:
        own = [s for s in samples if (s["name"], s["fs"]) == (bench["name"], bench["fs"])]
        assert [int(s["batch"]) for s in own] == list(range(int(bench["batches"])))
        assert all(int(s["ns"]) > 0 for s in own)


def test_file_systems(program, tmp_path):
    names = ("read", "create_delete_0", "getpid")
    listed = ",".join(f"ousterhout/{name}" for name in names)
    text = orders("fs sprite,unix", f"run {listed}")
    code, lines = run(program, text, tmp_path)
    assert code == 0
    assert [(b["name"], b["fs"]) for b in of("bench", lines)] == [
        ("read", "sprite"),
        ("create_delete_0", "sprite"),
        ("create_delete_0", "unix"),
        ("getpid", "none"),
    ]


def test_counts_are_fixed_and_recorded(program, tmp_path):
    text = orders("run ousterhout/getpid,checks/empty_loop", "set getpid.count=7", "seed 9")
    _, lines = run(program, text, tmp_path)
    found = [(b["name"], b["count"], b["batches"]) for b in of("bench", lines)]
    assert found == [("getpid", "7", "5"), ("empty_loop", "20000", "5")]


def test_example_in_protocol_has_the_right_byte_count():
    text = (ROOT / "docs" / "reference" / "protocol.md").read_text()
    example = re.search(r"^(osgap 2\n.*?)^go (\d+)\n", text, re.S | re.M)
    assert len(example[1]) == int(example[2])


GETPID = "run ousterhout/getpid"
BAD = [
    ("unknown-verb", orders(GETPID, "frobnicate 1")),
    ("unknown-version", orders(GETPID, version="osgap 1")),
    ("no-version", orders(GETPID, version="marks none")),
    ("byte-count", orders(GETPID, count=1)),
    ("bad-go", orders(GETPID, count="1e9")),
    ("bad-go", orders(GETPID, count="99999999999999999999999")),
    ("unknown-benchmark", orders("run ousterhout/getpid,ousterhout/nothing")),
    ("unknown-benchmark", orders("run ousterhout/getpid,")),
    ("unknown-benchmark", orders("run nothing")),
    ("benchmark-twice", orders("run ousterhout/getpid,checks,ousterhout")),
    ("line-too-long", orders(GETPID, "run " + "x" * 5000)),
    ("line-too-long", b"x" * 100000),
    ("bad-byte", orders(GETPID, "seed 1\0")),
    ("bad-byte", orders(GETPID).replace(b"\n", b"\r\n")),
    ("bad-byte", b"\0\0\0\n"),
    ("verb-twice", orders(GETPID, "seed 1", "seed 1")),
    ("bad-seed", orders(GETPID, "seed -1")),
    ("bad-seed", orders(GETPID, "seed 5000")),
    ("bad-seed", orders(GETPID, "seed  1")),
    ("no-value", orders(GETPID, "seed")),
    ("no-value", orders(GETPID, "seed ")),
    ("unknown-marks", orders(GETPID, marks="simics")),
    ("wrong-marks", orders(GETPID, marks="sim-control")),
    ("unknown-fs", orders(GETPID, "fs unix,nfs")),
    ("fs-twice", orders(GETPID, "fs unix,unix")),
    ("no-fs", orders("run ousterhout/read")),
    ("no-run", orders()),
    ("no-go", b"osgap 2\nmarks none\n"),
    ("no-go", b""),
    ("after-go", orders(GETPID) + b"x"),
    ("bad-uncached", orders(GETPID, "uncached 0")),
    ("bad-uncached", orders(GETPID, "uncached 114688")),
    ("bad-uncached", orders(GETPID, "uncached 131073")),
    ("bad-uncached", orders(GETPID, "uncached 268451840")),
    ("bad-uncached", orders(GETPID, "uncached 1M")),
    ("verb-twice", orders(GETPID, "uncached 131072", "uncached 131072")),
    ("no-disk", orders(GETPID, "disk seek_ns=1")),
    ("bad-disk", orders(GETPID, "disk ../../kernel=1")),
    ("bad-disk", orders(GETPID, "disk seek_ns=1  rotation_ns=1")),
    ("disk-key-twice", orders(GETPID, "disk seek_ns=1 seek_ns=2")),
    ("too-many-disk-keys", orders(GETPID, "disk " + " ".join(f"k{i}=1" for i in range(99)))),
    ("bad-set", orders(GETPID, "set getpid.count=0")),
    ("bad-set", orders(GETPID, "set getpid=1")),
    ("bad-set", orders(GETPID, "set getpid.batches=65")),
    ("set-twice", orders(GETPID, "set getpid.count=2", "set getpid.count=2")),
    ("unknown-set", orders(GETPID, "set getpid.speed=9")),
    ("unknown-benchmark", orders(GETPID, "set nothing.count=9")),
    ("fixed-count", orders(GETPID, "set andrew_make.count=9")),
]


@pytest.mark.parametrize(("reason", "text"), BAD)
def test_bad_orders_give_one_error(program, tmp_path, reason, text):
    code, lines = run(program, text, tmp_path)
    assert code != 0
    assert lines == [("error", {"reason": reason})]


DUMMY = """
#include "bench.h"
static int body(struct run *run, uint64_t count)
{
    (void)run;
    for (uint64_t i = 0; i < count; i++)
        barrier();
    %s
}
BENCHMARK(%s, .metric = "us", .count = 3, .batches = 2, .body = body);
"""


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """A copy of workloads/ with files dropped in, nothing else changed."""
    copy = tmp_path_factory.mktemp("extended") / "workloads"
    shutil.copytree(WORKLOADS, copy)
    (copy / "dummies").mkdir()
    for name, ending in {
        "dummy": "return 0;",
        "dummy_check": 'return bench_fail(run, "wrong-token");',
        "dummy_crash": "*(volatile int *)8 = 1; return 0;",
        "dummy_exit": "__builtin_trap();",
    }.items():
        (copy / "dummies" / f"{name}.c").write_text(DUMMY % (ending, name))
    return build(copy, copy.parent / "osgap-bench")


def test_new_file_is_discovered(extended, tmp_path):
    assert "dummies/dummy" in names(extended)
    code, lines = run(extended, orders("run dummies/dummy"), tmp_path)
    assert code == 0 and len(of("sample", lines)) == 2


def test_failures_are_reported_and_the_rest_runs(extended, tmp_path):
    code, lines = run(extended, orders("run dummies,ousterhout/getpid"), tmp_path)
    reasons = {fields["name"]: fields["reason"] for fields in of("fail", lines)}
    assert code != 0
    assert reasons.pop("dummy_exit").startswith("signal-")
    assert reasons == {"dummy_check": "wrong-token", "dummy_crash": "signal-11"}
    assert len([s for s in of("sample", lines) if s["name"] == "getpid"]) == 5
    assert of("end", lines)[0]["status"] == "failed"


def test_make_without_compiler_fails_with_a_reason(program, tmp_path):
    text = orders("fs unix", "run ousterhout/andrew_make")
    code, lines = run(program, text, tmp_path, OSGAP_TCC="/nonexistent/tcc")
    assert code != 0
    assert [f["reason"] for f in of("fail", lines)] == ["no-compiler"]


def test_a_name_may_exist_once_only(tmp_path):
    copy = tmp_path / "workloads"
    shutil.copytree(WORKLOADS, copy)
    (copy / "dummies").mkdir()
    (copy / "dummies" / "getpid.c").write_text(DUMMY % ("return 0;", "getpid"))
    done = subprocess.run([build(copy, tmp_path / "bench"), "--list"], capture_output=True)
    assert done.returncode != 0 and b"name-twice" in done.stderr


@pytest.mark.long
def test_sanitizers_find_nothing(tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    flags = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    checked = build(WORKLOADS, tmp_path / "checked", flags)
    hello = tmp_path / "hello"
    subprocess.run(["gcc", ROOT / "disk-images" / "programs" / "hello.c", "-o", hello], check=True)
    chosen = [name for name in names(checked) if "make" not in name and fits(name)]
    quick = [f"run {','.join(chosen)}", "fs unix", "seed 3"]
    text = orders(*quick, *cut(checked))
    code, lines = run(checked, text, scratch, OSGAP_HELLO=str(hello))
    assert (code, of("fail", lines)) == (0, [])
    for _, text in BAD:
        assert run(checked, text, scratch)[0] == 1


@pytest.mark.long
def test_instructions_are_counted_step_by_step(program):
    """A loop of three instructions or more, and work of some ten thousand; twice the same."""
    told = {}
    for name in ("empty_loop", "integer_mix", "getpid"):
        both = [
            subprocess.run([program, "--instructions", name], capture_output=True, text=True)
            for _ in range(2)
        ]
        if both[0].returncode == 1:
            pytest.skip(both[0].stderr)
        assert both[0].stdout == both[1].stdout
        told[name] = int(both[0].stdout.split()[0])
    assert 2 <= told["empty_loop"] < told["getpid"] < 100
    assert 10_000 < told["integer_mix"] < 200_000
    unknown = subprocess.run([program, "--instructions", "x"], capture_output=True, text=True)
    assert (unknown.returncode, unknown.stderr) == (2, "osgap-bench: x: no such benchmark\n")


def test_instructions_are_those_that_the_processor_counts(program):
    """Stepped through, and by the processor's own counter where the kernel lets it be read."""
    ways = {
        how: subprocess.run(
            [program, "--instructions", "integer_mix", how], capture_output=True, text=True
        )
        for how in ("perf", "steps")
    }
    if any(done.returncode for done in ways.values()):
        pytest.skip("; ".join(done.stderr.strip() for done in ways.values() if done.returncode))
    told = {how: done.stdout.split() for how, done in ways.items()}
    assert [words[1] for words in told.values()] == ["perf", "steps"]
    assert int(told["perf"][0]) == pytest.approx(int(told["steps"][0]), rel=0.01)


def test_the_clock_is_one_of_a_processor_and_the_cpu_is_the_one_asked_for(program):
    allowed = sorted(os.sched_getaffinity(0))
    one = {**os.environ, "OSGAP_CPU": str(allowed[-1])}
    done = subprocess.run([program, "--clock"], env=one, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert 100_000 < int(done.stdout) < 10_000_000
    for wrong in ("x", "-1", "100000", ""):
        done = subprocess.run(
            [program, "--clock"],
            env={**os.environ, "OSGAP_CPU": wrong},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 2
        assert done.stderr.startswith(f"osgap-bench: OSGAP_CPU: found {wrong}; allowed:")


def test_a_load_that_is_not_aligned_is_timed_where_compilers_make_none(program):
    done = subprocess.run([program, "--misaligned"], capture_output=True, text=True)
    if os.uname().machine == "riscv64":
        assert done.returncode == 0 and 0 < int(done.stdout) < 100_000
    else:
        assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_a_synchronous_directory_is_one_where_the_file_system_can(program, tmp_path):
    probe = [program, "--synchronous"]
    able = subprocess.run(probe, env={**os.environ, "OSGAP_SCRATCH": str(tmp_path)}).returncode
    text = orders("fs unix,sprite", "run ousterhout/create_delete_0")
    code, lines = run(program, text, tmp_path, OSGAP_SYNCHRONOUS="1")
    assert able in (0, 1) and code == able
    errors = of("error", lines)
    assert errors == ([] if able == 0 else [{"reason": "file-system"}])
    nowhere = subprocess.run(probe, env={**os.environ, "OSGAP_SCRATCH": str(tmp_path / "none")})
    assert nowhere.returncode == 1
