# SPDX-License-Identifier: BSD-3-Clause
"""A user's own programs: what may be one, what it is called, and what its image is known by."""

import os
import struct
from pathlib import Path

import pytest
from elves import X86_64, elf
from hypothesis import given
from hypothesis import strategies as st

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.engines import rvsim_programs
from osgap.guest import program_output
from osgap.guest.protocol import BenchmarkFailed, parse
from osgap.image import programs
from osgap.image.builder import programarchive
from osgap.image.elf import check_program
from osgap.image.programs import read_programs

VARIANTS = project_root() / "disk-images" / "variants"


def folder(path: Path, files: dict[str, bytes], executable: tuple[str, ...] = ("run",)) -> Path:
    for name, data in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
        (path / name).chmod(0o755 if name in executable else 0o644)
    return path


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"#!/bin/sh\n", "is no ELF file; allowed: a static RISC-V program, or C (.c)"),
        (b"\x7fELF\2\1", "is an ELF file of 6 bytes, which is cut short"),
        (elf(X86_64), "is for x86-64, 64 bits; allowed: RISC-V, 64 bits"),
        (elf()[:4] + b"\1" + elf()[5:], "is for RISC-V, 32 bits; allowed"),
        (elf(999), "is for machine 999, 64 bits"),
        (elf(segments=(3, 1)), "is linked dynamically, and the guest has no libraries"),
        (elf(kind=1), "is an object file; allowed: a linked program"),
        (elf(kind=3, segments=(2,)), "is a shared library; allowed: a linked program"),
        (elf()[:-1], "is an ELF file whose segments lie beyond its end"),
    ],
)
def test_what_the_guest_cannot_run_is_a_sentence(content: bytes, words: str) -> None:
    with pytest.raises(OsgapError) as caught:
        check_program(content, "mine")
    assert str(caught.value).startswith("mine: ") and words in str(caught.value)


@given(content=st.binary(max_size=200), cut=st.integers(0, 130))
def test_any_bytes_are_a_program_or_a_sentence(content: bytes, cut: int) -> None:
    for damaged in (content, b"\x7fELF" + content, elf()[:cut] + content):
        try:
            check_program(damaged, "mine")
        except OsgapError as error:
            assert str(error).startswith("mine: ")


def test_a_program_is_called_as_its_file(program: Path) -> None:
    (made,), (content,) = read_programs([program], ['-N 3 "a b" ""'])
    assert (made.name, made.start, made.args) == (
        "my_bench_riscv",
        "my-Bench.riscv",
        ("-N", "3", "a b", ""),
    )
    assert made.benchmark == "program/my_bench_riscv" and not made.source
    assert made.installed == (("my-Bench.riscv", 0o755),)
    assert content == {"my-Bench.riscv": elf()}


def test_a_c_file_is_built_under_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "Mine.c"
    path.write_text("int main(void) { return 0; }\n")
    (made,), (content,) = read_programs([path], [])
    assert (made.name, made.start, made.source) == ("mine", "mine", True)
    assert made.installed == (("mine", 0o755),) and list(content) == ["mine.c"]


def test_a_folder_is_taken_with_all_that_is_in_it(tmp_path: Path) -> None:
    files = {"run": b"#!/bin/sh\n./own\n", "own": elf(), "data/words.txt": b"words"}
    path = folder(tmp_path / "suite", files, ("run", "own"))
    (made,), (content,) = read_programs([path], [])
    assert (made.name, made.start) == ("suite", "run") and content == files
    assert made.installed == (("data/words.txt", 0o644), ("own", 0o755), ("run", 0o755))
    (path / "run").unlink()
    (path / "own").rename(path / "suite")
    assert read_programs([path], [])[0][0].start == "suite"


@pytest.mark.parametrize(
    ("files", "executable", "words"),
    [
        ({}, (), "holds no file"),
        ({"a": elf()}, ("a",), "found no program called run or suite in it that may be executed"),
        ({"run": elf()}, (), "found no program called run or suite"),
        ({"run": b"#!/usr/bin/python3\n"}, ("run",), "begins with '#!/usr/bin/python3'; allowed"),
        ({"run": elf(X86_64)}, ("run",), "suite/run: is for x86-64"),
        ({"run": elf(), "b": elf(segments=(3,))}, ("run", "b"), "suite/b: is linked dynamically"),
        ({"run": elf(), "a b": b""}, ("run",), "found the file 'a b'; allowed"),
        ({"run": elf(), ".git/x": b""}, ("run",), "found the file '.git/x'; allowed"),
    ],
)
def test_a_folder_that_is_none_is_a_sentence(
    tmp_path: Path, files: dict[str, bytes], executable: tuple[str, ...], words: str
) -> None:
    path = tmp_path / "suite"
    path.mkdir()
    with pytest.raises(OsgapError) as caught:
        read_programs([folder(path, files, executable)], [])
    assert str(caught.value).startswith(str(path)) and words in str(caught.value)


