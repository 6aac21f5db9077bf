# SPDX-License-Identifier: BSD-3-Clause
"""Computes the tables of `osgap paper` from each engine's directory of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.columns import ENGINE, MACHINE, count, ends
from osgap.analysis.reference import load_reference
from osgap.analysis.table import Column, Table, by_name
from osgap.base.quoting import quoted
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.ousterhout.agreement import AGREEMENT, agreement_table
from osgap.suites.ousterhout.cells import (
    CELLS,
    NULL_MODELS,
    as_simulated,
    averaged_cells,
    cells_table,
)
from osgap.suites.ousterhout.explain import EXPLAINED, SHARES, explained_table, shares_table
from osgap.suites.ousterhout.layouts import (
    NO_LAYOUTS,
    PaperLayouts,
    benchmark_rows,
    in_other_layouts,
    paper_layouts,
    with_cell_intervals,
    with_share_margins,
)
from osgap.suites.ousterhout.published import Paper
from osgap.suites.ousterhout.simulated import SIMULATED, simulated_values_of
from osgap.suites.ousterhout.skill import SKILL, skill_table

MEANS = Table(
    "means",
    "Figure 1: geometric means of R over each machine's cells, without the fitted row",
    (
        ENGINE,
        MACHINE,
        Column("mips", "the machine's rating in Table 1", "MIPS"),
        count("cells", "cells in the mean"),
        Column("paper", "the mean of the paper's R"),
        Column("simulated", "the mean of the simulated R"),
        *ends("simulated_", "its 95 % interval over layouts"),
        Column("null", "the mean of the null model's R"),
        Column("informed", "the mean of the informed null model's R"),
    ),
)
SIDES = ("paper", "simulated", *NULL_MODELS.values())
"""The columns of MEANS with a mean of R."""
DECLARED = by_name((SIMULATED, CELLS, MEANS, AGREEMENT, EXPLAINED, SHARES, SKILL))
TABLES = {name: table.text for name, table in DECLARED.items()}
"""The tables of `paper_tables`: name -> description."""
OF_1989 = ("predicted", "cells", "means", "agreement", "skill")
"""The tables of the note of 1989, whose machines have no series of scaled memory and disk."""


def paper_tables(
    directories: Mapping[str, Path],
    layouts: Mapping[str, Path] | None = None,
    source: int = 1990,
) -> dict[str, pd.DataFrame]:
    """The tables of TABLES, or of OF_1989; `directories` maps engines to runs.

    With `layouts` of an engine, "cells", "means" and "shares" have intervals. Raises ResultsError.
    """
    for engine in layouts or {}:
        if engine not in directories:
            raise ResultsError(
                f"layouts: found engine {quoted(engine)}; allowed: {', '.join(directories)}"
            )
    runs = {engine: load_runs([directory]) for engine, directory in directories.items()}
    vary = {engine: paper_layouts(directory) for engine, directory in (layouts or {}).items()}
    tables = paper_tables_of(runs, vary, source)
    reference, cells = load_reference("ousterhout_tables"), tables["cells"]
    skill = skill_table(cells, reference, source, in_other_layouts(cells, vary))
    return {**tables, "skill": skill}


def paper_tables_of(
    runs: Mapping[str, Sequence[AnalysedRun]],
    layouts: Mapping[str, PaperLayouts] | None = None,
    source: int = 1990,
) -> dict[str, pd.DataFrame]:
    """The tables of `paper_tables` but for "skill", whose many resamplings take long."""
    reference = load_reference("ousterhout_tables")
    parts: dict[str, list[pd.DataFrame]] = {}
    for engine, machines in runs.items():
        vary = (layouts or {}).get(engine, NO_LAYOUTS)
        for name, table in _engine_tables(reference, machines, vary, source).items():
            table.insert(0, "engine", engine)
            parts.setdefault(name, []).append(table)
    for model, column in NULL_MODELS.items():
        # Their Andrew is the printed one, of the whole tree.
        agreement = agreement_table(as_simulated(parts["cells"][0], column), source, tree=1)
        parts["agreement"].append(agreement.assign(engine=model))
    return {name: pd.concat(frames, ignore_index=True) for name, frames in parts.items()}


def _engine_tables(
    reference: pd.DataFrame, runs: Sequence[AnalysedRun], vary: PaperLayouts, source: int
) -> dict[str, pd.DataFrame]:
    simulated = simulated_values_of(runs, source)
    cells = with_cell_intervals(cells_table(reference, simulated, source), vary)
    tables = {
        SIMULATED.name: simulated,
        "cells": cells,
        "means": means_table(reference, cells, vary, source),
        "agreement": agreement_table(cells, source),
    }
    explained = pd.DataFrame() if source == 1989 else explained_table(cells, simulated)
    # Of machines without series of scaled memory and disk there are no parts.
    if explained.empty:
        return tables
    return {
        **tables,
        "explained": explained,
        "shares": with_share_margins(shares_table(explained), explained, vary),
    }


def means_table(
    reference: pd.DataFrame,
    cells: pd.DataFrame,
    vary: PaperLayouts = NO_LAYOUTS,
    source: int = 1990,
) -> pd.DataFrame:
    """Figure 1 (MEANS): of the cells that are printed and simulated, and not fitted."""
    paper = Paper(reference, source)
    rows = []
    for machine, group in averaged_cells(cells).groupby("machine", sort=False):
        logs = {n: float(np.log(group[f"relative_{n}"]).mean()) for n in SIDES}
        half = vary.margin(str(machine), benchmark_rows(group))
        simulated = (logs["simulated"] + off for off in (0.0, -half, half))
        values = np.exp([logs["paper"], *simulated, logs["null"], logs["informed"]])
        rows.append((machine, paper.mips(str(machine)), len(group), *map(float, values)))
    return pd.DataFrame(rows, columns=MEANS.names[1:]).sort_values("mips", ignore_index=True)
