# SPDX-License-Identifier: BSD-3-Clause
"""Extractions natively, and the lock's counters from a stand-in for the kernel's file."""

import shutil
from pathlib import Path

import pytest
from native import of, orders, run
from test_modes_native import build_reading

pytestmark = [
    pytest.mark.build,
    pytest.mark.skipif(not shutil.which("tar"), reason="no tar on this machine"),
]
KINDS = [f"extract_{fs}_{n}" for fs in ("tmpfs", "ext2") for n in (1, 2, 4, 8)]
RUN = orders("run kennaway/extract_tmpfs_2,ousterhout/getpid", "set extract_tmpfs_2.batches=2")
NAMES = ("acquisitions", "retakes", "contended", "sleeps", "wait_ns", "hold_ns")
FIGURES = "mode 1\nticks_per_second 10000000\ncpu {}\n0 9 9 9 9 9 9\ntotal {}\n"


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return build_reading(tmp_path_factory.mktemp("counters"), "COUNTERS_FILE")


@pytest.mark.long
def test_each_kind_is_made_ten_times_and_checked(stand_in, tmp_path: Path) -> None:
    program, figures = stand_in
    figures.unlink(missing_ok=True)
    code, lines = run(program, orders("run kennaway"), tmp_path)
    assert code == 0 and of("counter", lines) == []
    found = [(sample["name"], int(sample["batch"])) for sample in of("sample", lines)]
    assert found == [(kind, batch) for kind in KINDS for batch in range(10)]
    assert [int(bench["bytes"]) for bench in of("bench", lines)] == [
        n * 16 * 1536 for n in (1, 2, 4, 8, 1, 2, 4, 8)
    ]


@pytest.mark.parametrize("broken", ["exit 1", "exit 0", "cp -r . {trees}/0; exit 0"])
def test_an_extraction_that_leaves_something_else_fails(
    stand_in, tmp_path: Path, broken: str
) -> None:
    program, figures = stand_in
    figures.unlink(missing_ok=True)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tar").write_text(f"#!/bin/sh\n{broken.format(trees='trees')}\n")
    (tmp_path / "bin" / "tar").chmod(0o755)
    (tmp_path / "scratch").mkdir()
    code, lines = run(program, RUN, tmp_path / "scratch", PATH=f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert code != 0
    (failure,) = of("fail", lines)
    assert failure["name"] == "extract_tmpfs_2"
    assert failure["reason"] == ("tar" if broken == "exit 1" else "wrong-tree")


def test_counters_are_told_after_each_sample_in_ns(stand_in, tmp_path: Path) -> None:
    program, figures = stand_in
    figures.write_text(FIGURES.format(" ".join(NAMES), "90 8 7 6 50 400"))
    code, lines = run(program, RUN, tmp_path)
    assert code == 0
    values = ("90", "8", "7", "6", "5000", "40000")
    assert of("counter", lines) == [
        {"region": str(region), "name": name, "value": value}
        for region in range(2)
        for name, value in zip(NAMES, values, strict=True)
    ]
    verbs = [verb for verb, _ in lines]
    assert verbs[:8] == ["bench", "sample", *["counter"] * 6]


@pytest.mark.parametrize("total", ["1 2 3 4 5", "1 2 3 4 5 6 7", "1 2 3 4 5 x", "1 2 3 4  5 6"])
def test_counters_that_are_none_fail_the_benchmark_alone(
    stand_in, tmp_path: Path, total: str
) -> None:
    program, figures = stand_in
    figures.write_text(FIGURES.format(" ".join(NAMES), total))
    code, lines = run(program, RUN, tmp_path)
    assert code != 0
    assert [fail["reason"] for fail in of("fail", lines)] == ["counters"]
    assert {sample["name"] for sample in of("sample", lines)} == {"getpid"}
