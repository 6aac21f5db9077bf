# SPDX-License-Identifier: BSD-3-Clause
"""The two sides of a comparison: a run each, or the layouts of one system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from osgap.analysis.compare import Side, labels
from osgap.analysis.layouts.average import averaged
from osgap.analysis.layouts.difference import Layouts
from osgap.analysis.layouts.groups import Group, grouped, match, several
from osgap.analysis.layouts.spread import Spread
from osgap.analysis.layouts.table import spreads
from osgap.analysis.layouts.values import reference_mhz
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs, suites

Spreads = Mapping[tuple[object, ...], Spread]


def sides(path_a: Path, path_b: Path, lenders: Sequence[Path] = ()) -> list[Side]:
    """Both sides, with what is known of the layouts of their systems.

    A directory that holds several layouts of one system is compared by its means over them.  A
    single run has its system's layouts from `lenders`, else from the other side, where these are
    of the same engine and system.  Raises ResultsError for a directory that holds other runs, and
    for lenders with no two layouts of either system.
    """
    own = [_system(path) for path in (path_a, path_b)]
    lent = several(grouped(load_runs(lenders), suites())) if lenders else []
    found = [_layouts(group, [*lent, *several(own)]) for group in own]
    if lenders and not any(match(group.runs[0], lent) for group in own):
        names = ", ".join(map(str, lenders))
        raise ResultsError(f"{names}: has no two layouts of the system of either run")
    known: dict[Group, Spreads] = {group: spreads(group) for group in found if group}
    called = _labels(own, (path_a, path_b))
    return [
        Side(
            name,
            averaged(group) if group.has_several else group.runs[0].tables,
            Layouts(known[of], reference_mhz(of.samples[0].tables), group.has_several)
            if of
            else None,
        )
        for name, group, of in zip(called, own, found, strict=True)
    ]


def _system(path: Path) -> Group:
    """The one system of a directory.  Raises ResultsError for several, or several equal runs."""
    runs = load_runs([path])
    groups = grouped(runs, suites())
    if len(groups) != 1 or len(groups[0].layouts) != len(runs):
        found = "none" if not groups else f"{len(runs)} runs in {len(groups)} groups of layouts"
        raise ResultsError(
            f"{path}: found {found}; allowed: one run, or one of each layout of a system"
        )
    return groups[0]


def _layouts(own: Group, others: Sequence[Group]) -> Group | None:
    return own if own.has_several else match(own.runs[0], others)


def _labels(groups: Sequence[Group], paths: Sequence[Path]) -> tuple[str, str]:
    """As of two runs; of several layouts the directory's name."""
    a, b = (group.runs[0].run for group in groups)
    if groups[0].engine != groups[1].engine or not any(group.has_several for group in groups):
        return labels(a, b)
    first, second = (path.resolve().name for path in paths)
    return (first, second) if first != second else (f"{first} (A)", f"{second} (B)")
