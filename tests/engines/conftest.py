# SPDX-License-Identifier: BSD-3-Clause
"""Jobs for tests on real engines."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from gem5_scripts import load_scripts

from osgap.base.paths import cache_directory, project_root
from osgap.engines import load
from osgap.engines.contract import EngineError, Job
from osgap.guest.protocol import Orders
from osgap.image.files import Image
from osgap.machines.machine import Policy, load_machine
from osgap.machines.system import system

MakeJob = Callable[..., Job]


@pytest.fixture(scope="session")
def real_gem5() -> None:
    """Skips where $GEM5 and PATH have none, and says so."""
    try:
        load("gem5").version()
    except EngineError as error:
        pytest.skip(f"not tested against a real gem5: {error}")


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """The modules of configs/gem5, imported with stubs for gem5's own."""
    yield from load_scripts(monkeypatch)


@pytest.fixture(scope="session")
def make_job(image: Image, tmp_path_factory: pytest.TempPathFactory) -> MakeJob:
    """make_job(engine, clock_mhz, run, ...) gives a ready Job; boots the guest if need be."""
    machine = load_machine(project_root() / "configs" / "machines" / "base.toml")

    def make(
        engine: str,
        clock_mhz: float,
        *run: str,
        memory: Policy = "fixed",
        disk: Policy = "fixed",
        fs: tuple[str, ...] = ("unix", "sprite"),
        seed: int = 0,
        sets: dict[str, int] | None = None,
        cache: Path | None = None,
    ) -> Job:
        resolved = system(machine, clock_mhz, memory, disk)
        orders = Orders(load(engine).marks, run, fs, resolved.disk.model_dump(), seed, sets or {})
        scratch = tmp_path_factory.mktemp("scratch")
        job = Job(image, resolved, orders, cache or cache_directory(), scratch, 600)
        load(engine).prepare(image, resolved, job.cache, lambda text: None)
        return job

    return make


@pytest.fixture
def with_orders() -> Callable[[Job, Orders], Job]:
    return lambda job, orders: replace(job, orders=orders)