def test_a_folder_may_not_lead_elsewhere_or_be_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder(tmp_path / "suite", {"run": elf()})
    (path / "link").symlink_to("/etc")
    with pytest.raises(OsgapError, match=r"link: is no regular file; allowed: files and folders"):
        read_programs([path], [])
    (path / "link").unlink()
    os.mkfifo(path / "pipe")
    with pytest.raises(OsgapError, match="pipe: is no regular file"):
        read_programs([path], [])
    (path / "pipe").unlink()
    monkeypatch.setattr(programs, "LARGEST", 1 << 20)
    (path / "data").write_bytes(bytes(1 << 20))
    with pytest.raises(OsgapError, match=r"run: cannot be read: has more than 0 MiB"):
        read_programs([path], [])
    monkeypatch.setattr(programs, "MOST_FILES", 1)
    with pytest.raises(OsgapError, match="found 2 files; allowed: 1"):
        read_programs([path], [])


def test_what_is_asked_wrongly_is_a_sentence(program: Path, tmp_path: Path) -> None:
    (tmp_path / "own.cpp").write_text("int main() {}")
    for paths, args, words in (
        ([tmp_path / "none"], [], "none: cannot be read: No such file or directory"),
        ([tmp_path / "none.c"], [], "none.c: cannot be read: No such file or directory"),
        (
            [tmp_path / "own.cpp"],
            [],
            "own.cpp: is C++, which is not compiled here; allowed: C",
        ),
        ([Path("/dev/zero")], [], "it is a device; allowed: a regular file"),
        ([tmp_path / "1st"], [], "found the name '1st'; allowed: a letter"),
        ([tmp_path / "é"], [], "found the name 'é'; allowed: a letter"),
        ([tmp_path / ("n" * 50)], [], "allowed: a letter, and then at most 39 letters"),
        ([program] * 2, [], "found the name my_bench_riscv twice"),
        ([program] * 5, [], "found 5 programs; allowed: 4 at once"),
        ([program], ["a", "b"], "--args: found 2 times for 1 program"),
        ([program], ["a 'b"], '--args: found "a \'b": No closing quotation'),
        ([program], ["\udcff"], "--args: found"),
        ([program], ["a\0b"], "--args: found a zero in it"),
        ([program], ["x " * 65], "found 65 arguments of 130 bytes; allowed: 64 of 4096 in all"),
        ([program], ["x" * 5000], "found 1 argument of 5001 bytes"),
    ):
        with pytest.raises(OsgapError) as caught:
            read_programs(paths, args)
        assert words in str(caught.value), words


def test_each_program_has_its_own_arguments_or_all_have_the_same(
    program: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.c"
    other.write_text("int main;")
    for args, wanted in (
        ([], [(), ()]),
        (["a b"], [("a", "b")] * 2),
        (["a", ""], [("a",), ()]),
    ):
        assert [one.args for one in read_programs([program, other], args)[0]] == wanted


def test_guest_and_host_agree() -> None:
    folder = project_root() / "disk-images" / "program"
    source, receiver = (folder / "program.c").read_text(), (folder / "receive.c").read_text()
    assert f"#define KEPT {program_output.KEPT} " in source
    assert f"#define MOST {programs.MOST} " in source
    assert f"#define ROOM ((size_t){programarchive.ROOM >> 20} << 20)" in receiver
    words = struct.unpack("<QQ", rvsim_programs.MARK)
    assert f"#define MARK {', '.join(f'{word:#x}u' for word in words)}\n" in receiver


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("illegal-10548-rv64imafdc", "illegal instruction at 0x10548 (SIGILL); the guest's ISA is"),
        ("illegal-0-rv64imafdc", "illegal instruction (SIGILL); the guest's ISA is rv64imafdc"),
        ("signal-11", "signal-11"),
        ("illegal-x", "illegal-x"),
    ],
)
def test_an_illegal_instruction_is_called_one(word: str, reason: str) -> None:
    line = f"@osgap fail name=mine fs=none reason={word}\n@osgap end status=failed regions=0\n"
    with pytest.raises(BenchmarkFailed) as caught:
        parse(line)
    assert str(caught.value).startswith(f"mine (none): {reason}")
