# SPDX-License-Identifier: BSD-3-Clause
"""Sliders that move the predicted curve."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import cast

from osgap.analysis.analysed import AnalysedRun
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.drawing import style
from osgap.machines.axes import QUANTITIES
from osgap.predict.borrowed_errors import committed_prior
from osgap.predict.told import lender
from osgap.report import charts
from osgap.report.blocks import Block, Chart, Output, Rows, Section, Select, Slider, Text
from osgap.report.explorer import explorer
from osgap.report.subject import Subject
from osgap.suites import main_sets, suites

Models = Mapping[str, Mapping[str, object]]
Lenders = Callable[[str], AnalysedRun | None]
_SLIDERS = tuple(Slider(quantity.key, quantity.label, quantity.unit) for quantity in QUANTITIES)
_BESIDE = {"measured": "#CC79A7"}


def lenders() -> Lenders:
    """The committed run of an engine whose errors are lent, read once."""
    return cache(lambda engine: lender(committed_prior(), engine))


def models(subject: Subject, lent: Lenders) -> tuple[dict[str, Mapping[str, object]], list[str]]:
    """What the sliders compute with, by run; and why others have none."""
    made: dict[str, Mapping[str, object]] = {}
    why: list[str] = []
    machines = project_root() / "configs" / "machines"
    for run in subject.analysed:
        # Of what has no mean of R there is nothing to explore.
        if not run.is_simulated or run.tables["geomean"]["geomean"].isna().all():
            continue
        try:
            own = explorer(run, suites(), machines, lent(run.engine), subject.native)
        except OsgapError as error:
            # As shown_path: a page does not say where it was made.
            why.append(str(error).replace(f"{project_root()}/", ""))
        else:
            made[subject.name_of(run)] = own
    return made, why


def section(subject: Subject, made: Models, why: list[str]) -> Section | None:
    """None of a measured machine, and of runs with no point."""
    if not made:
        said = [Text(f"No prediction here: {line}.") for line in dict.fromkeys(why)]
        return Section("explore", "Explore", said[:1]) if said else None
    blocks: list[Block] = [
        Text(
            "Move a slider: the curve and its band follow, by the formula of osgap predict. It is "
            "this machine's caches and core at other speeds. Circles are simulated points. The "
            "cross is where the sliders stand. The address of the page keeps them."
        )
    ]
    if len(made) > 1:
        blocks.append(Select("explore-run", "Machine of", [(name, name) for name in made]))
    titles = {name: suite.title for name, suite in main_sets().items()}
    blocks += [
        Select("explore-what", "Show R of", [(name, f"mean, {t}") for name, t in titles.items()]),
        *_SLIDERS,
        Output("explore-told"),
        Chart(
            "explore-chart",
            "R that is predicted",
            "R against MIPS as the sliders stand: a curve with its band, simulated points as "
            "circles, the sliders' machine as a cross. The sentence above says where it is.",
            charts.explored({**_colours(made), **(_BESIDE if subject.native else {})}),
        ),
    ]
    if why:
        blocks.append(Text(f"{len(why)} runs have no prediction: {why[0]}.", "note"))
    return Section("explore", "Explore", blocks)


def _colours(made: Models) -> dict[str, str]:
    """The labels of simulated points -> colours, in the order in which they are first met."""
    marks = [mark for model in made.values() for mark in cast(Rows, model["marks"])]
    known = {str(value["label"]): str(value["color"]) for value in style.series_style([]).values()}
    labels = list(dict.fromkeys(str(mark["label"]) for mark in marks))
    return {
        label: known.get(label, style.COLOURS[at % len(style.COLOURS)])
        for at, label in enumerate(labels)
    }
