# SPDX-License-Identifier: BSD-3-Clause
"""SCons: what the globs find, and what bad input is told."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.build
ROOT = Path(__file__).resolve().parents[2]
DUMMY = """#include "bench.h"
static int body(struct run *run, uint64_t count) { (void)run; barrier(); return !count; }
BENCHMARK(found_by_glob, .metric = "us", .count = 10, .body = body);
"""


def scons(folder: Path, cache: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "SCons", "-Q", f"cache={cache}", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_new_benchmark_is_linked_and_listed(copy: Path, tmp_path: Path) -> None:
    suite = copy / "workloads" / "dummy"
    suite.mkdir()
    (suite / "found_by_glob.c").write_text(DUMMY)
    done = scons(copy, tmp_path / "cache", "build/host/osgap-bench")
    assert done.returncode == 0, done.stdout + done.stderr
    program = copy / "build/host/osgap-bench"
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout
    assert "dummy/found_by_glob" in listed.splitlines()
    assert "ousterhout/getpid" in listed.splitlines()
    dry = scons(copy, tmp_path / "cache", "-n", "workloads")
    assert "build/obj/guest/workloads/dummy/found_by_glob.c.o" in dry.stdout


def test_an_unchanged_build_does_nothing(copy: Path, tmp_path: Path) -> None:
    target = "build/obj/host/workloads/checks/empty_loop.c.o"
    scons(copy, tmp_path / "cache", target)
    (copy / "workloads/lib/bench.h").touch()
    again = scons(copy, tmp_path / "cache", target)
    assert again.stdout == f"scons: `{target}' is up to date.\n"
    with (copy / "workloads/lib/bench.h").open("a") as header:
        header.write("#define OSGAP_TEST_CHANGE 1\n")
    assert "  CC " in scons(copy, tmp_path / "cache", target).stdout


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("kernel_sauce=x", "unknown variable kernel_sauce"),
        ("kernel_source=not-there", "kernel_source=not-there does not exist"),
        ("--kernel-source=not-there", "kernel_source=not-there does not exist"),
        ("jobs=none", "jobs=none is no positive number"),
        ("builder=yocto", "builder=yocto: allowed are debian and buildroot"),
        ("variant=none", "variant=none: found 'none'; allowed: default, boards, clang-O0"),
        ("variant=../variants/musl", "variant=../variants/musl: found '../variants/musl'"),
        ("builder=buildroot", "builder=buildroot needs BUILDROOT=PATH"),
    ],
)
def test_bad_input_is_one_sentence(copy: Path, tmp_path: Path, word: str, sentence: str) -> None:
    done = scons(copy, tmp_path / "cache", word)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_folder_without_linux_is_refused(copy: Path, tmp_path: Path) -> None:
    done = scons(copy, tmp_path / "cache", f"kernel_source={tmp_path}", "build/sources/linux.json")
    assert done.returncode == 2
    assert "neither an archive nor a directory with a Linux source tree" in done.stderr
    assert "Traceback" not in done.stderr
