# SPDX-License-Identifier: BSD-3-Clause
"""The slowest compiler and the slowest kernel by the fastest, for a report page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.layouts.groups import first_layouts
from osgap.analysis.relative import geometric_mean
from osgap.analysis.runs import placed_points
from osgap.analysis.suite import Beside
from osgap.base.quoting import counted
from osgap.suites.raveling.runs import (
    BASE_COMPILER,
    PROCESSOR_TESTS,
    SYSTEM_TESTS,
    study,
)
from osgap.suites.raveling.sections import BASE_SYSTEM, Combination, SectionRow, Study

_COLUMNS = ["engine", "machine", "choice", "benchmark", "fastest", "slowest", "count", "ratio"]
_COMPILER, _KERNEL = "compiler", "kernel"


def beside(runs: Sequence[AnalysedRun]) -> list[Beside]:
    """The ratios of slowest to fastest, for runs with several compilers or kernels."""
    rows = pd.DataFrame(_rows(runs), columns=_COLUMNS)
    if rows.empty:
        return []
    return [
        Beside(
            "slowest_by_fastest",
            "Slowest by fastest: compilers on the processor's tests, kernels on system calls",
            _sentence(rows),
            rows,
            colour="choice",
            names=("benchmark", "engine"),
            dots="ratio",
        )
    ]


def _rows(runs: Sequence[AnalysedRun]) -> Iterator[tuple[object, ...]]:
    kernels = first_layouts(runs)  # another layout is no other kernel
    for engine in dict.fromkeys(run.engine for run in kernels):
        points = placed_points([run for run in kernels if run.engine == engine])
        compared = study(points)
        for machine in compared.machines():
            of_machine = compared.of(machine)
            compilers = [run for run in of_machine if run.system == BASE_SYSTEM]
            systems = [run for run in of_machine if run.compiler == BASE_COMPILER]
            for choice, group, tests in (
                (_COMPILER, compilers, PROCESSOR_TESTS),
                (_KERNEL, systems, SYSTEM_TESTS),
            ):
                for row in _ratios(compared, group, tests):
                    yield engine, machine, choice, *row


def _ratios(
    compared: Study, group: Sequence[Combination], tests: Sequence[SectionRow]
) -> Iterator[tuple[object, ...]]:
    """(test, fastest, slowest, their number, ratio) of the tests with two combinations or more."""
    for test in tests:
        costs = _costs(compared, group, test)
        if len(costs) > 1:
            fastest, slowest = (end(costs, key=lambda name: costs[name]) for end in (min, max))
            yield test.label, fastest, slowest, len(costs), costs[slowest] / costs[fastest]


def _costs(compared: Study, group: Sequence[Combination], test: SectionRow) -> dict[str, float]:
    """The costs of a test, by the compiler, or the kernel where the compilers are equal."""
    kernels = len({run.system for run in group}) > 1
    costs = {
        run.system if kernels else run.compiler: compared.costs[run].get(
            (test.benchmark, test.quantity)
        )
        for run in group
    }
    return {name: cost for name, cost in costs.items() if cost}


def _sentence(rows: pd.DataFrame) -> str:
    """The geometric mean of the ratios of compilers and of kernels, on each engine."""
    compilers, kernels = (rows[rows["choice"] == name] for name in (_COMPILER, _KERNEL))
    sentences = []
    if len(compilers):
        sentences.append(
            f"The slowest of {counted(compilers['count'].max(), 'compiler')} makes a program run "
            f"{_by_engine(compilers, 1)} as long as the fastest does."
        )
    if len(kernels):
        sentences.append(
            f"The slowest of {counted(kernels['count'].max(), 'kernel')} makes a system call take "
            f"{_by_engine(kernels, 2)} as long."
        )
    count = rows["benchmark"].nunique()
    return " ".join(
        [*sentences, f"(Geometric means; {counted(count, 'test')}, one layout of each image.)"]
    )


def _by_engine(rows: pd.DataFrame, digits: int) -> str:
    means = rows.groupby("engine", sort=False)["ratio"].agg(geometric_mean)
    return " and ".join(f"{mean:.{digits}f} times ({engine})" for engine, mean in means.items())
