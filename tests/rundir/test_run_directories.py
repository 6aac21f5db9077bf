# SPDX-License-Identifier: BSD-3-Clause
"""Any file of a run damaged: readers name it in one bounded sentence, soon, or the analysis works.

What is accepted is what can be analysed; and nothing beside the run changes.
"""

import contextlib
import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from examples import examples
from files import BOUND
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rundirs import copied, damage, damages, make_run

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.points.planned import read_plan
from osgap.points.record import read as read_record
from osgap.rundir import manifest
from osgap.rundir.archive import lock
from osgap.rundir.files import PointFiles
from osgap.rundir.load import load_run
from osgap.rundir.output import claim
from osgap.rundir.point import damage as point_damage
from osgap.rundir.pointfiles import write_done
from osgap.suites import analyze
from osgap.sweep.progress import keys_of, survey
from osgap.sweep.replay import compare

SLOW_S = 10
# Words of pydantic, of Python's own errors and of pandas.
FOREIGN = ("Input should", "validation", "Traceback", "<class", "errno", "codec can't", "NoneType")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    return make_run(folder / "run", folder)


@contextlib.contextmanager
def one_sentence(run: Path) -> Iterator[None]:
    began = time.monotonic()
    try:
        yield
    except OsgapError as error:
        told = str(error)
        assert told.strip() and "\n" not in told and told.isprintable(), told
        assert len(told.replace(str(run), "")) < BOUND, told
        assert str(run) in told and not any(word in told for word in FOREIGN), told
    assert time.monotonic() - began < SLOW_S


def _read_everything(run: Path, home: Path) -> None:
    """As analyze, status, a sweep that goes on, replay and lock read it."""
    with one_sentence(run):
        loaded = load_run(run)
        if loaded.points:
            tables = analyze(loaded)
            assert len(tables["samples"]) == sum(len(p.samples) for p in loaded.points.values())
    with one_sentence(run):
        keys = keys_of(run)
        survey(run, keys)
    with one_sentence(run):
        claim(run)
    with one_sentence(run):
        lock(run, home / "locked")
    for path in (run / "points").iterdir():
        read_record(run, path.name)
        point_damage(PointFiles(path))
        with one_sentence(run):
            read_plan(run, path.name)
        with one_sentence(run):
            compare(path.name, PointFiles(path), PointFiles(path))


