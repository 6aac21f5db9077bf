# SPDX-License-Identifier: BSD-3-Clause
"""Hohmuth's rows in the guest: every one runs, over a loopback that init brought up."""

import re

import pytest

from osgap.base.paths import project_root
from osgap.engines import load
from osgap.guest import protocol

pytestmark = pytest.mark.qemu


def test_every_row_runs_in_the_guest(make_job) -> None:
    files = sorted((project_root() / "workloads" / "mcvoy").glob("*.c"))
    names = {n for f in files for n in re.findall(r"^BENCHMARK\((\w+),", f.read_text(), re.M)}
    assert len(names) == 25
    outcome = load("qemu").run(make_job("qemu", 20, "mcvoy", fs=("unix",)))
    samples = protocol.parse(outcome.console).samples
    assert {sample.benchmark for sample in samples} == names
    assert all(sample.guest_ns > 0 for sample in samples)
