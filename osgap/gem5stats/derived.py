# SPDX-License-Identifier: BSD-3-Clause
"""Computes IPC, CPI, MPKI and speed-ups of trees from gem5's counters, never from its ratios."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from osgap.gem5stats.aliases import part
from osgap.gem5stats.gem5json import plain
from osgap.gem5stats.sidebyside import dump_pairs, listed
from osgap.gem5stats.tree import SelectedDump, Tree
from osgap.gem5stats.trees import Parameters, RunTree, base_values, bases, described

COUNTERS = (
    r"^sim(Seconds|Ticks|Insts)$|^finalTick$|\.numCycles$"
    r"|\.(commitStats\d+\.numInsts|committedInsts(::total)?|exec_context\.thread_0\.numInsts)$"
    r"|\.(overallMisses(::total)?|m_demand_misses|replacements)$"
)
"""The statistics from which all is computed."""
_THREAD = re.compile(r"\.commitStats\d+\.")
_INSTRUCTIONS, _MISSES, _REPLACEMENTS = "commitStats0.numInsts", "overallMisses", "replacements"
_ALL_MISSES = ("overallMisses::total", "m_demand_misses")
_RUBY_CHI = "cache.m_demand_misses"
_COUNTS = ("seconds", "ns_per_instruction", "instructions", "cycles")
GEOMEAN = "geomean"


def dump_rows(trees: Sequence[RunTree], places: Sequence[int | None]) -> pd.DataFrame:
    """Returns a row for each dump: tree, parameters, file, dump, then its counters and rates.

    `places` are those of the bases: file and dump are the base's, base_seconds its time.
    """
    rows = []
    for run, place in zip(trees, places, strict=True):
        base = Tree((), ()) if place is None else trees[place].tree
        for first, second in dump_pairs(base, run.tree):
            if second:
                file = first or second
                dump = {"file": file.file, "dump": file.dump}
                seconds = first.values.get("simSeconds") if first else None
                key = {"tree": str(run.path), **run.parameters, **dump}
                rows.append({**key, **_counters(second), "base_seconds": seconds})
    return _rates(pd.DataFrame(rows))


def _counters(dump: SelectedDump) -> dict[str, float | None]:
    """Returns time, instructions, cycles and misses of a dump, summed over cores and caches."""
    least: dict[tuple[str, str, str], tuple[int, float]] = {}
    for name, value in dump.values.items():
        if named := part(_THREAD.sub(".commitStats0.", name)):
            key, rank = named
            best, total = least.get(key, (rank, 0.0))
            if rank <= best:
                least[key] = rank, value + (total if rank == best else 0)
    totals: defaultdict[tuple[str, str], float] = defaultdict(float)
    for (role, _, leaf), (_, value) in least.items():
        totals[role, _MISSES if leaf == _RUBY_CHI else leaf] += value
    instructions: float | None = totals.get(("core", _INSTRUCTIONS))
    # gem5 goes on counting simInsts when the statistics are reset.
    if instructions is None and dump.values.get("finalTick", dump.ticks) == dump.ticks:
        instructions = dump.values.get("simInsts")
    counters = {
        "seconds": dump.values.get("simSeconds"),
        "instructions": instructions,
        "cycles": totals.get(("core", "numCycles")),
    }
    for role in sorted({role for role, leaf in totals if leaf in (_MISSES, _REPLACEMENTS)}):
        # A text leaves out misses that are 0, JSON all of them.
        counters[f"{role}_misses"] = totals.get((role, _MISSES), None if dump.is_last else 0)
    return counters


def _rates(rows: pd.DataFrame) -> pd.DataFrame:
    """Returns the rows with cpi, and NAME_mpki in place of NAME_misses."""
    misses = columns_of(rows, "_misses")
    counters = ["seconds", "instructions", "cycles", "base_seconds", *misses]
    rows[counters] = rows[counters].apply(pd.to_numeric).astype(float)
    rows["cpi"] = rows["cycles"] / rows["instructions"]
    for column in misses:
        name = f"{column.removesuffix('misses')}mpki"
        rows[name] = 1000 * rows[column] / rows["instructions"]
    return rows.drop(columns=misses).replace([math.inf, -math.inf], math.nan)


def columns_of(rows: pd.DataFrame, end: str) -> list[str]:
    """Returns the names of columns that end in `end`, sorted."""
    return sorted(name for name in map(str, rows.columns) if name.endswith(end))


@dataclass(frozen=True)
class Derived:
    """`table`: a row a dump or program, then the geometric means; `parameters` are columns of it.

    `base` names the base. `notes` has sentences about empty cells, `faults` about programs that
    are left out.
    """

    table: pd.DataFrame
    parameters: Sequence[str]
    base: str
    notes: Sequence[str]
    faults: Sequence[str] = ()


def derived(trees: Sequence[RunTree], base_words: Sequence[str] = ()) -> Derived:
    """Returns the rates and the speed-up of each dump; `base_words` are those of --base."""
    parameters = [run.parameters for run in trees]
    base = base_values(base_words, parameters)
    rows = dump_rows(trees, bases(parameters, base))
    rows["speedup"] = rows["base_seconds"] / rows["seconds"]
    result = finished(rows, list(parameters[0]), base)
    return result if base else replace(result, base=str(trees[0].path))


def other_caches(trees: Sequence[RunTree]) -> list[str]:
    """Returns a sentence about the caches whose level is not known, if there are any."""
    names = (name for run in trees for dump in run.tree.dumps for name in dump.values)
    misses = [name for name in dict.fromkeys(names) if name.endswith(_ALL_MISSES)]
    unknown = [name for name in misses if not (key := part(name)) or key[0][0] == "core"]
    return [f"no mpki of caches of no known level: {listed(unknown)}"] if unknown else []


def finished(rows: pd.DataFrame, parameters: Sequence[str], base: Parameters) -> Derived:
    """Adds ipc, and the geometric means of speedup, to rows with the rates of dump_rows.

    With values in `base`, trees that are equal in these parameters have one mean.
    """
    rows["ipc"] = (1 / rows["cpi"]).replace(math.inf, math.nan)
    keys = [name for name in ("tree", *parameters, "file", "dump") if name in rows]
    columns = [name for name in _COUNTS if name in rows]
    columns += ["ipc", "cpi", *columns_of(rows, "_mpki"), "speedup"]
    notes = _lacking(rows, columns)
    means, left_out = _means(rows, parameters, base)
    table = pd.concat([rows[[*keys, *columns]], means], ignore_index=True).astype(object)
    table = table.where(table.notna(), None)
    for name in columns:
        cells = [None if cell is None else plain(cell) for cell in table[name]]
        table[name] = pd.Series(cells, dtype=object)
    heading = described(base) or str(rows["tree"].iloc[0])
    return Derived(table, parameters, heading, notes + left_out)


def _lacking(rows: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    empty: dict[tuple[str, ...], list[str]] = {}
    for column in columns:
        trees = tuple(dict.fromkeys(rows.loc[rows[column].isna(), "tree"]))
        empty.setdefault(trees, []).append(column)
    empty.pop((), None)
    return [f"no {', '.join(names)} of {listed(trees)}" for trees, names in empty.items()]


def _means(
    rows: pd.DataFrame, parameters: Sequence[str], base: Parameters
) -> tuple[pd.DataFrame, list[str]]:
    """Returns a row for each value of the parameters in `base`, where all trees have a speedup."""
    averaged = [name for name in parameters if name not in base]
    if not base or not averaged:
        return pd.DataFrame(), []
    keys = [rows[name] for name in (*base, "file", "dump") if name in rows]
    logs = np.log(rows["speedup"].where(rows["speedup"] > 0)).groupby(keys, sort=False)
    counts, trees = logs.count().to_numpy(), logs.size().max()
    if trees == 1:
        return pd.DataFrame(), []
    means = np.exp(logs.mean()).reset_index().assign(**dict.fromkeys(averaged, GEOMEAN))
    notes = [
        f"no {GEOMEAN} of {described({name: row[name] for name in base})}: "
        f"{count} of {trees} trees have a speedup"
        for row, count in zip(means.to_dict("records"), counts, strict=True)
        if count < trees
    ]
    return means[counts == trees], notes
