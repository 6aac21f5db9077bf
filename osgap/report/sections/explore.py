# SPDX-License-Identifier: BSD-3-Clause
"""Section of the sliders that move the predicted curve."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import cast

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.constants import series_rank
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.base.quoting import counted
from osgap.drawing.display_names import machine_name, series_name
from osgap.predict.axes import NETWORK_QUANTITIES, QUANTITIES
from osgap.predict.borrowed_errors import Lender, committed_prior, lender
from osgap.report import charts
from osgap.report.blocks import Block, Chart, Output, PageSection, Rows, Select, Slider, Text
from osgap.report.explorer import explorer
from osgap.report.looks import Look, Looks, series_looks, spare_looks
from osgap.report.marks import Origin
from osgap.report.subject import Subject, clocks_of
from osgap.suites import main_sets, published_means, suites

Models = Mapping[str, Mapping[str, object]]
Lenders = Callable[[str], Lender | None]
_SLIDERS = tuple(
    Slider(quantity.key, quantity.label, quantity.unit)
    for quantity in (*QUANTITIES, *NETWORK_QUANTITIES)
)
_MEASURED = {"measured": Look("#CC79A7", "diamond")}


def cached_lenders() -> Lenders:
    """A function from an engine to the committed run that lends its errors, each read once."""
    return cache(lambda engine: lender(committed_prior(), engine))


def models(subject: Subject, lenders: Lenders) -> tuple[dict[str, Mapping[str, object]], list[str]]:
    """The parameters of the sliders by run, and an error message for each run without them."""
    models: dict[str, Mapping[str, object]] = {}
    errors: list[str] = []
    machines = project_root() / "configs" / "machines"
    origin = _origin(subject)
    for run in subject.menu:
        if not run.is_simulated or not _has_curve(run):
            continue
        try:
            model = explorer(run, suites(), machines, lenders(run.engine), subject.native, origin)
        except OsgapError as error:
            # A page does not contain the path of the checkout.
            errors.append(str(error).replace(f"{project_root()}/", ""))
        else:
            name = subject.name_of(origin[0]) if origin else subject.name_of(run)
            models[subject.name_of(run)] = {**model, "origin": name}
    return models, errors


def _has_curve(run: AnalysedRun) -> bool:
    """Returns whether the run has a mean of R, or files on a server, whose sweeps run no set."""
    has_mean = bool(run.tables["geomean"]["geomean"].notna().any())
    return has_mean or "remote_time" in run.tables


def _sliders(models: Models) -> list[Slider]:
    """The sliders of the first model, by which page.js moves all."""
    first = next(iter(models.values()))
    keys = {str(axis["key"]) for axis in cast(Rows, first["axes"])}
    return [slider for slider in _SLIDERS if slider.id in keys]


def _origin(subject: Subject) -> Origin | None:
    """The publication's reference machine, if one of several runs is of it."""
    if len(subject.analysed) < 2 or not subject.is_simulated:
        return None
    names = {means.base for means in published_means().values()}
    for run in subject.analysed:
        points = run.tables["points"]
        rated = points[points["mips"].notna()]
        if run.machine.rpartition("/")[2] in names and len(rated):
            rank = [(series_rank(str(row.series)), row.clock_mhz) for row in rated.itertuples()]
            return run, str(rated["key"].iloc[rank.index(min(rank))])
    return None


def section(subject: Subject, models: Models, errors: list[str]) -> PageSection | None:
    """The section; None without a model and an error, as for a measured machine."""
    if not models:
        if not errors:
            return None
        return PageSection("explore", "Explore", [Text(f"No prediction here: {errors[0]}.")])
    blocks: list[Block] = [
        Text(
            "Move a slider: the curve and its band follow, by the formula of osgap predict. It is "
            "this machine's caches and core at other speeds. The outlined points were simulated. "
            "The cross is where the sliders stand. Memory answers in whole cycles, so the curve "
            "has small steps. R of the reference is 1 by definition: there alone it has no band."
        )
    ]
    if len(models) > 1:
        blocks += _choice(subject, models)
    sets = {str(row["name"]) for model in models.values() for row in cast(Rows, model["sets"])}
    titles = {name: suite.title for name, suite in main_sets().items() if name in sets}
    blocks += [
        Select("explore-what", "Show R of", [(name, f"mean, {t}") for name, t in titles.items()]),
        *_sliders(models),
        Output("explore-told"),
        Chart(
            "explore-chart",
            "R that is predicted",
            "R against MIPS as the sliders stand: a curve with its band, simulated points, the "
            "sliders' machine as a cross. The sentence above says where it is.",
            charts.explored({**_looks(models), **(_MEASURED if subject.native else {})}),
        ),
    ]
    if errors:
        blocks.append(Text(f"No prediction of {counted(len(errors), 'run')}: {errors[0]}.", "note"))
    return PageSection("explore", "Explore", blocks)


def _choice(subject: Subject, models: Models) -> list[Block]:
    """The menu of runs, and a sentence on its first choice."""
    runs = {subject.name_of(run): run for run in subject.analysed}
    names = {name: _label(name, runs[name].machine) for name in models}
    first, *_, last = models
    # Machines of one clock come by their MIPS; the fastest is the farthest from the reference.
    is_of_machines = len(clocks_of(runs[first])) < 2
    chosen = last if is_of_machines else first
    reason = "the fastest" if is_of_machines else "the first with a mean at several clocks"
    return [
        Text(f"It starts with {names[chosen]}, {reason}."),
        Select("explore-run", "Machine of", list(names.items()), chosen),
    ]


def _label(name: str, machine: str) -> str:
    """The machine's name in plain words for a run that is called after it, else the run's."""
    folder, _, last = name.rpartition("/")
    if last != machine.rpartition("/")[2]:
        return name
    return f"{machine_name(machine)} ({folder})" if folder else machine_name(machine)


def _looks(models: Models) -> Looks:
    """Label of simulated points -> look, in the order of the marks."""
    marks = [mark for model in models.values() for mark in cast(Rows, model["marks"])]
    labels = list(dict.fromkeys(str(mark["label"]) for mark in marks))
    looks = {series_name(name): look for name, look in series_looks([]).items()}
    spare = spare_looks(labels)
    return {label: looks.get(label, spare[label]) for label in labels}
