# SPDX-License-Identifier: BSD-3-Clause
"""Times by mode, told by the native program: none here, and those of a stand-in for the kernel."""

from pathlib import Path

import pytest
from native import WORKLOADS, build, of, orders, run

pytestmark = pytest.mark.build
RUN = orders("run modes/modes_null,ousterhout/getpid", "set modes_null.count=3")


def build_reading(home: Path, macro: str) -> tuple[Path, Path]:
    """The program, looking for the kernel's figures in a file of ours, named by macro; the file."""
    figures = home / "figures"
    return build(WORKLOADS, home / "osgap-bench", (f'-D{macro}="{figures}"',)), figures


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return build_reading(tmp_path_factory.mktemp("modes"), "MODES_FILE")


def test_where_the_kernel_counts_nothing_no_line_comes(stand_in, tmp_path: Path) -> None:
    program, figures = stand_in
    figures.unlink(missing_ok=True)
    code, lines = run(program, RUN, tmp_path)
    assert code == 0 and of("modes", lines) == [] and len(of("sample", lines)) == 10


def test_each_batch_of_a_benchmark_that_asks_tells_its_modes(stand_in, tmp_path: Path) -> None:
    program, figures = stand_in
    # The file is no kernel: a write of 1 changes its first digit, and nothing else.
    figures.write_text("700 20 3\n")
    code, lines = run(program, RUN, tmp_path)
    assert code == 0
    expected = {"user_ns": "100", "kernel_ns": "20", "idle_ns": "3"}
    # Five batches are timed, and as many then counted.
    assert of("modes", lines) == [{"region": str(n), **expected} for n in range(5, 10)]
    verbs = [verb for verb, _ in lines]
    told = [*["sample"] * 5, *["sample", "modes"] * 5]
    assert verbs == ["bench", *told, "bench", *["sample"] * 5, "end"]
    # Counting was stopped at the end.
    assert figures.read_text() == "000 20 3\n"


LACKING = ("1 2\n", "1 2 3", "1  2 3\n", "\n", "")
WRONG = ("1 2 3 4\n", "1 2 x\n", "1 2 -3\n", f"1 2 {10**20}\n")


@pytest.mark.parametrize("text", [*LACKING, *WRONG])
def test_figures_that_are_none_fail_the_benchmark_alone(
    stand_in, tmp_path: Path, text: str
) -> None:
    program, figures = stand_in
    figures.write_text(text)
    code, lines = run(program, RUN, tmp_path)
    assert code != 0
    assert [(f["name"], f["reason"]) for f in of("fail", lines)] == [("modes_null", "modes")]
    assert {s["name"] for s in of("sample", lines)} == {"getpid"}