@pytest.mark.long
@settings(
    max_examples=examples(30),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_a_damaged_run_is_named_or_analysed(
    made: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    home = tmp_path_factory.mktemp("home")
    (home / "beside").write_text("mine")
    run = copied(made, home / "run")
    what, sealed = data.draw(damages(made)), data.draw(st.booleans())
    damage(run, what, sealed=sealed)
    _read_everything(run, home)
    assert {path.name for path in home.iterdir()} <= {"run", "beside", "locked"}
    assert (home / "beside").read_text() == "mine"
    shutil.rmtree(home)


def _edit_json(path: Path, change: Callable[[Any], object]) -> None:
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    if path.name == "point.json":
        write_done(_unsealed(path.parent))


def _unsealed(point: Path) -> Path:
    (point / "done.json").unlink()
    return point


# What the key is of; a change of any of it is another point.
OF_THE_KEY = {
    "a clock": lambda point: point["axes"].update(clock_mhz=21),
    "the system's clock": lambda point: point["resolved"].update(clock_mhz=21.0),
    "memory": lambda point: point["resolved"]["memory"].update(latency_ns=1.0),
    "the disk": lambda point: point["resolved"]["disk"].update(heads=3),
    "the image": lambda point: point.update(image_digest="another"),
    "the engine": lambda point: point.update(engine="rvsim"),
    "its version": lambda point: point.update(engine_version="2"),
    "what runs": lambda point: point["orders"].update(run=["checks"]),
    "its start": lambda point: point["orders"].update(seed=7),
}
OTHERWISE = {
    "another format": (lambda point: point.update(format=2), "has format 2"),
    "a format that is true": (lambda point: point.update(format=True), "has format True"),
    "no such engine": (lambda point: point.update(engine="simics"), "allowed: fake, gem5"),
    "a clock of nan": (lambda point: point["axes"].update(clock_mhz=float("nan")), "found NaN"),
    "a subnormal clock": (lambda point: point["axes"].update(clock_mhz=1e-320), "from 0.01"),
    "a clock of text": (lambda point: point["axes"].update(clock_mhz="20"), "'20', a text"),
    "a clock of true": (lambda point: point["axes"].update(clock_mhz=True), "true, a boolean"),
}


@pytest.mark.parametrize("where", ["plan", "point"])
@pytest.mark.parametrize("what", [*OF_THE_KEY, *OTHERWISE])
def test_a_point_is_what_its_key_says(made: Path, tmp_path: Path, what: str, where: str) -> None:
    run = copied(made, tmp_path / "run")
    key = keys_of(run)[0]
    change, words = OTHERWISE.get(what) or (OF_THE_KEY[what], "allowed, for what the file")
    if where == "plan":
        _edit_json(run / "plan" / f"{key}.json", change)
    else:
        _edit_json(run / "points" / key / "point.json", change)
    with pytest.raises(OsgapError, match=words) as caught:
        read_plan(run, key) if where == "plan" else load_run(run)
    assert str(run) in str(caught.value)


MANIFESTS = {
    "another format": (lambda run: run.update(format=2), "has format 2"),
    "a point twice": (lambda run: run.update(points=run["points"] * 2), "allowed: each point once"),
    "a clock of nan": (lambda run: run["series"]["fixed"].update(nan=run["points"][0]), "a clock"),
    "a clock of inf": (lambda run: run["series"]["fixed"].update(inf=run["points"][0]), "a clock"),
    "no clock": (lambda run: run["series"]["fixed"].update({"-1": run["points"][0]}), "a clock"),
    "a clock twice": (
        lambda run: run["series"]["fixed"].update({"20.0": run["points"][0]}),
        "each clock once",
    ),
    "a missing point": (lambda run: run["series"]["fixed"].update({"20": "x"}), "of `points`"),
    "a key that leads elsewhere": (lambda run: run.update(points=["../x"], series={}), "points.0"),
}


@pytest.mark.parametrize("what", MANIFESTS)
def test_what_run_json_contradicts_is_refused_before_anything_goes_on(
    made: Path, tmp_path: Path, what: str
) -> None:
    run = copied(made, tmp_path / "run")
    change, words = MANIFESTS[what]
    _edit_json(run / "run.json", change)
    for read in (load_run, keys_of, manifest.read):
        with pytest.raises(OsgapError, match=words) as caught:
            read(run)
        assert str(run / "run.json") in str(caught.value)


def test_a_series_gives_a_point_at_its_own_clock(made: Path, tmp_path: Path) -> None:
    run = copied(made, tmp_path / "run")
    _edit_json(
        run / "run.json",
        lambda data: data["series"]["fixed"].update({"20": data["series"]["fixed"]["40"]}),
    )
    with pytest.raises(OsgapError, match=r"found 20 MHz for point .*; allowed: its own 40 MHz"):
        load_run(run)


def test_what_is_made_here_is_a_whole_run(made: Path, tmp_path: Path) -> None:
    run = copied(made, tmp_path / "run")
    loaded = load_run(run)
    assert len(loaded.points) == 3 and not loaded.unfinished
    assert analyze(loaded)["relative"].notna().any().any()
    assert lock(run, tmp_path / "locked") > 0


def test_a_start_names_no_folder_above_the_checkout() -> None:
    """A run is committed with its commands, and read where the checkout is another folder."""
    words = ("osgap", "sweep", "--output", f"{project_root()}/results/runs/x", "/tmp/y", "a/b")
    made = manifest.start(words, checkpoint="")
    assert made.command == ("osgap", "sweep", "--output", "results/runs/x", "/tmp/y", "a/b")
