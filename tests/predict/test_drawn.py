# SPDX-License-Identifier: BSD-3-Clause
"""The machines that predictions are tried on are those that the random numbers gave."""

import tomllib

import numpy as np
import pandas as pd
import pytest
from drawn import drawn

from osgap.analysis.layouts.values import MEAN, SPEED, TIME
from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.predict.grid import simulated
from osgap.predict.points_to_simulate import first_keys
from osgap.predict.prediction import only_run, predict_run
from osgap.predict.validation import against
from osgap.rundir.load import Run

ROOT = project_root()
LOCKED = ROOT / "results" / "locked"
MACHINES = ROOT / "configs" / "machines"
FOLDER = ROOT / "configs" / "machines" / "drawn"
LOGGED = sorted(path.name for path in (LOCKED / "prediction/disk-requests").iterdir())
_WAITING = ["andrew_makedir", "andrew_copy", "andrew_make", "create_delete_0"]


def test_the_files_are_as_drawn() -> None:
    expected = {**dict(drawn()), **dict(drawn(1))}
    assert {file.stem: file.read_text() for file in FOLDER.glob("*.toml")} == expected


@pytest.mark.parametrize(("name", "turn"), [("drawn", 0), ("drawn-anew", 1)])
def test_the_sweeps_have_them_all(name: str, turn: int) -> None:
    sweep = tomllib.loads((ROOT / "configs" / "sweeps" / f"{name}.toml").read_text())
    assert sweep["machine"] == ["base", *(f"drawn/{machine}" for machine, _ in drawn(turn))]


def _later(engine: str) -> list[pytest.MarkDecorator]:
    """The same predictions from the other simulator's runs come with all tests."""
    return [] if engine == "rvsim" else [pytest.mark.long]


@pytest.fixture(scope="module", params=["rvsim", pytest.param("gem5", marks=_later("gem5"))])
def compared(request: pytest.FixtureRequest) -> pd.DataFrame:
    """Predicted from the sweep of latency and bandwidth apart, beside the same simulated.

    Two machines are no faster than that sweep's slowest clock.
    """
    names = [f"drawn/{name}" for name, _ in drawn() if name not in ("m04", "m06")]
    run = only_run(LOCKED / "prediction/latency-bandwidth" / request.param)
    made = predict_run(run, {}, _corners(run.run), MACHINES, names=names)
    return against(made, LOCKED / "prediction/random-machines" / request.param, run)


def _corners(run: Run) -> list[str]:
    """The three points that a sweep --predict would simulate of it."""
    return first_keys({one.key: one.system for one in simulated(run)})


@pytest.mark.slow
def test_machines_that_nobody_chose_are_predicted(compared: pd.DataFrame) -> None:
    sizes = compared["error"].abs().groupby(compared["quantity"])
    assert sizes.size().to_dict() == {TIME: 190, SPEED: 190, MEAN: 30}
    assert sizes.median()[TIME] < 0.01 and sizes.quantile(0.9)[TIME] < 0.065
    assert sizes.median()[MEAN] < 0.02 and sizes.max()[MEAN] < 0.06
    assert ((compared["within"] == "yes").groupby(compared["quantity"]).mean() > 0.9).all()


@pytest.mark.slow
@pytest.mark.parametrize("engine", [pytest.param(name, marks=_later(name)) for name in LOGGED])
def test_machines_drawn_after_the_rule_was_frozen_are_predicted(engine: str) -> None:
    """From three points with the disk's requests; m17 is as slow as the slowest of them."""
    names = [f"drawn/{name}" for name, _ in drawn(1) if name != "m17"]
    run = only_run(LOCKED / "prediction/disk-requests" / engine)
    made = predict_run(run, {}, _corners(run.run), MACHINES, names=names)
    rows = against(made, LOCKED / "prediction/new-machines" / engine, run)
    sizes = rows["error"].abs().groupby(rows["quantity"])
    assert sizes.size().to_dict() == {TIME: 209, SPEED: 209, MEAN: 33}
    assert sizes.median()[TIME] < 0.01 and sizes.quantile(0.9)[TIME] < 0.08
    assert sizes.max()[TIME] < 0.25 and sizes.max()[MEAN] < 0.075
    assert (rows[rows["quantity"] == TIME]["within"] == "yes").mean() > 0.98


