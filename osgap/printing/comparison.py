# SPDX-License-Identifier: BSD-3-Clause
"""Reads the two sides of a comparison: a run each, or the layouts of one system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from osgap.analysis.compare import Side, labels
from osgap.analysis.layouts.average import mean_tables
from osgap.analysis.layouts.difference import LayoutSpreads
from osgap.analysis.layouts.groups import LayoutGroup, layout_groups, match, several
from osgap.analysis.layouts.spread import Spread
from osgap.analysis.layouts.table import spreads
from osgap.analysis.layouts.values import reference_mhz
from osgap.analysis.runs import RunCache
from osgap.base.quoting import counted
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs, suites

Spreads = Mapping[tuple[object, ...], Spread]


def sides(
    path_a: Path, path_b: Path, lenders: Sequence[Path] = (), cache: RunCache | None = None
) -> list[Side]:
    """Both sides, with the spread over layouts of their systems, if there are any.

    Several layouts of one system are compared by their means. A single run takes the layouts of its
    engine and system from `lenders`, else from the other side. Raises ResultsError.
    """
    groups = [_system(path, cache) for path in (path_a, path_b)]
    if lenders and all(group.has_several for group in groups):
        raise ResultsError(
            f"--layouts: found beside {path_a} and {path_b}, which hold several layouts themselves"
        )
    borrowed = several(layout_groups(load_runs(lenders), suites())) if lenders else []
    layouts = [_layouts(group, [*borrowed, *several(groups)]) for group in groups]
    if lenders and not any(match(group.runs[0], borrowed) for group in groups):
        names = ", ".join(map(str, lenders))
        raise ResultsError(f"{names}: has no two layouts of the system of either run")
    by_group: dict[LayoutGroup, Spreads] = {group: spreads(group) for group in layouts if group}
    titles = _labels(groups, (path_a, path_b))
    return [
        Side(
            name,
            mean_tables(group) if group.has_several else group.runs[0].tables,
            LayoutSpreads(
                by_group[source], reference_mhz(source.samples[0].tables), group.has_several
            )
            if source
            else None,
        )
        for name, group, source in zip(titles, groups, layouts, strict=True)
    ]


def _system(path: Path, cache: RunCache | None) -> LayoutGroup:
    """The group of a directory's only system.  Raises ResultsError for several, or equal runs."""
    runs = load_runs([path], cache)
    groups = layout_groups(runs, suites())
    if len(groups) != 1 or len(groups[0].layouts) != len(runs):
        contents = (
            "none"
            if not groups
            else f"{counted(len(runs), 'run')} in {counted(len(groups), 'group')} of layouts"
        )
        raise ResultsError(
            f"{path}: found {contents}; allowed: one run, or one of each layout of a system"
        )
    return groups[0]


def _layouts(group: LayoutGroup, lenders: Sequence[LayoutGroup]) -> LayoutGroup | None:
    return group if group.has_several else match(group.runs[0], lenders)


def _labels(groups: Sequence[LayoutGroup], paths: Sequence[Path]) -> tuple[str, str]:
    """Labels as of two runs; with several layouts the directories' names."""
    a, b = (group.runs[0].run for group in groups)
    if groups[0].engine != groups[1].engine or not any(group.has_several for group in groups):
        return labels(a, b)
    first, second = (path.resolve().name for path in paths)
    return (first, second) if first != second else (f"{first} (A)", f"{second} (B)")
