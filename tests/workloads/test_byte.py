# SPDX-License-Identifier: BSD-3-Clause
"""The suite byte (Raveling 1990), built and run on this machine: its rows, and what they catch."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from native import ON_THIS_MACHINE, WORKLOADS, build, names, of, orders, run

pytestmark = ON_THIS_MACHINE

BYTE = WORKLOADS / "byte"
PROCESSOR = [
    "byte_dhrystone",
    "dhry2a",
    "dhry2b",
    "whetstone",
    "tak",
    "arithoh",
    "arith_register",
    "arith_short",
    "arith_int",
    "arith_long",
    "arith_float",
    "arith_double",
    "hanoi",
]
SYSTEM = ["pt", "iocall", "syscall_overhead", "pipe_throughput", "context1", "spawn", "execl"]
FILES = [f"fs_{work}_{times}" for work in ("read", "write", "copy") for times in (1, 10, 20)]
LOADS = [f"sh_load_{copies}" for copies in (1, 2, 4, 8)]


@pytest.fixture
def scratch(tmp_path):
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


def failures(program, scratch, rows, **environment):
    """The reason of each of `rows` that fails."""
    listed = ",".join(f"byte/{row}" for row in rows)
    code, lines = run(program, orders("fs unix", f"run {listed}"), scratch, **environment)
    found = {fields["name"]: fields["reason"] for fields in of("fail", lines)}
    assert (code != 0) == bool(found) and not of("error", lines)
    return found


def test_every_row_of_his_tables_runs_at_its_own_counts(program, scratch):
    code, lines = run(program, orders("fs unix,sprite", "run byte"), scratch)
    assert (code, of("fail", lines), of("error", lines)) == (0, [], [])
    rows = PROCESSOR + SYSTEM + FILES + LOADS
    assert len(rows) == 33
    assert sorted(bench["name"] for bench in of("bench", lines)) == sorted(rows)
    assert sorted(rows) == sorted(n[5:] for n in names(program) if n.startswith("byte/"))
    assert {sample["name"] for sample in of("sample", lines)} == set(rows)
    sizes = {b["name"]: int(b["bytes"]) for b in of("bench", lines) if b["name"] in FILES}
    for work in ("read", "write", "copy"):
        assert [sizes[f"fs_{work}_{n}"] for n in (1, 10, 20)] == [8192, 81920, 163840]


# A file, what is changed in it, and the reason that rows must then give.
ARITH = [row for row in PROCESSOR if row.startswith("arith_")]
WRONG = [
    ("byte/arith.c", "y / (y - 1);", "y / (y - 2);", ARITH, "wrong-sum"),
    (
        "byte/arith.c",
        '__asm__ volatile("" : "+r"(i));',
        "end = first + 50;",
        ["arithoh"],
        "wrong-end",
    ),
    (
        "lib/dhrystone.h",
        "global_number = 5;",
        "global_number = 6;",
        ["byte_dhrystone", "dhry2a", "dhry2b"],
        "wrong-result",
    ),
    ("byte/whetstone.c", "t1 = 0.50025", "t1 = 0.50026", ["whetstone"], "wrong-result"),
    ("byte/tak.c", "return z;", "return z + 1;", ["tak"], "wrong-answer"),
    ("byte/hanoi.c", "move(1, from, to);", "", ["hanoi"], "wrong-tower"),
    (
        "byte/context1.c",
        "write(to, &token, bytes)",
        'write(to, "wrong", bytes)',
        ["context1"],
        "wrong-token",
    ),
    (
        "lib/pingpong.c",
        "write(to, &token, bytes)",
        'write(to, "wrong", bytes)',
        ["pt"],
        "wrong-token",
    ),
    ("byte/iocall.c", "read(fd, at, PIECE)", "pread(fd, at, PIECE, 8)", ["iocall"], "wrong-data"),
    (
        "byte/syscall_overhead.c",
        "syscall(SYS_getuid)",
        "syscall(SYS_getppid)",
        ["syscall_overhead"],
        "wrong-answer",
    ),
    (
        "byte/pipe_throughput.c",
        "write(ends[1], out,",
        "write(ends[1], in,",
        ["pipe_throughput"],
        "wrong-data",
    ),
    ("lib/process.c", "_exit(code)", "_exit(code + 1)", ["spawn"], "wrong-status"),
    (
        "byte/fs_throughput.c",
        "if (lseek(fd, 0, SEEK_SET))",
        "if (!lseek(fd, 8, SEEK_SET))",
        FILES[:3],
        "wrong-data",
    ),
    (
        "byte/fs_throughput.c",
        "write(out, pattern + at,",
        "write(out, pattern,",
        FILES[3:6],
        "wrong-data",
    ),
    ("byte/fs_throughput.c", "write(out, piece,", "write(out, pattern,", FILES[6:], "wrong-data"),
]


def changed(folder, changes):
    """A program from a copy of the sources with `changes` (file, old, new) made."""
    copy = folder / "workloads"
    shutil.copytree(WORKLOADS, copy)
    for file, old, new in changes:
        text = (copy / file).read_text()
        assert text.count(old) == 1, (file, old)
        (copy / file).write_text(text.replace(old, new))
    return build(copy, folder / "osgap-bench", ["-Wno-error"])


@pytest.mark.long
def test_every_check_catches_a_wrong_result(tmp_path, scratch):
    broken = changed(tmp_path, [wrong[:3] for wrong in WRONG])
    expected = {row: reason for *_, rows, reason in WRONG for row in rows}
    assert failures(broken, scratch, expected) == expected
    assert set(PROCESSOR + SYSTEM + FILES) - set(expected) == {"execl"}


@pytest.mark.long
def test_an_integer_out_of_its_turn_ends_context1(tmp_path, scratch):
    broken = changed(
        tmp_path, [("byte/context1.c", "uint32_t expected = 0", "uint32_t expected = 1")]
    )
    assert failures(broken, scratch, ["pt", "context1"]) == {"context1": "lost-token"}


@pytest.mark.parametrize(("status", "reason"), [(0, "wrong-count"), (5, "wrong-count"), (4, None)])
def test_execl_counts_its_programs(program, tmp_path, scratch, status, reason):
    other = tmp_path / "other"
    other.write_text(f"#!/bin/sh\n[ $1 = 0 ] && exit 1\nexit {status}\n")
    other.chmod(0o755)
    found = failures(program, scratch, ["execl"], OSGAP_EXECL=str(other))
    assert found == ({"execl": reason} if reason else {})


def test_execl_without_its_program_says_so(program, scratch):
    found = failures(program, scratch, ["execl"], OSGAP_EXECL="/nonexistent")
    assert found == {"execl": "no-execl-program"}


def damage(text):
    return text.replace("the", "teh", 1)


@pytest.mark.parametrize(
    ("file", "edit", "reason"),
    [
        ("words.txt", damage, "wrong-output"),
        ("words.txt", lambda text: text + "x\n", "wrong-output"),
        ("expected/octal.txt", lambda text: text.replace("0000020", "0000021"), "wrong-output"),
        ("load.sh", lambda text: text.replace("grep the", "grep th"), "wrong-output"),
        ("load.sh", lambda text: text.replace("/bin/od sorted.$1", "/bin/od sorted.1"), None),
        ("load.sh", lambda text: text + "exit 3\n", "script"),
        ("load.sh", lambda text: text.replace("/bin/wc", "/nonexistent/wc"), "script"),
        ("words.txt", lambda text: "", "no-data"),
    ],
)
def test_a_damaged_load_fails(program, tmp_path, scratch, file, edit, reason):
    data = tmp_path / "data"
    shutil.copytree(BYTE / "data", data)
    text = (data / file).read_text()
    assert edit(text) != text
    (data / file).write_text(edit(text))
    found = failures(program, scratch, ["sh_load_1"], OSGAP_BYTE=str(data))
    assert found == ({"sh_load_1": reason} if reason else {})


def test_the_load_s_input_is_of_the_size_that_he_gives():
    assert 512 <= (BYTE / "data" / "words.txt").stat().st_size <= 1000


def test_the_expected_outputs_are_what_the_utilities_make(tmp_path):
    expected = {f.stem: f.read_text() for f in (BYTE / "data" / "expected").iterdir()}
    lines = (BYTE / "data" / "words.txt").read_text().splitlines()
    assert expected["sorted"].splitlines() == sorted(lines)
    matched = [line for line in sorted(lines) if "the" in line]
    assert expected["matched"].splitlines() == matched
    text = "".join(f"{line}\n" for line in matched)
    assert expected["counted"].split() == [str(len(part)) for part in (matched, text.split(), text)]
    raw = expected["sorted"].encode()
    words = [f"{raw[i] + 256 * raw[i + 1]:06o}" for i in range(0, len(raw), 2)]
    dump = [" ".join([f"{16 * i:07o}", *words[8 * i : 8 * i + 8]]) for i in range(len(raw) // 16)]
    assert expected["octal"].splitlines() == sorted([*dump, f"{len(raw):07o}"])


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_compilers_leave_the_arithmetic(tmp_path, compiler, level):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    assembly = compiled(compiler, level, "arith", tmp_path)
    for kind in ("short", "int", "register", "long", "float", "double"):
        (body,) = re.findall(rf"^{kind}_body:.*?\.size\s+{kind}_body", assembly, re.S | re.M)
        # gcc sees that two of them are one, and keeps one.
        assert re.search(r"\tjmp\s+int_body", body) or (
            re.search(r"\t\w*div", body) and re.search(r"\t\w*mul", body)
        ), kind


def compiled(compiler, level, name, folder):
    """The assembly of a benchmark; any warning is an error."""
    target = folder / f"{name}{level}.s"
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", '-DSUITE="byte"', "-I", WORKLOADS / "lib"]
    source = BYTE / f"{name}.c"
    subprocess.run([compiler, level, *flags, "-S", source, "-o", target], check=True)
    return target.read_text()


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_2b_s_registers_tell_only_without_optimisation(tmp_path, level):
    a, b = (compiled("gcc", level, name, tmp_path) for name in ("dhry2a", "dhry2b"))
    assert (a == b.replace("dhry2b", "dhry2a")) == (level == "-O2")


@pytest.mark.skipif(shutil.which("clang") is None, reason="no clang")
def test_clang_takes_the_whole_suite_without_a_word(tmp_path):
    for file in BYTE.glob("*.c"):
        compiled("clang", "-O2", file.stem, tmp_path)


def limits_program(folder):
    """The suite with the guest's sign and settings in `folder`."""
    flags = [f'-DVM="{folder}/"', f'-DGUEST="{folder}"']
    return build(WORKLOADS, folder.parent / "osgap-bench", flags)


def test_dirty_limits_are_set_and_put_back(tmp_path, scratch):
    vm = tmp_path / "vm"
    vm.mkdir()
    before = {
        "dirty_background_bytes": "0\n",
        "dirty_background_ratio": "10\n",
        "dirty_bytes": "70000\n",
        "dirty_ratio": "0\n",
    }
    for name, text in before.items():
        (vm / name).write_text(text)
    guest = limits_program(vm)
    rows = ["fs_write_1", "fs_read_1"]
    assert failures(guest, scratch, rows[:1]) == {}
    # Plain files: what is written over stays, so the background's bytes tell that they were set.
    after = {name: (vm / name).read_text() for name in before}
    assert after == {**before, "dirty_background_bytes": "40960", "dirty_bytes": "70000\n"}
    (vm / "dirty_bytes").unlink()
    assert failures(guest, scratch, rows) == dict.fromkeys(rows, "dirty-limits")


def test_this_machine_s_own_limits_are_left_alone(program, scratch):
    vm = Path("/proc/sys/vm")
    before = [path.read_text() for path in sorted(vm.glob("dirty_*"))]
    assert failures(program, scratch, ["fs_write_20"]) == {}
    assert [path.read_text() for path in sorted(vm.glob("dirty_*"))] == before
