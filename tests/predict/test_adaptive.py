# SPDX-License-Identifier: BSD-3-Clause
"""A sweep that simulates what it needs: tried on a committed run, whose points are handed out."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from synthetic import write_run

from osgap.analysis.samples import timed
from osgap.base.frozen import Frozen
from osgap.base.packed import read_archive
from osgap.base.paths import project_root
from osgap.base.terminal import make_console
from osgap.cli.main import main
from osgap.predict import adaptive, observations
from osgap.predict.adaptive import Folders, run_predicted
from osgap.predict.prediction import only_run
from osgap.rundir import manifest
from osgap.rundir.load import Run, load_run
from osgap.rundir.manifest import Aim
from osgap.sweep.host import Host, SweepContext
from osgap.sweep.plan import Plan
from osgap.sweep.run import PlannedRun, SweepRun
from osgap.sweep.spec import SweepFile, each_run, find_sweep, load_sweep

ROOT = project_root()
FULL = ROOT / "results" / "locked" / "curve/default"
FOLDERS = Folders(
    ROOT / "configs" / "machines", ROOT / "results" / "locked" / "prediction/latency-bandwidth"
)
Do = Callable[[Path, Aim], list[set[str]]]


def _uncounted(samples: pd.DataFrame, run: Run) -> pd.DataFrame:
    """Batches of an engine that does not tell what memory moved."""
    return timed(samples, run).assign(bytes_read=np.nan)


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The points of the committed default run."""
    target = tmp_path_factory.mktemp("points")
    for name, content in read_archive(FULL / "run.tar.xz"):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)
    return target


@pytest.fixture
def do(unpacked: Path, monkeypatch: pytest.MonkeyPatch) -> Do:
    """Runs the default sweep into a directory; gives the points of each round."""
    whole = load_run(FULL)
    record = json.loads((FULL / "run.json").read_text())
    rounds: list[set[str]] = []
    request = Frozen()

    def for_each_run(
        sweep: SweepFile, _: Path, context: SweepContext, work: Callable[[SweepRun], None]
    ) -> None:
        specs = [SimpleNamespace(key=k, system=p.record.system) for k, p in whole.points.items()]
        series = {n: {f"{c:g}": key for c, key in own.items()} for n, own in whole.series.items()}
        plan = Plan(tuple(specs), series)  # type: ignore[arg-type]
        planned = PlannedRun(request, plan, engine=None, image=None)  # type: ignore[arg-type]
        work(SweepRun(next(iter(each_run(sweep).values())), planned, context))

    def run_plan(context: SweepContext, planned: PlannedRun, more: object) -> None:
        run, plan = context.run, planned.plan
        keys = [spec.key for spec in plan.specs]
        rounds.append(set(keys))
        for key in keys:
            target = run / "points" / key
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                target.symlink_to(unpacked / "points" / key)
        assert isinstance(more, dict)
        told = {**record, "points": keys, "series": plan.series, **more}
        manifest.write(run, manifest.Manifest.model_validate(told))

    monkeypatch.setattr(adaptive, "for_each_run", for_each_run)
    monkeypatch.setattr(adaptive, "run_plan", run_plan)

    def run(path: Path, aim: Aim) -> list[set[str]]:
        sweep = load_sweep(find_sweep("default", ROOT / "configs" / "sweeps"))
        host = Host(2, ROOT / "build" / "image", ROOT)
        run_predicted(sweep, FOLDERS, aim, SweepContext(path, host, make_console()))
        return rounds

    return run


def _means(run: Path) -> pd.DataFrame:
    return adaptive.predicted_grid(only_run(run), FOLDERS).means


@pytest.mark.long
def test_two_points_and_then_the_widest_until_all_are_within(do: Do, tmp_path: Path) -> None:
    rounds = do(tmp_path / "run", Aim(tolerance=0.04))
    assert {key.partition("-")[0] for key in rounds[0]} == {"20mhz", "640mhz"}
    assert all(first < later for first, later in itertools.pairwise(rounds))
    assert 2 < len(rounds[-1]) < 21
    means = _means(tmp_path / "run")
    assert len(means.drop_duplicates(["series", "clock_mhz"])) == 24
    assert adaptive.widths(means).max() <= 0.04
    _holds(means)


