# SPDX-License-Identifier: BSD-3-Clause
"""The papers' derived numbers, recomputed from the times that they print."""

import math
from pathlib import Path

import pandas as pd
import pytest

from osgap.analysis.reference import load_reference
from osgap.analysis.relative import geometric_mean, relative_speed
from osgap.rundir.csvfile import ResultsError
from osgap.suites.ousterhout.published import LOCAL, MEASURED, REFERENCE_MACHINE, SPRITE, Paper

CHECK = load_reference("mips_relative_check")
TABLES = load_reference("ousterhout_tables")
FIGURE1 = load_reference("figure1_geomeans").set_index("machine")


def recompute(paper: Paper, table: int, machine: str, os: str, variant: str, metric: str) -> float:
    """A derived cell of Tables 2-10 from the printed times and rates.

    MIPS-relative speeds (ratio), MB/s per MIPS (Table 5), the Andrew total (s) and the penalty of
    remote files (per cent).  NaN when a value that it needs is not printed.
    """
    if metric == "andrew_total":
        parts = ("andrew_copy", "andrew_compile")
        return sum(paper._value(part, machine, os, {variant}) for part in parts)
    if metric == "remote_penalty":
        local, remote = (andrew(paper, machine, os, where) for where in (True, False))
        return 100 * (remote - local) / local
    if table == 5:
        return paper._value(MEASURED[5], machine, os) / paper.mips(machine)
    return relative(paper, table, machine, os, variant, metric)


def relative(paper: Paper, table: int, machine: str, os: str, variant: str, metric: str) -> float:
    """MIPS-relative speed against the paper's reference machine, local against local."""
    if table != 8:
        return paper.relative_measured(MEASURED[table], machine, os, variant)
    reference, local = REFERENCE_MACHINE[paper.source], metric == "mips_relative_local"
    values = (andrew(paper, name, os, local) for name in (machine, reference))
    return relative_speed(*values, paper.mips(machine), paper.mips(reference))


def andrew(paper: Paper, machine: str, os: str, local: bool) -> float:
    """The total of Table 8 with local or remote files."""
    total = MEASURED[8]
    variants = {"local"} if local else paper._remote(total)
    return paper._value(total, machine, paper._os(machine, os, total), variants)


def figure1(tables: pd.DataFrame, *, bcopy: bool = False) -> dict[str, float]:
    """Figure 1 of 1990 from the printed times: machine -> geometric mean of R.

    `bcopy` adds the uncached rates of Table 5: the text does not say whether Figure 1 has them.
    """
    paper = Paper(tables, 1990)
    metrics = ["mips_relative", "mips_relative_local", "mips_relative_remote"]
    metrics += ["bcopy_uncached_per_mips"] if bcopy else []
    cells = tables[(tables["source"] == 1990) & tables["metric"].isin(metrics)]
    cells = cells[cells["value"] != "--"]
    names = ["table", "machine", "os", "variant", "metric"]
    speeds = [relative(paper, *row) for row in cells[names].itertuples(index=False, name=None)]
    means = cells.assign(speed=speeds).groupby("machine", sort=False)["speed"].agg(geometric_mean)
    return dict(means)


def test_the_reference_is_whole() -> None:
    assert (len(CHECK), len(TABLES), len(FIGURE1)) == (266, 780, 10)


@pytest.mark.parametrize("source", [1989, 1990])
def test_every_derived_cell(source: int) -> None:
    paper = Paper(TABLES, source)
    own = CHECK[CHECK["source"] == source]
    wrong = []
    for row in own.to_dict("records"):
        cell = row["table"], row["machine"], row["os"], row["variant"], row["metric"]
        value = recompute(paper, *cell)
        # The file holds four decimals.
        if not abs(value - row["recomputed"]) <= 0.5001e-4:
            wrong.append((cell, value, row["recomputed"]))
    assert wrong == []


def test_mismatches_are_the_papers_and_stay_visible() -> None:
    paper = Paper(TABLES, 1990)
    value = recompute(paper, 10, "M2000", "RISC/os 4.0", "local", "mips_relative")
    assert value == pytest.approx(0.1364, abs=5e-5)
    printed = CHECK[(CHECK["flag"] == "MISMATCH") & (CHECK["machine"] == "M2000")]["printed"]
    assert printed.tolist() == [0.12]


@pytest.mark.parametrize(
    ("column", "bcopy"),
    [("gm_recomputed", False), ("gm_recomputed_plus_bcopy_uncached", True)],
)
def test_figure_1(column: str, bcopy: bool) -> None:
    means = figure1(TABLES, bcopy=bcopy)
    assert {name: round(mean, 3) for name, mean in means.items()} == FIGURE1[column].to_dict()


def test_the_means_beside_a_run_are_over_the_same_rows() -> None:
    """Local files on systems that wait for the disk, without the HP835's gethostid."""
    paper = Paper(TABLES, 1990)
    metrics = set(MEASURED.values()) - {MEASURED[5]}
    rows = TABLES[(TABLES["source"] == 1990) & TABLES["metric"].isin(metrics)]
    rows = rows[rows["variant"].isin(LOCAL) & (rows["os"] != SPRITE) & (rows["value"] != "--")]
    rows = rows[~((rows["machine"] == "HP835") & (rows["metric"] == "getpid"))]
    names = rows[["metric", "machine", "os", "variant"]]
    speeds = [paper.relative_measured(*row) for row in names.itertuples(index=False, name=None)]
    means = rows.assign(speed=speeds).groupby("machine")["speed"].agg(geometric_mean)
    assert means.round(3).to_dict() == FIGURE1["gm_local_unix"].to_dict()


def test_a_value_that_is_not_printed_is_undefined() -> None:
    paper = Paper(TABLES, 1990)
    assert math.isnan(recompute(paper, 6, "PDP-11", "Unix", "-", "mips_relative"))
    penalty = recompute(paper, 8, "M2000", "RISC/os 4.0", "local", "remote_penalty")
    assert math.isnan(penalty)


def test_a_changed_time_changes_the_result() -> None:
    changed = TABLES.copy()
    row = (changed["source"] == 1990) & (changed["metric"] == "getpid")
    changed.loc[row & (changed["machine"] == "DS5000"), "value"] = "22"
    before = figure1(TABLES)["DS5000"]
    assert figure1(changed)["DS5000"] == pytest.approx(before / 2 ** (1 / 10))


def test_missing_reference_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match=r"figure1_geomeans\.csv: cannot be read"):
        load_reference("figure1_geomeans", tmp_path)


def test_disks_are_there() -> None:
    disks = load_reference("disks_1990")
    assert isinstance(disks, pd.DataFrame)
    assert disks.set_index("drive").loc["RZ55", "rpm"] == 3600
