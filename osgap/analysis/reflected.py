# SPDX-License-Identifier: BSD-3-Clause
"""Reflected system calls against direct ones, beside Linux on L4 against Linux (Hohmuth 1996)."""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from osgap.analysis.hohmuth_layout import GUESS, SHEETS
from osgap.analysis.hohmuth_runs import measured_lines
from osgap.analysis.parts import DIRECT, Place
from osgap.csvfile import ResultsError
from osgap.relative import NAN, defined

REFLECTED_COLUMNS = [
    "engine", "machine", "variant", "series", "clock_mhz", "calls", "benchmark", "unit",
    "direct", "reflected", "ratio", "seed_low", "seed", "seed_high", "differs", "beyond",
]  # fmt: skip
LIMIT = 2.0
"""A ratio that is more than this many times the seed's, or less than one by it, is flagged."""
LINUX, L4 = "Linux 2.0.0", "Linux 1.3.94"
SEED_COLUMNS = ["benchmark", "seed_low", "seed", "seed_high"]


def seed_ratios(printed: pd.DataFrame) -> pd.DataFrame:
    """Linux/L4 by Linux for each column of page 1 (columns SEED_COLUMNS).

    `seed`: mean of the three runs by mean of the three; low and high: the extremes of any run by
    any.  NaN where either side printed no number above 0 (L1's 0).
    """
    own = printed[(printed["page"] == "absolute") & ~printed["column"].isin(["mhz", GUESS])]
    numbers = own["printed"].astype(str).str.removesuffix("K")
    own = own.assign(number=pd.to_numeric(numbers, errors="coerce"))
    own = own[own["number"] > 0]
    rows = []
    for column in [name for sheet in SHEETS for name, _ in sheet.columns if name != "mhz"]:
        both = own[own["column"] == column]
        sides = [both[both["os"] == name]["number"] for name in (LINUX, L4)]
        if min(map(len, sides)) == 0:
            rows.append((column, NAN, NAN, NAN))
            continue
        linux, reflected = sides
        mean = reflected.mean() / linux.mean()
        rows.append((column, reflected.min() / linux.max(), mean, reflected.max() / linux.min()))
    return pd.DataFrame(rows, columns=SEED_COLUMNS)


def reflected_table(every: Sequence[Place], printed: pd.DataFrame) -> pd.DataFrame:
    """A row a benchmark on each reflected point whose direct one is there (REFLECTED_COLUMNS).

    `direct` and `reflected` in `unit`, `ratio` the second by the first, for rates too, as the
    seed's.  `differs`: ratio by the seed's mean ratio; `beyond` is "yes" when that is more than
    LIMIT or less than 1 / LIMIT.  Raises ResultsError when no two points can be paired.
    """
    ratios = seed_ratios(printed)
    seed = {str(row[0]): row[1:] for row in ratios.itertuples(index=False, name=None)}
    direct: dict[object, Place] = {}
    for place in every:
        if place.part.calls == DIRECT:
            direct.setdefault((place.conditions, place.part.variant), place)
    rows = []
    for place in every:
        base = direct.get((place.conditions, place.part.variant))
        if place.part.calls != DIRECT and base is not None:
            rows += list(_rows(base, place, seed))
    if not rows:
        raise ResultsError(
            "no run with reflected calls has one with direct calls on the same machine, variant, "
            "series and clock"
        )
    return pd.DataFrame(rows, columns=REFLECTED_COLUMNS)


def _rows(
    base: Place, place: Place, seed: Mapping[str, tuple[float, ...]]
) -> Iterator[tuple[object, ...]]:
    before, after = (line.values for line in measured_lines([base, place]))
    part = place.part
    where = part.engine, part.machine, part.variant, place.series, place.clock_mhz, part.calls
    for sheet in SHEETS:
        unit = {"bandwidths": "MB/s", "memory": "ns"}.get(sheet.name, "us")
        for name, _ in sheet.columns:
            if name in before and name in after:
                ratio = after[name] / before[name]
                differs = ratio / seed[name][1]
                measured = before[name], after[name], ratio
                yield *where, name, unit, *measured, *seed[name], differs, _beyond(differs)


def _beyond(differs: float) -> str:
    if not defined(differs):
        return ""
    return "yes" if not 1 / LIMIT <= differs <= LIMIT else "no"


def reflected_sheets(table: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """(title, rows) for each place: the seed's ratios, and each way to call beside them."""
    places = ["engine", "machine", "variant", "series", "clock_mhz"]
    for where, own in table.groupby(places, sort=False):
        engine, machine, variant, series, clock = where
        sheet = own.drop_duplicates("benchmark")[["benchmark", "unit", "direct"]]
        sheet = sheet.merge(own[SEED_COLUMNS].drop_duplicates("benchmark"), on="benchmark")
        for calls, group in own.groupby("calls", sort=False):
            shown = group[["benchmark", "ratio", "differs"]].copy()
            marks = group["beyond"].map({"yes": " !"}).fillna("")
            shown["differs"] = [
                f"{times:.2f}{mark}" if defined(times) else ""
                for times, mark in zip(group["differs"], marks, strict=True)
            ]
            names = {"ratio": str(calls), "differs": f"by seed {calls}"}
            sheet = sheet.merge(shown.rename(columns=names), on="benchmark", how="left")
        title = f"reflected by direct, {machine}, {variant}, {series} {clock:g} MHz, {engine}"
        told = [name for name in sheet.columns if str(name).startswith("by seed")]
        yield title, sheet.fillna(dict.fromkeys(told, ""))
