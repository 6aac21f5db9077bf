# SPDX-License-Identifier: BSD-3-Clause
"""The note of 1989: its ratings, the Sun-3 as reference, each system by its own kind."""

import io

import pandas as pd
import pytest

from osgap.analysis.reference import load_reference
from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.suites.ousterhout.agreement import agreement_table
from osgap.suites.ousterhout.baselines import judged_cells
from osgap.suites.ousterhout.cells import BENCHMARKS, cells_table
from osgap.suites.ousterhout.null import rule_speeds
from osgap.suites.ousterhout.published import source_of
from osgap.suites.ousterhout.simulated import SIMULATED
from osgap.suites.ousterhout.skill import skill_table
from osgap.suites.ousterhout.tables import means_table

REFERENCE = load_reference("ousterhout_tables")
MACHINES = ["M2000", "DS3100", "Sun4", "8800", "Sun3", "MVAX2"]


@pytest.fixture(scope="module")
def cells() -> pd.DataFrame:
    """All cells with local files, of an engine that gives R = 1 everywhere."""
    rows = [
        (machine, "fixed", benchmark, fs, "ms", 1.0, 1.0, 1.0)
        for machine in MACHINES
        for benchmark in set(BENCHMARKS.values())
        for fs in ("none", "unix", "sprite")
    ]
    made = cells_table(REFERENCE, pd.DataFrame(rows, columns=SIMULATED.names[1:]), 1989)
    return made.assign(engine="flat")


def _one(cells: pd.DataFrame, machine: str, os: str, metric: str) -> pd.Series:
    own = cells[(cells["machine"] == machine) & (cells["os"] == os) & (cells["metric"] == metric)]
    assert len(own) == 1
    return own.iloc[0]


def test_its_six_machines_are_there(cells: pd.DataFrame) -> None:
    assert set(cells["machine"]) == set(MACHINES) == set(rule_speeds(REFERENCE, 1989).index)


def test_the_sun_3_is_the_reference(cells: pd.DataFrame) -> None:
    own = cells[(cells["machine"] == "Sun3") & (cells["related"] == "yes")]
    assert own["relative_paper"].tolist() == pytest.approx([1.0] * len(own))
    assert (rule_speeds(REFERENCE, 1989).loc["Sun3"] == 1).all()


@pytest.mark.parametrize(
    ("machine", "os", "theirs", "own", "mips"),
    [
        ("M2000", "RISC/os 4.0", 108, 18, 20),
        ("DS3100", "Sprite", 92, 26, 13),
        ("DS3100", "Ultrix 3.1", 108, 25, 13),
        ("Sun4", "Sprite", 92, 32, 9),
    ],
)
def test_sprite_is_related_to_sprite_and_others_to_sunos(
    cells: pd.DataFrame, machine: str, os: str, theirs: float, own: float, mips: float
) -> None:
    expected = (theirs / own) / (mips / 1.8)
    row = _one(cells, machine, os, "getpid")
    assert row["relative_paper"] == pytest.approx(expected)
    assert row["relative_null"] == 1


@pytest.mark.slow
@pytest.mark.usefixtures("few_resamples")
def test_everything_of_1990_is_made_of_it(cells: pd.DataFrame) -> None:
    judged = judged_cells(cells, REFERENCE, 1989)
    assert "Sun3" not in set(judged["machine"]) and "MVAX2" in set(judged["machine"])
    skill = skill_table(cells, REFERENCE, 1989)
    whole = skill[(skill["rows"] == "all") & (skill["table"] == "all") & (skill["scale"] == "own")]
    assert set(whole["machines"]) == {5}
    agreement = agreement_table(cells, 1989)
    assert (agreement["machines"] <= 6).all()
    means = means_table(REFERENCE, cells, source=1989)
    assert dict(zip(means["machine"], means["mips"], strict=True))["DS3100"] == 13


def test_a_folder_says_which_paper_rates_its_machines() -> None:
    folders = [path.name for path in (project_root() / "configs" / "machines").iterdir()]
    of_1989 = {name for name in folders if source_of(f"{name}/Sun4") == 1989}
    assert of_1989 == {"paper-1989", "period-1989"}


@pytest.mark.long
@pytest.mark.usefixtures("few_resamples")
def test_with_what_1990_spent_andrew_has_its_missing_work(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The committed runs of both kinds: the MicroVAX II takes a fifth of what it printed."""
    asked = ["paper", "--year", "1989", "--period", "--table", "predicted", "--format", "csv"]
    assert main(asked) == 0
    rows = pd.read_csv(io.StringIO(capsys.readouterr().out), comment="#")
    makes = rows[(rows["benchmark"] == "andrew_make") & (rows["machine"] == "MVAX2")]
    took = dict(zip(makes["engine"], makes["value"], strict=True))
    assert took["rvsim"] < 100
    assert took["rvsim_period"] == pytest.approx(1202 / 5)
    assert set(rows["machine"]) == set(MACHINES)


def test_a_table_that_it_has_not_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", "--year", "1989", "--table", "shares"]) == 2
    assert "found 'shares'; allowed: predicted, cells, means, agreement, skill" in (
        capsys.readouterr().err
    )
