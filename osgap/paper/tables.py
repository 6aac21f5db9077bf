# SPDX-License-Identifier: BSD-3-Clause
"""Everything that scripts/paper.py computes, for each engine's directory of runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from osgap.paper.agreement import agreement_table
from osgap.paper.cells import cells_table
from osgap.paper.explain import explained_table, shares_table
from osgap.paper.predict import predicted
from osgap.reference import Paper, load_reference

MEAN_COLUMNS = ["machine", "mips", "cells", "paper", "simulated"]


def paper_tables(directories: Mapping[str, Path]) -> dict[str, pd.DataFrame]:
    """The tables "predicted", "cells", "means", "agreement", "explained" and "shares".

    Each has an `engine` column first; `directories` are by engine.  Raises ResultsError.
    """
    reference = load_reference("ousterhout_tables")
    parts: dict[str, list[pd.DataFrame]] = {}
    for engine, directory in directories.items():
        for name, table in _one(reference, directory).items():
            table.insert(0, "engine", engine)
            parts.setdefault(name, []).append(table)
    return {name: pd.concat(tables, ignore_index=True) for name, tables in parts.items()}


def _one(reference: pd.DataFrame, directory: Path) -> dict[str, pd.DataFrame]:
    simulated = predicted(directory)
    cells = cells_table(reference, simulated)
    explained = explained_table(cells, simulated)
    return {
        "predicted": simulated,
        "cells": cells,
        "means": means_table(reference, cells),
        "agreement": agreement_table(cells),
        "explained": explained,
        "shares": shares_table(explained),
    }


def means_table(reference: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """Figure 1: geometric means of R over each machine's cells (columns MEAN_COLUMNS).

    Over the printed cells that have a simulated one, bcopy among them, one value a system.
    """
    paper = Paper(reference, 1990)
    known = cells.dropna(subset=["relative_paper", "relative_simulated"])
    rows = [
        (
            name,
            paper.mips(str(name)),
            len(group),
            float(np.exp(np.log(group["relative_paper"]).mean())),
            float(np.exp(np.log(group["relative_simulated"]).mean())),
        )
        for name, group in known.groupby("machine", sort=False)
    ]
    return pd.DataFrame(rows, columns=MEAN_COLUMNS).sort_values("mips", ignore_index=True)