def _holds(means: pd.DataFrame) -> None:
    """What was simulated is as in the whole run, and that lies in most intervals."""
    whole = pd.read_csv(FULL / "tables" / "geomean.csv")
    both = means.merge(whole, on=["set", "series", "clock_mhz"], suffixes=("", "_whole"))
    own = both[both["simulated"] == "yes"]
    assert np.allclose(own["geomean"], own["geomean_whole"], rtol=1e-5)
    others = both[both["simulated"] == "no"]
    inside = others["geomean_whole"].between(others["low"], others["high"])
    assert len(others) > 30 and inside.mean() >= 0.85


@pytest.mark.slow
def test_without_a_tolerance_two_points_are_enough(do: Do, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert [len(keys) for keys in do(run, Aim())] == [2]
    _holds(_means(run))


@pytest.mark.slow
def test_a_budget_that_is_spent_ends_it(
    do: Do, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter(range(0, 10_000, 100))
    monkeypatch.setattr(adaptive, "time", SimpleNamespace(monotonic=lambda: next(now)))
    assert len(do(tmp_path / "run", Aim(tolerance=0.001, budget_s=450.0))) == 2


@pytest.mark.long
def test_analyze_and_plot_show_the_whole_grid(
    do: Do, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    do(run, Aim())
    assert main(["analyze", str(run)]) == 0
    said = capsys.readouterr().out
    assert "2 points simulated, which stand in 5 of 24 places" in said and "[" in said
    rows = pd.read_csv(run / "tables" / "predicted.csv")
    assert set(rows["simulated"]) == {"yes", "no"} and rows["clock_mhz"].nunique() == 6
    simulated = rows[rows["simulated"] == "yes"]
    assert (simulated["relative_low"] == simulated["relative_high"]).all()
    assert main(["analyze", str(run), "--table", "predicted_means", "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 24 * 3
    assert main(["plot", str(run), "--figure", "scaling", "--format", "svg"]) == 0
    drawn = (run / "figures" / "scaling.svg").read_text()
    assert "predicted, with 95 %" in drawn and "predicted, not simulated" in drawn


def test_a_run_that_is_not_predicted_has_none_of_these_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = write_run(tmp_path / "run", clocks=(20, 80))
    assert main(["analyze", str(run), "--table", "predicted", "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("machine,series,clock_mhz")
    assert not (run / "tables" / "predicted.csv").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--tolerance", "2%"], "--tolerance: found without --predict"),
        (["--predict", "--budget", "10m"], "--budget: found without --tolerance"),
        (["--predict", "--seeds", "0,1"], "--predict: found 2 starts (seeds); allowed: one"),
        (["--predict", "--tolerance", "2"], "found '2'; allowed: over 0% to 100%"),
        (["--predict", "--tolerance", "0%"], "found '0%'; allowed: over 0% to 100%"),
        (["--predict", "--tolerance", "1%", "--budget", "1d"], "allowed: a time such as 90s, 10m"),
    ],
)
def test_what_makes_no_sense_is_refused(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["sweep", "--engine", "fake", "--output", str(tmp_path / "run"), *words]
    try:
        status = main(given)
    except SystemExit as ended:
        status = int(str(ended.code))
    assert status == 2 and told in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_dry_run_shows_the_first_points(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sweep", "--engine", "fake", "--predict", "--dry-run", "--sweep"]
    for name, points in (("default", 2), ("memory-apart", 3), ("thousand", 3)):
        assert main([*words, name]) == 0
        assert f"{points} points to run" in capsys.readouterr().out


@pytest.mark.slow
def test_an_engine_that_counts_nothing_keeps_its_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    monkeypatch.setattr(observations, "timed", _uncounted)
    words = ["sweep", "--engine", "fake", "--cpu-mhz", "20,40,80", "--predict", "--output"]
    assert main([*words, str(run)]) == 2
    assert "allowed: a run on rvsim" in capsys.readouterr().err
    assert len(load_run(run).points) == 2
