# SPDX-License-Identifier: BSD-3-Clause
"""Estimates whole programs from their SimPoints.

A weight is the share of a program's instructions that a SimPoint stands for (Sherwood et al.,
ASPLOS 2002; Hamerly et al., JILP 2005), so what is averaged has instructions in its denominator.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.quoting import counted, quoted
from osgap.gem5stats.derived import Derived, columns_of, dump_rows, finished
from osgap.gem5stats.sidebyside import listed
from osgap.gem5stats.trees import Parameters, RunTree, base_values, bases, described

KEYS = ("simpoint", "interval", "position")
"""Groups of --names that say a SimPoint: its label, its interval, its place in program order."""
_ROUNDING = 0.001
_LINE = re.compile(r"(\d*\.?\d+(?:e[+-]?\d+)?)\s+(\d+)")


def estimated(
    trees: Sequence[RunTree],
    files: Sequence[Path],
    base_words: Sequence[str] = (),
    instructions: int | None = None,
) -> Derived:
    """Returns the weighted means of trees that are SimPoints of a program, or whose dumps are.

    `files` are SimPoint's weights and, optionally, its simulation points; {NAME} in a path stands
    for a parameter. `instructions` are those of the whole program. Raises OsgapError for a wrong
    file, and if no program can be estimated.
    """
    if len(files) > 2:
        raise OsgapError(f"--weights: found {len(files)} files; allowed: one or two")
    names = list(trees[0].parameters)
    key = next((name for name in KEYS if name in names), None)
    rows = dump_rows(trees, [None] * len(trees))
    rows["ns_per_instruction"] = 1e9 * rows["seconds"] / rows["instructions"]
    rates = ["ns_per_instruction", "cpi", *columns_of(rows, "_mpki")]
    programs = [name for name in names if name != key] if key else ["tree"]
    means: list[pd.Series] = []
    parameters: list[Parameters] = []
    faults: list[str] = []
    for _, group in rows.groupby(programs or (lambda _: 0), sort=False):
        values = {name: str(group[name].iloc[0]) for name in names if name != key}
        where = described(values) or str(group["tree"].iloc[0])
        try:
            points = read_points(*(_path(file, values) for file in files))
            weights = _weights(group, key, points)
        except OsgapError as error:
            faults.append(f"{where}: {error}")
            continue
        mean = group[rates].mul(weights, axis=0).sum(skipna=False)
        means.append(pd.concat([pd.Series({"tree": where, **values}), mean]))
        parameters.append(values)
    if not means:
        raise OsgapError("; ".join(faults))
    table = pd.DataFrame(means).reset_index(drop=True).astype(dict.fromkeys(rates, float))
    if instructions:
        table["seconds"] = table["ns_per_instruction"] * instructions / 1e9
    base = base_values(base_words, parameters)
    places = pd.Series(bases(parameters, base), dtype=float)
    table["speedup"] = places.map(table["ns_per_instruction"]) / table["ns_per_instruction"]
    return replace(finished(table, list(parameters[0]), base), faults=faults)


def read_points(weights: Path, simpoints: Path | None = None) -> pd.DataFrame:
    """Returns the columns simpoint, weight (sum 1), position and, if there is a file, interval."""
    points = _columns(weights, "weight")
    total = points["weight"].sum()
    if not math.isclose(total, 1, abs_tol=_ROUNDING):
        raise OsgapError(f"{weights}: found weights whose sum is {total:g}; allowed: 1")
    points["weight"] /= total
    if simpoints:
        intervals = _columns(simpoints, "interval")
        if different := set(points["simpoint"]) ^ set(intervals["simpoint"]):
            labels = listed(list(map(str, sorted(different))))
            raise OsgapError(f"{weights}, {simpoints}: found in one alone: label {labels}")
        points = points.merge(intervals.astype(int)).sort_values("interval")
    return points.assign(position=range(len(points)))


def _columns(file: Path, value: str) -> pd.DataFrame:
    """Reads the lines VALUE LABEL of a file of SimPoint 3.2. Raises OsgapError for others."""
    try:
        lines = inputs.read_text(file).strip().splitlines()
    except OSError as error:
        raise OsgapError(f"{file}: cannot be read: {error.strerror}") from None
    rows = []
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line.strip())
        if not match:
            allowed = f"allowed: {value.upper()} LABEL"
            raise OsgapError(f"{file}: line {number}: found {quoted(line)}; {allowed}")
        rows.append((float(match[1]), int(match[2])))
    table = pd.DataFrame(rows, columns=[value, "simpoint"])
    if repeated := table["simpoint"][table["simpoint"].duplicated()].tolist():
        raise OsgapError(f"{file}: label {repeated[0]}: found twice; allowed: once")
    return table


def _path(file: Path, parameters: Mapping[str, str]) -> Path:
    def value(name: re.Match[str]) -> str:
        if name[1] not in parameters:
            allowed = ", ".join(f"{{{key}}}" for key in parameters) or "no name"
            raise OsgapError(f"--weights: found {name[0]}; allowed: {allowed}")
        return parameters[name[1]]

    return Path(re.sub(r"\{(\w*)\}", value, str(file)))


def _weights(rows: pd.DataFrame, key: str | None, points: pd.DataFrame) -> pd.Series:
    """Returns the weight of each row. Raises OsgapError unless each SimPoint has one row."""
    if key is None:
        if len(rows) != len(points):
            dumps = counted(len(rows), "dump")
            raise OsgapError(f"found {dumps}; allowed: {len(points)}, as weights")
        return pd.Series(points["weight"].to_numpy(), rows.index)
    if key not in points:
        raise OsgapError(f"--names: found a group {key}; allowed: with a file of simulation points")
    if wrong := [text for text in rows[key] if not text.isdecimal()]:
        raise OsgapError(f"--names: {key}: found {quoted(wrong[0])}; allowed: a whole number")
    numbers = rows[key].astype(int)
    if extra := sorted(set(numbers) - set(points[key])):
        raise OsgapError(f"{key}: found {listed(list(map(str, extra)))}, which has no weight")
    if missing := sorted(set(points[key]) - set(numbers)):
        raise OsgapError(f"no tree of {key} {listed(list(map(str, missing)))}")
    if repeated := numbers[numbers.duplicated()].tolist():
        raise OsgapError(f"{key} {repeated[0]}: found several dumps; allowed: one (--dump)")
    return numbers.map(points.set_index(key)["weight"])
