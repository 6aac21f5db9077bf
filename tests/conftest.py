# SPDX-License-Identifier: BSD-3-Clause
"""The tests' levels, and what is made once a session for many of them."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from analysed_runs import remembered
from examples import DEFAULT, examples, set_level
from hypothesis import settings
from levels import LEVELS, Levels
from shared import Once
from sweeping import finished
from watch import Watch

from osgap.analysis import resampling
from osgap.base.paths import cache_directory, project_root
from osgap.engines import load
from osgap.image import programrecipe
from osgap.image.files import Image, load_image
from osgap.machines.machine import load_machine
from osgap.machines.system import system

pytest_plugins = ("synthetic_runs",)

WATCH_S = 300.0
RVSIM_RUN = (
    "checks/empty_loop",
    "checks/integer_mix",
    "checks/pointer_chase_l1",
    "checks/pointer_chase_memory",
    "ousterhout/getpid",
    "ousterhout/create_delete_0",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--level",
        choices=LEVELS,
        help="only tests up to this level; with `all`, a test of a "
        "lower level that takes longer than it may fails the run",
    )


def pytest_configure(config: pytest.Config) -> None:
    # The time of one example says what runs beside it; CALL_LIMIT_S bounds the test. The same
    # examples each time: what passes here passes elsewhere. `explore` draws others.
    set_level(config.getoption("--level"))
    drawn = examples(DEFAULT)
    settings.register_profile("osgap", deadline=None, derandomize=True, max_examples=drawn)
    settings.register_profile("explore", deadline=None)
    settings.load_profile(config.getoption("--hypothesis-profile") or "osgap")
    config.pluginmanager.register(Levels(config.getoption("--level")))
    if config.getoption("--level") == "all" and config.getoption("numprocesses", None):
        config.pluginmanager.register(Watch(WATCH_S))


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """What this session's processes share."""
    own = tmp_path_factory.getbasetemp()
    directory = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "shared"
    directory.mkdir(exist_ok=True)
    return Once(directory)


@pytest.fixture(scope="session", autouse=True)
def _shared_objects(once: Once) -> None:
    """Where tests/support/native.py keeps what it compiles."""
    os.environ["OSGAP_TESTS_SHARED"] = str(once.directory)


@pytest.fixture(scope="session", autouse=True)
def _analysed_once() -> Iterator[None]:
    """Runs that no test changes are analysed once a process."""
    with remembered():
        yield


@pytest.fixture
def recipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of the recipes of programs' variants."""
    folder = tmp_path / "variants"
    monkeypatch.setattr(programrecipe, "image_directory", lambda name: folder / name / "image")
    return folder


@pytest.fixture
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bootstraps of 99 resamples, for tests that look at no interval."""
    monkeypatch.setattr(resampling, "RESAMPLES", 99)


@pytest.fixture(scope="session")
def image(once: Once) -> Image:
    """The default image of this checkout."""
    return load_image(once.image())


@pytest.fixture(scope="session")
def rvsim_boot(image: Image) -> None:
    """The guest has booted on rvsim: all machines of one hart and as much memory share that."""
    base = load_machine(project_root() / "configs" / "machines" / "base.toml")
    load("rvsim").prepare(image, system(base), cache_directory(), lambda text: None)


@pytest.fixture(autouse=True)
def _booted(request: pytest.FixtureRequest) -> None:
    """A boot is no part of a test's own time."""
    if request.node.get_closest_marker("rvsim"):
        request.getfixturevalue("rvsim_boot")


@pytest.fixture(scope="session")
def fake_run(once: Once) -> Path:
    """A finished run of the fake engine: three points, not to be changed."""
    axes = ("--cpu-mhz", "20,40", "--memory", "fixed,scaled")
    return once.made("fake-run", lambda run: finished(run, *axes))


@pytest.fixture(scope="session")
def rvsim_run(once: Once, rvsim_boot: None) -> Path:
    """A finished run of rvsim, two clocks of some benchmarks, not to be changed."""
    axes = ("--engine", "rvsim", "--cpu-mhz", "80,160", "--fs", "unix")
    axes = (*axes, "--run", ",".join(RVSIM_RUN))
    return once.made("rvsim-run", lambda run: finished(run, *axes))
