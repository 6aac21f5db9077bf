# SPDX-License-Identifier: BSD-3-Clause
"""Reflected system calls against direct ones, beside Linux on L4 against Linux (Hohmuth 1996)."""

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from osgap.analysis.analysed import PlacedPoint
from osgap.analysis.columns import BENCHMARK, CLOCK_MHZ, ENGINE, MACHINE, SERIES, flag, text
from osgap.analysis.relative import NAN, defined
from osgap.analysis.runs import DIRECT
from osgap.analysis.table import Column, Table
from osgap.rundir.csvfile import ResultsError
from osgap.suites.hohmuth.page_format import GUESS, SHEETS, unit
from osgap.suites.hohmuth.runs import measured_lines

LIMIT = 2.0
"""A ratio over LIMIT times the published one, or under 1 / LIMIT of it, is flagged."""
UNIT = text("unit", "the unit of the benchmark's values: us, ns or MB/s")
REFLECTED = Table(
    "reflected",
    "system calls reflected by direct, beside his Linux on L4 by Linux",
    (
        ENGINE,
        MACHINE,
        text("variant", "the image's variant"),
        SERIES,
        CLOCK_MHZ,
        text("calls", "the way to call: patch-first, patch-optimised"),
        BENCHMARK,
        UNIT,
        Column("direct", "the value with direct calls", "unit"),
        Column("reflected", "the value with reflected calls", "unit"),
        Column("ratio", "reflected / direct"),
        Column("seed_low", "the least published ratio of any two runs"),
        Column("seed", "the published ratio of means of three runs"),
        Column("seed_high", "the largest published ratio of any two runs"),
        Column("differs", "ratio / seed"),
        flag("beyond", f"whether differs is over {LIMIT:g} or under 1/{LIMIT:g}"),
    ),
    order=430,
)
LINUX, L4 = "Linux 2.0.0", "Linux 1.3.94"
PUBLISHED_COLUMNS = ["benchmark", "seed_low", "seed", "seed_high"]
"""In tables the publication is called seed."""


def published_ratios(printed: pd.DataFrame) -> pd.DataFrame:
    """Linux on L4 by Linux for each column of page 1 (columns PUBLISHED_COLUMNS).

    `seed` is of the means of three runs; low and high are the extremes of any run by any run. NaN
    where either side printed no number above 0.
    """
    cells = printed[(printed["page"] == "absolute") & ~printed["column"].isin(["mhz", GUESS])]
    numbers = cells["printed"].astype(str).str.removesuffix("K")
    cells = cells.assign(number=pd.to_numeric(numbers, errors="coerce"))
    cells = cells[cells["number"] > 0]
    rows = []
    for column in [name for sheet in SHEETS for name, _ in sheet.columns if name != "mhz"]:
        both = cells[cells["column"] == column]
        sides = [both[both["os"] == name]["number"] for name in (LINUX, L4)]
        if min(map(len, sides)) == 0:
            rows.append((column, NAN, NAN, NAN))
            continue
        linux, reflected = sides
        mean = reflected.mean() / linux.mean()
        rows.append((column, reflected.min() / linux.max(), mean, reflected.max() / linux.min()))
    return pd.DataFrame(rows, columns=PUBLISHED_COLUMNS)


def reflected_table(points: Sequence[PlacedPoint], printed: pd.DataFrame) -> pd.DataFrame:
    """One row for each benchmark on each reflected point with a direct counterpart (REFLECTED).

    Rates too are reflected / direct. Raises ResultsError when no two points can be paired.
    """
    ratios = published_ratios(printed).itertuples(index=False, name=None)
    published = {str(row[0]): row[1:] for row in ratios}
    direct: dict[object, PlacedPoint] = {}
    for point in points:
        if point.analysed.calls == DIRECT:
            direct.setdefault((point.conditions, point.analysed.variant), point)
    rows = []
    for point in points:
        base = direct.get((point.conditions, point.analysed.variant))
        if point.analysed.calls != DIRECT and base is not None:
            rows += list(_rows(base, point, published))
    if not rows:
        raise ResultsError(
            "no run with reflected calls has one with direct calls on the same machine, variant, "
            "series and clock"
        )
    return REFLECTED.frame(rows)


def _rows(
    base: PlacedPoint, point: PlacedPoint, published: Mapping[str, tuple[float, ...]]
) -> Iterator[tuple[object, ...]]:
    before, after = (line.values for line in measured_lines([base, point]))
    run = point.analysed
    where = run.engine, run.machine, run.variant, point.series, point.clock_mhz, run.calls
    for name in [name for sheet in SHEETS for name, _ in sheet.columns]:
        if name in before and name in after:
            ratio = after[name] / before[name]
            differs = ratio / published[name][1]
            beyond = "no" if 1 / LIMIT <= differs <= LIMIT else "yes" if defined(differs) else ""
            measured = before[name], after[name], ratio
            yield *where, name, unit(name), *measured, *published[name], differs, beyond


def reflected_sheets(table: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """(title, rows) of each point: the published ratios, then those of each way of calls."""
    by = ["engine", "machine", "variant", "series", "clock_mhz"]
    for where, rows in table.groupby(by, sort=False):
        engine, machine, variant, series, clock = where
        sheet = rows.drop_duplicates("benchmark")[["benchmark", "unit", "direct"]]
        sheet = sheet.merge(rows[PUBLISHED_COLUMNS].drop_duplicates("benchmark"), on="benchmark")
        sheet.columns = sheet.columns.str.replace("seed", "published")
        marked = []
        for calls, group in rows.groupby("calls", sort=False):
            columns = group[["benchmark", "ratio", "differs"]].copy()
            marks = group["beyond"].map({"yes": " !"}).fillna("")
            texts = group["differs"].map("{:.2f}".format) + marks
            columns["differs"] = texts.where(group["differs"].map(defined), "")
            marked.append(f"{calls} / published")
            names = {"ratio": str(calls), "differs": marked[-1]}
            sheet = sheet.merge(columns.rename(columns=names), on="benchmark", how="left")
        title = f"reflected by direct, {machine}, {variant}, {series} {clock:g} MHz, {engine}"
        yield title, sheet.fillna(dict.fromkeys(marked, ""))
