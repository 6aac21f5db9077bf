# SPDX-License-Identifier: BSD-3-Clause
"""Extractions from a barrier, natively: what is timed, and what a wrong one makes of it."""

import shutil
from pathlib import Path

import pytest
from native import Lines, of, orders, run
from test_modes_native import build_reading

pytestmark = [
    pytest.mark.build,
    pytest.mark.skipif(not shutil.which("tar"), reason="no tar on this machine"),
]
COPIES = (1, 2, 3, 4, 8, 10, 12)
TREE_BYTES = 441226
"""The size of an extracted tree: the sum of the sizes in tarball.h."""
RUN = orders("run extractions/at_once_tmpfs_2", "set at_once_tmpfs_2.batches=2")
SLEEP_NS = 500_000_000
READ = "read x < /dev/null"
"""A read from descriptor 0 by the shell itself, at which it is stopped."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A native program that finds no file of the kernel's lock."""
    built, figures = build_reading(tmp_path_factory.mktemp("at_once"), "COUNTERS_FILE")
    figures.unlink(missing_ok=True)
    return built


def with_tar(program: Path, folder: Path, text: str) -> tuple[int, Lines]:
    """A run with `text` in place of tar."""
    for name in ("bin", "scratch"):
        (folder / name).mkdir()
    (folder / "bin" / "tar").write_text(text)
    (folder / "bin" / "tar").chmod(0o755)
    return run(program, RUN, folder / "scratch", PATH=f"{folder / 'bin'}:/usr/bin:/bin")


@pytest.mark.long
@pytest.mark.parametrize("medium", ["tmpfs", "ext2", "md"])
def test_each_kind_is_made_ten_times_and_checked(
    medium: str, program: Path, tmp_path: Path
) -> None:
    kinds = [f"at_once_{medium}_{n}" for n in COPIES]
    names = ",".join(f"extractions/{kind}" for kind in kinds)
    code, lines = run(program, orders(f"run {names}"), tmp_path)
    assert code == 0
    found = [(sample["name"], int(sample["batch"])) for sample in of("sample", lines)]
    assert found == [(kind, batch) for kind in kinds for batch in range(10)]
    assert [int(bench["bytes"]) for bench in of("bench", lines)] == [n * TREE_BYTES for n in COPIES]


def test_what_comes_before_the_first_read_is_not_timed(program: Path, tmp_path: Path) -> None:
    text = f'#!/bin/sh\nsleep 0.5\nexec {shutil.which("tar")} "$@"\n'
    code, lines = with_tar(program, tmp_path, text)
    assert code == 0
    assert all(int(sample["ns"]) < SLEEP_NS for sample in of("sample", lines))


def test_what_comes_after_it_is_timed(program: Path, tmp_path: Path) -> None:
    text = f'#!/bin/sh\n{READ}\n{shutil.which("tar")} "$@"\nsleep 0.5\n'
    code, lines = with_tar(program, tmp_path, text)
    assert code == 0
    assert all(int(sample["ns"]) > SLEEP_NS for sample in of("sample", lines))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("exit 0", "no-barrier"),
        ("exit 1", "no-barrier"),
        (f"{READ}; exit 0", "wrong-tree"),
        (f"{READ}; exit 1", "tar"),
        (f"{READ}; kill -9 $$", "tar"),
        (f"{READ}; cp -r . trees/0; exit 0", "wrong-tree"),
    ],
)
def test_an_extraction_that_leaves_something_else_fails(
    program: Path, tmp_path: Path, text: str, reason: str
) -> None:
    code, lines = with_tar(program, tmp_path, f"#!/bin/sh\n{text}\n")
    assert code != 0
    assert [fail["reason"] for fail in of("fail", lines)] == [reason]


def test_writers_fill_files_in_memory(program: Path, tmp_path: Path) -> None:
    names = [f"fill_memory_{n}" for n in (1, 2, 4, 8, 12)]
    text = orders("run " + ",".join(f"extractions/{name}" for name in names))
    code, lines = run(program, text, tmp_path)
    assert code == 0
    assert [sample["name"] for sample in of("sample", lines)] == [
        n for n in names for _ in range(3)
    ]
    # No machine writes 200 GB/s.
    passed = [(int(bench["bytes"]), bench["name"]) for bench in of("bench", lines)]
    for size, name in passed:
        times = [int(sample["ns"]) for sample in of("sample", lines) if sample["name"] == name]
        assert size == int(name.rpartition("_")[2]) * 8 * (512 << 10)
        assert min(times) > size / 200
