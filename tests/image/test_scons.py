# SPDX-License-Identifier: BSD-3-Clause
"""SCons: what the globs find, and what bad input is told."""

import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from osgap.image import kernelrecipe
from osgap.image.kernelrecipe import (
    KernelChange,
    KernelRecipe,
    KernelSource,
    patch_of,
    write_kernel_recipe,
)

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


def test_only_a_changed_kernel_is_built_and_its_patch_is_a_source(
    copy: Path, tmp_path: Path
) -> None:
    change = KernelChange(patches=(patch_of(b"content", "my.patch"),))
    tree = KernelChange(source=KernelSource(path=str(tmp_path / "linux"), digest="0" * 64))
    recipes = [KernelRecipe(change=one, layout=2) for one in (KernelChange(), change, tree)]
    with patch.object(
        kernelrecipe, "image_directory", lambda name: copy / "build" / "variants" / name / "image"
    ):
        for recipe in recipes:
            write_kernel_recipe(recipe, [b"content"] * len(recipe.change.patches))
    own, patched, of_tree = (recipe.variant for recipe in recipes)
    word = f"variant={own},{patched},{of_tree}"
    done = scons(copy, tmp_path / "cache", "-n", "--tree=all", "image", word)
    assert done.returncode == 0, done.stderr
    assert f"KERNEL build/variants/{own}" not in done.stdout
    assert f"KERNEL build/variants/{patched}/kernel/kernel.json" in done.stdout
    assert f"KERNEL build/variants/{of_tree}/kernel/kernel.json" in done.stdout
    assert f"RECORD build/variants/{of_tree}/kernel/linux.json" in done.stdout
    assert f"build/variants/{patched}/change/0000-my.patch" in done.stdout
    for name in (own, patched, of_tree):
        assert f"LINK   build/variants/{name}/image/Image" in done.stdout
