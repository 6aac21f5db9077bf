# SPDX-License-Identifier: BSD-3-Clause
"""The suite of boards on a machine without a simulator: the same rows, by measure.sh."""

import os
import re
import shutil
from pathlib import Path

import pytest
from native import WORKLOADS, build, names

from osgap.image.benchmarks import benchmarks
from osgap.native.measure import RATING, measure
from osgap.native.merge import merge
from osgap.native.output import parse

pytestmark = [
    pytest.mark.build,
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="no host gcc"),
]
RUN = ("boards/tcp_connect", "boards/syscall_null", "boards/chase_128k", "boards/ctx_16_16k")


def test_its_rows_are_measured_and_few_ports_are_taken(tmp_path: Path) -> None:
    program = build(WORKLOADS, tmp_path / "osgap-bench")
    suite = {name for name in benchmarks() if name.startswith("boards/")}
    assert suite <= set(names(program))
    text = measure(program, tmp_path, 20, (*RUN, *RATING), min(os.sched_getaffinity(0)))
    merged = merge(parse(text, "here"), "here", 1)
    assert not merged.left_out and merged.rounds >= 2
    assert {f"boards/{name}" for name, _ in merged.shapes} >= set(RUN)
    counts: dict[str, list[int]] = {}
    for name, count in re.findall(r"^@osgap bench name=(\w+) .* count=(\d+) ", text, re.MULTILINE):
        counts.setdefault(name, []).append(int(count))
    assert max(counts["tcp_connect"]) <= 100 < max(counts["syscall_null"])
