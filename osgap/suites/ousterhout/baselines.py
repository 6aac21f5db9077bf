# SPDX-License-Identifier: BSD-3-Clause
"""Baselines: models that simulate nothing, on the same cells as the engines."""

from __future__ import annotations

import numpy as np
import pandas as pd

from osgap.base.quoting import quoted
from osgap.rundir.csvfile import ResultsError
from osgap.suites.ousterhout.cells import NULL_MODELS, is_comparable
from osgap.suites.ousterhout.null import RULES, rule_speeds
from osgap.suites.ousterhout.published import REFERENCE_MACHINE

NULL, INFORMED = NULL_MODELS
CHOSEN = "null_chosen"
FLOOR = "system_unknown"
BASELINES = {
    NULL: "the null model",
    INFORMED: "the null model with the facts that the simulation was given",
    CHOSEN: "of its three rules the best for each row, chosen on the other machines",
    FLOOR: "the printed median of a machine's systems: no model without systems can be nearer",
    "follows_mips": "R = 1 everywhere",
    "unchanged": "every time stays the MicroVAX II's; its order is that of MIPS, reversed",
}
"""Models without a simulator -> their rules."""
CONSTANT = ("follows_mips", "unchanged")
"""Those of one rule for all rows."""

JUDGED_COLUMNS = ["table", "metric", "machine", "os", "related"]


def judged_cells(cells: pd.DataFrame, reference: pd.DataFrame, source: int = 1990) -> pd.DataFrame:
    """Log R of the paper and each model for each printed cell that every engine simulated.

    The columns are JUDGED_COLUMNS, `paper`, the engines and BASELINES. The reference machine, whose
    R is 1, is left out, and so are the rows that machines are fitted to, and GETHOSTID. Raises
    ResultsError for an engine with a baseline's name.
    """
    engines = list(dict.fromkeys(cells["engine"]))
    for name in engines:
        if name in {*BASELINES, "paper"}:
            raise ResultsError(
                f"engine: found {quoted(name)}; allowed: not paper, {', '.join(BASELINES)}"
            )
    is_compared = cells["machine"] != REFERENCE_MACHINE[source]
    compared = cells[is_compared & is_comparable(cells)]
    logs = compared.assign(
        log=np.log(compared["relative_simulated"]), paper=np.log(compared["relative_paper"])
    )
    index = [*JUDGED_COLUMNS, "paper", "relative_null", "relative_informed"]
    wide = logs.pivot(index=index, columns="engine", values="log")
    frame = wide.reindex(columns=engines).dropna().reset_index()
    frame = frame.dropna(subset=["paper"]).rename_axis(columns=None)
    speeds = rule_speeds(reference, source).reindex(frame["machine"]).reset_index(drop=True)
    rules = speeds.apply(np.log)
    frame = frame.reset_index(drop=True)
    frame[NULL] = np.log(frame.pop("relative_null"))
    frame[INFORMED] = np.log(frame.pop("relative_informed"))
    frame[CHOSEN] = _chosen(frame, rules)
    of_machine = frame.groupby(["metric", "machine"])["paper"]
    frame[FLOOR] = of_machine.transform("median")
    frame["follows_mips"] = rules["processor"]
    frame["unchanged"] = rules["disk"]
    return frame[[*JUDGED_COLUMNS, "paper", *engines, *BASELINES]]


def left_out_scale(cells: pd.DataFrame, model: str) -> pd.Series:
    """A model's log R, each row scaled by a median ratio over the other machines than its own."""
    errors = cells.assign(error=cells["paper"] - cells[model])
    means = errors.groupby(["metric", "machine"])["error"].mean().reset_index()
    factors = {
        (metric, machine_row.machine): row[row["machine"] != machine_row.machine]["error"].median()
        for metric, row in means.groupby("metric")
        for machine_row in row.itertuples()
    }
    keys = zip(cells["metric"], cells["machine"], strict=True)
    shift = pd.Series([factors[cell] for cell in keys], index=cells.index, dtype=float)
    return cells[model] + shift


def _chosen(frame: pd.DataFrame, rules: pd.DataFrame) -> pd.Series:
    """Log R by the rule with the least mean absolute log error over the row's other machines."""
    errors = rules.sub(frame["paper"], axis=0).abs()
    result = pd.Series(np.nan, index=frame.index)
    for _, row in frame.groupby("metric"):
        for machine, cells in row.groupby("machine"):
            rest = row.index[row["machine"] != machine]
            if len(rest):
                best = errors.loc[rest, list(RULES)].mean().idxmin()
                result[cells.index] = rules[str(best)][cells.index]
    return result