@pytest.mark.slow
@pytest.mark.parametrize("engine", [pytest.param(name, marks=_later(name)) for name in LOGGED])
def test_requests_that_are_replayed_tell_more_than_waits_that_are_scaled(engine: str) -> None:
    """The benchmarks that wait for the disk, from the same three points."""
    names = [f"drawn/{name}" for name, _ in drawn() if name not in ("m04", "m06")]
    sizes = {}
    for folder in ("disk-requests", "latency-bandwidth"):
        run = only_run(LOCKED / "prediction" / folder / engine)
        made = predict_run(run, {}, _corners(run.run), MACHINES, names=names)
        rows = against(made, LOCKED / "prediction/random-machines" / engine, run)
        waiting = (rows["fs"] == "unix") & rows["benchmark"].isin(_WAITING)
        sizes[folder] = rows[waiting & (rows["quantity"] == TIME)]["error"].abs()
    assert len(sizes["disk-requests"]) == len(sizes["latency-bandwidth"]) == 40
    for share in (0.5, 0.9):
        assert sizes["disk-requests"].quantile(share) < sizes["latency-bandwidth"].quantile(share)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "geometries", "tenth"),
    [("rvsim", 4, 0.15), pytest.param("gem5", 6, 0.11, marks=_later("gem5"))],
)
def test_two_points_tell_the_others_of_machines_with_caches_of_their_own(
    engine: str, geometries: int, tenth: float
) -> None:
    """The paper's machines, as they were and with memory and disk scaled."""
    found, caches = [], set()
    for folder in sorted((LOCKED / "paper" / f"fitted-{engine}").iterdir()):
        run = only_run(folder) if (folder / "run.json").is_file() else None
        if run is None or len(run.run.points) < 4:
            continue
        axes = {key: point.record.axes for key, point in run.run.points.items()}
        used = [key for key, one in axes.items() if one.memory == one.disk]
        made = predict_run(run, {}, used, MACHINES).errors
        found.append(made[(made["quantity"] == TIME) & ~made["key"].isin(used)]["error"].abs())
        system = run.run.points[used[0]].record.resolved
        caches.add((system.l1i, system.l1d, system.l2))
    sizes = pd.concat(found)
    assert len(found) == 9 and len(caches) == geometries and len(sizes) == 9 * 74
    assert sizes.median() < 0.015 and sizes.quantile(0.9) < tenth


@pytest.mark.long
def test_r_is_compared_where_it_is_relative_to_the_same_clock(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = ["drawn/m01", "drawn/m07"]
    run = LOCKED / "layouts/ten-layouts" / "rvsim" / "default"
    analysed = only_run(run)
    made = predict_run(analysed, {}, (), MACHINES, names=names)
    rows = against(made, LOCKED / "prediction/random-machines" / "rvsim", analysed)
    assert {TIME, SPEED, MEAN} == set(rows["quantity"]) and set(rows["machine"]) == set(names)
    assert np.allclose(rows["error"], np.log(rows["predicted"] / rows["simulated"]))
    words = ["predict", str(run), "--machine", ",".join(names)]
    assert main([*words, "--against", str(LOCKED / "prediction/random-machines")]) == 0
    assert "mean_R: " in capsys.readouterr().out
    assert main([*words[:2], "--against", str(LOCKED / "prediction/random-machines")]) == 2
    assert "--against: found without --machine" in capsys.readouterr().err
    assert main([*words, "--against", str(LOCKED / "layouts/ten-layouts")]) == 2
    assert "missing: drawn/m01" in capsys.readouterr().err
