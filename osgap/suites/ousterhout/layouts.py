# SPDX-License-Identifier: BSD-3-Clause
"""Intervals of R of the paper's machines over layouts of the image.

A few machines and the reference are run in several layouts. A machine without layouts gets the mean
of those machines' variances. All variances are of logarithms.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.constants import SERIES
from osgap.analysis.layouts.groups import image_of
from osgap.analysis.layouts.spread import Variance, margin, spread
from osgap.analysis.relative import NAN
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.ousterhout.cells import BENCHMARKS
from osgap.suites.ousterhout.explain import PARTS, simulated_parts
from osgap.suites.ousterhout.simulated import REFERENCE, simulated_values_of

Row = tuple[str, str]
"""A benchmark and its file system."""
_BENCHMARK = ["benchmark", "fs"]
_FEWEST = 2


@dataclass(frozen=True, eq=False)
class PaperLayouts:
    """R, and the parts of its logarithm, of each machine that was run in several layouts.

    A frame's index is benchmark, file system and layout; its columns are `log` (of R with memory
    and disk fixed), "memory", "disk" and "rest" (osgap.suites.ousterhout.explain).
    """

    by_machine: dict[str, pd.DataFrame]

    def margin(self, machine: str, rows: Collection[Row], column: str = "log") -> float:
        """Half the 95 % interval of the mean of `column` over `rows`; NaN without two layouts of
        all.
        """
        if machine == REFERENCE:
            return NAN
        lenders = [machine] if machine in self.by_machine else list(self.by_machine)
        variances = [
            variance for name in lenders if (variance := self._variance(name, rows, column))
        ]
        if not variances:
            return NAN
        value = float(np.mean([variance.value for variance in variances]))
        return margin(Variance(value, max(variance.df for variance in variances)))

    def _variance(self, machine: str, rows: Collection[Row], column: str) -> Variance | None:
        wide = self.by_machine[machine][column].unstack("layout")
        if not all(row in wide.index for row in rows):
            return None
        means = wide.loc[list(rows)].mean(axis=0, skipna=False).dropna()
        if len(means) < _FEWEST:
            return None
        return spread([np.array([value]) for value in means]).of_one


NO_LAYOUTS = PaperLayouts({})


def paper_layouts(directory: Path) -> PaperLayouts:
    """The layouts among the runs below `directory`, each of one machine and one layout.

    Each needs the reference's run. Raises ResultsError where no other machine has two layouts.
    """
    by_layout: dict[int, list[AnalysedRun]] = {}
    for run in load_runs([directory]):
        by_layout.setdefault(image_of(run).layout, []).append(run)
    frames = [_logs(runs).assign(layout=layout) for layout, runs in by_layout.items()]
    rows = pd.concat(frames, ignore_index=True)
    by_machine = {
        str(name): group.set_index([*_BENCHMARK, "layout"])[["log", *PARTS[:3]]]
        for name, group in rows.groupby("machine")
        if group["layout"].nunique() >= _FEWEST
    }
    if not by_machine:
        raise ResultsError(f"{directory}: has no two layouts of a machine beside {REFERENCE}")
    return PaperLayouts(by_machine)


def _logs(runs: Sequence[AnalysedRun]) -> pd.DataFrame:
    simulated = simulated_values_of(runs)
    fixed = simulated[(simulated["series"] == SERIES[0]) & (simulated["machine"] != REFERENCE)]
    keys = ["machine", *_BENCHMARK]
    logs = fixed.assign(log=np.log(fixed["relative"]))[[*keys, "log"]]
    joined: pd.DataFrame = logs.merge(simulated_parts(simulated), on=keys, how="left")
    return joined


def in_other_layouts(cells: pd.DataFrame, vary: Mapping[str, PaperLayouts]) -> list[pd.DataFrame]:
    """The cells with the R that each engine's machines have in each other layout.

    An engine that has not all its machines in other layouts keeps its R.
    """
    machines = set(cells["machine"]) - {REFERENCE}
    logs = {
        engine: pd.concat(layouts.by_machine, names=["machine"])["log"].unstack("layout")
        for engine, layouts in vary.items()
        if machines <= layouts.by_machine.keys()
    }
    numbers = sorted({int(number) for wide in logs.values() for number in wide.columns})
    return [_in_layout(cells, logs, number) for number in numbers]


def _in_layout(cells: pd.DataFrame, logs: Mapping[str, pd.DataFrame], number: int) -> pd.DataFrame:
    """The cells in layout `number`; where a machine was not run in it they keep their R."""
    keys = zip(cells["engine"], cells["machine"], benchmark_rows(cells), strict=True)
    other = [
        wide[number].get((machine, *row), NAN)
        if (wide := logs.get(engine)) is not None and number in wide
        else NAN
        for engine, machine, row in keys
    ]
    speeds = pd.Series(np.exp(other), index=cells.index)
    return cells.assign(relative_simulated=speeds.fillna(cells["relative_simulated"]))


def benchmark_rows(cells: pd.DataFrame) -> list[Row]:
    """Returns the benchmark and file system that stand for each cell."""
    pairs = cells[["metric", "fs"]].itertuples(index=False, name=None)
    return [(BENCHMARKS[str(metric)], str(fs)) for metric, fs in pairs]


def with_cell_intervals(cells: pd.DataFrame, vary: PaperLayouts) -> pd.DataFrame:
    """The cells with the ends of the simulated R's interval, `relative_low` and `relative_high`."""
    rows = zip(cells["machine"], benchmark_rows(cells), strict=True)
    half = np.exp([vary.margin(str(machine), [row]) for machine, row in rows])
    speeds = cells["relative_simulated"]
    position = list(cells.columns).index("relative_simulated") + 1
    names = [*cells.columns[:position], "relative_low", "relative_high", *cells.columns[position:]]
    return cells.assign(relative_low=speeds / half, relative_high=speeds * half)[names]


def with_share_margins(
    shares: pd.DataFrame, explained: pd.DataFrame, vary: PaperLayouts
) -> pd.DataFrame:
    """Adds `PART_share_layouts` to the shares: the largest change of a share by another layout.

    A layout is taken to change all machines alike; the unexplained part changes as log R does.
    """
    wider = shares.copy()
    printed = explained.dropna(subset=["paper"])[_BENCHMARK].drop_duplicates()
    every = list(printed.itertuples(index=False, name=None))
    for part in PARTS:
        column = "log" if part == PARTS[-1] else part
        columns = [*_BENCHMARK, "paper", f"{part}_share"]
        wider[f"{part}_share_layouts"] = [
            abs(vary.margin("", every if name == "all" else [(name, fs)], column) / paper)
            if share == share
            else NAN
            for name, fs, paper, share in shares[columns].itertuples(index=False, name=None)
        ]
    return wider
