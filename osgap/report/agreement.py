# SPDX-License-Identifier: BSD-3-Clause
"""Values that should agree: predictions made before a simulation, and two simulators' times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.suite import Beside
from osgap.base.quoting import counted
from osgap.drawing.display_names import benchmark_name, engine_name, machine_name
from osgap.predict.prediction import PREDICTED
from osgap.report.subject import Subject
from osgap.rundir.csvfile import read_table

PREDICTIONS = "predicted"
"""The folder, beside the runs, of the tables that were predicted before the runs were made."""
DEFAULT_ENGINE, BASE = "rvsim", "base"
"""The engine whose runs were predicted, and the machine from which they were."""
_NAMES = ["machine_name", "benchmark_name"]
_PREDICTED = ["predicted", "simulated", "ratio", "low", "high", "inside"]
_ROW = ["machine", "benchmark", "fs"]
_POINT = ["machine", "variant", "calls", "series", "clock_mhz", "benchmark", "fs"]


def predicted(subject: Subject) -> list[Beside]:
    """Predicted values beside simulated values; empty without the folder PREDICTIONS."""
    file = subject.path / PREDICTIONS / f"{PREDICTED.name}.csv"
    runs = [run for run in subject.analysed if run.engine == DEFAULT_ENGINE]
    if not file.is_file() or not runs:
        return []
    table = read_table(file)
    simulated = pd.concat(_values(run) for run in runs)
    rows = table[[*_ROW, "value", "low", "high"]].rename(columns={"value": "predicted"})
    rows = rows.merge(simulated[simulated["machine"] != BASE], on=_ROW)
    rows = rows.rename(columns={"value": "simulated"})
    is_inside = rows["simulated"].between(rows["low"], rows["high"])
    rows = _named(rows).assign(
        ratio=rows["simulated"] / rows["predicted"], inside=np.where(is_inside, "yes", "no")
    )
    return [_beside_predicted(rows[[*_ROW, *_NAMES, *_PREDICTED]])] if len(rows) else []


def engines(subject: Subject, fewest: int = 1) -> list[Beside]:
    """The values of two engines for the same machines; empty for less than `fewest` machines."""
    runs = [run for run in subject.analysed if run.is_simulated]
    names = sorted({run.engine for run in runs}, reverse=True)
    if len(names) != 2:
        return []
    first, second = (
        pd.concat(_values(run) for run in runs if run.engine == name) for name in names
    )
    rows = first.merge(second, on=[*_POINT, "metric"], suffixes=("_a", "_b"))
    if rows["machine"].nunique() < fewest:
        return []
    rows = rows.rename(columns={"value_a": names[0], "value_b": names[1]})
    rows = _named(rows).assign(ratio=rows[names[1]] / rows[names[0]])
    columns = ["machine", "series", "clock_mhz", "benchmark", "fs", "metric", *_NAMES]
    return [_beside_engines(rows[[*columns, *names, "ratio"]], names)]


def _beside_predicted(rows: pd.DataFrame) -> Beside:
    inside = int((rows["inside"] == "yes").sum())
    return Beside(
        "predicted_values",
        "Predicted before the simulation, and simulated",
        f"{rows['machine'].nunique()} machines drawn at random were predicted before they were "
        f"simulated. {_sizes(rows['ratio'])} {inside} of {len(rows)} values lie in their 95 % "
        "interval.",
        rows,
        colour="benchmark_name",
        names=("machine_name", "benchmark_name"),
        printed="predicted",
        simulated="simulated",
        axes=("predicted", "simulated"),
        note="Ratio: simulated / predicted.",
    )


def _beside_engines(rows: pd.DataFrame, names: Sequence[str]) -> Beside:
    first, second = map(engine_name, names)
    return Beside(
        "engines",
        f"{second} beside {first}: the same machines, one point each value",
        f"{second} and {first} simulated the same {counted(rows['machine'].nunique(), 'machine')}. "
        f"{_sizes(rows['ratio'])}",
        rows,
        colour="machine_name",
        names=("machine_name", "benchmark_name"),
        printed=names[0],
        simulated=names[1],
        axes=(first, second),
        note=f"Ratio: {second} / {first}.",
    )


def _values(run: AnalysedRun) -> pd.DataFrame:
    """The run's values, with the machine that they are of."""
    columns = ["series", "clock_mhz", "benchmark", "fs", "metric", "value"]
    rows = run.tables["relative"][columns]
    rows = rows[rows["value"] > 0]
    return rows.assign(machine=run.machine, variant=run.variant, calls=run.calls)


def _named(rows: pd.DataFrame) -> pd.DataFrame:
    pairs = rows[["benchmark", "fs"]].itertuples(index=False, name=None)
    return rows.assign(
        machine_name=[machine_name(name) for name in rows["machine"]],
        benchmark_name=[benchmark_name(name, fs) for name, fs in pairs],
    )


def _sizes(ratios: pd.Series) -> str:
    """The median, the 90th percentile and the largest of the deviations, in a sentence."""
    sizes = np.exp(np.abs(np.log(ratios))) - 1
    half, most, worst = (float(np.quantile(sizes, part)) for part in (0.5, 0.9, 1.0))
    return (
        f"Half of the {counted(len(sizes), 'value')} are within {_percent(half)}, nine in ten "
        f"within {_percent(most)}, and the worst is off by {_percent(worst)}."
    )


def _percent(part: float) -> str:
    return f"{part:.1%}".replace("%", " %") if part < 0.1 else f"{part:.0%}".replace("%", " %")
