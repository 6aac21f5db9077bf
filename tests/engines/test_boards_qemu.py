# SPDX-License-Identifier: BSD-3-Clause
"""The image variant `boards`: every benchmark of its suite runs in the guest."""

from pathlib import Path

import pytest
from shared import Once

from osgap.base.paths import cache_directory, project_root
from osgap.engines import load
from osgap.engines.contract import Failed, Job
from osgap.guest.protocol import Orders, parse
from osgap.image.benchmarks import benchmarks
from osgap.image.files import Image, load_image
from osgap.machines.machine import load_machine
from osgap.machines.system import system

pytestmark = [pytest.mark.qemu, pytest.mark.long]


def job(image: Image, scratch: Path) -> Job:
    machine = load_machine(project_root() / "configs" / "machines" / "base.toml")
    resolved = system(machine, 20)
    orders = Orders(load("qemu").marks, ("boards",), ("unix",), resolved.disk.model_dump())
    return Job(image, resolved, orders, cache_directory(), scratch, 600)


def test_every_benchmark_runs_in_the_guest(once: Once, tmp_path: Path) -> None:
    outcome = load("qemu").run(job(load_image(once.image("boards")), tmp_path))
    samples = parse(outcome.console).samples
    suite = {name.removeprefix("boards/") for name in benchmarks() if name.startswith("boards/")}
    assert {sample.benchmark for sample in samples} == suite and len(suite) == 39
    assert all(sample.guest_ns > 0 and sample.fs == "none" for sample in samples)


def test_the_default_image_has_none_of_them(image: Image, tmp_path: Path) -> None:
    with pytest.raises(Failed, match="unknown-benchmark"):
        load("qemu").run(job(image, tmp_path))
