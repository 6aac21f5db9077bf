# SPDX-License-Identifier: BSD-3-Clause
"""The explorer: a page of its own, on which a machine's speeds move all benchmarks at once."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from osgap.analysis.analysed import AnalysedRun
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.drawing import display_names
from osgap.machines.axes import CLOCK, DISK_SPEED, FIGURES, Quantity
from osgap.predict.axes import NETWORK_QUANTITIES, QUANTITIES
from osgap.report.document import asset, script_json, template
from osgap.report.explorer import explorer
from osgap.report.marks import base_values
from osgap.report.sections import explore
from osgap.report.subject import Subject
from osgap.rundir.csvfile import ResultsError
from osgap.suites import main_sets, suites

EXPLORER = "explore.html"
"""Name of the explorer's file in a site."""
Json = dict[str, Any]
_SCRIPTS = (
    "formula.js",
    *(
        f"explore-{part}.js"
        for part in (
            "model",
            "words",
            "state",
            "svg",
            "curve",
            "bars",
            "sliders",
            "native",
            "games",
            "slide",
        )
    ),
    "explore.js",
)
"""In the order in which they are loaded."""
_MACHINES = ("paper/MVAX2", "paper/DS3100", "paper/SS1")
"""Machine files that are offered as buttons."""
_FASTER_CLOCK = "clock x"
_BASE, _WORKSTATION = "base", "1990 workstation"
_DIGITS = 6
_SIGN = {"rate": 1, "time": -1, "ratio": 1}
"""Exponent by which a faster part's quantity follows its factor."""


@dataclass(frozen=True, eq=False)
class Explorer:
    """The content of the explorer: its title, quantities, presets and the data of its scripts.

    `axes` and `presets` are also in `data`.
    """

    title: str
    run: str
    engine: str
    reference: str
    axes: Sequence[Json]
    presets: Sequence[Json]
    data: Json

    @property
    def parts(self) -> Sequence[str]:
        """The parts of the machine whose gain is shown."""
        has_network = any(axis["key"].startswith("network") for axis in self.axes)
        return ("clock", "memory", "disk", "network")[: 4 if has_network else 3]


def build_explorer(subject: Subject, lenders: explore.Lenders | None = None) -> Explorer:
    """Builds the explorer of the subject's first run that can be predicted.

    Raises ResultsError if there is no run with a model and a mean of R.
    """
    lend = lenders or explore.cached_lenders()
    machines = project_root() / "configs" / "machines"
    reason = "none of its runs has a mean of R and a prediction"
    for run in subject.analysed:
        if not run.is_simulated:
            continue
        try:
            model = explorer(run, suites(), machines, lend(run.engine), subject.native)
        except OsgapError as error:
            reason = str(error)
            continue
        rows = _rows(model)
        if rows:
            return _explorer(subject.name_of(run), run, model, rows)
    raise ResultsError(f"{subject.path}: cannot be explored: {reason}")


def _explorer(name: str, run: AnalysedRun, model: Mapping[str, Any], rows: list[Json]) -> Explorer:
    presets = list(_presets(run, model))
    axes = [_axis(quantity, run, model, presets) for quantity in _quantities(model["ranges"])]
    set_name = _main_set(model)["name"]
    shown_keys = {set_name, *(row["key"] for row in rows)}
    data = {
        "run": name,
        "set": set_name,
        "reference": _reference_name(run, model),
        "rows": rows,
        "axes": axes,
        "presets": presets,
        "start": _start(presets, model),
        "base": base_values(run, model["reference"]["key"]),
        "model": _trimmed(model, shown_keys),
        "measured": _shortened(model["native"], shown_keys),
    }
    return Explorer(
        "osgap: What makes an operating system faster?",
        name,
        display_names.engine_name(run.engine),
        _reference_text(run, model),
        axes,
        presets,
        data,
    )


def explorer_html(explorer: Explorer, home: str = "") -> str:
    """Returns the explorer's HTML, self-contained; `home` is the site's index, "" for none."""
    return template("explore.html.jinja").render(
        explorer=explorer,
        home=home,
        style=asset("explore.css"),
        data=script_json(explorer.data),
        scripts=[asset(name) for name in _SCRIPTS],
    )


def _main_set(model: Mapping[str, Any]) -> Json:
    """The model's first set that represents a suite, as an empty one without any."""
    mains = main_sets()
    sets: Sequence[Json] = model["sets"]
    return next((row for row in sets if row["name"] in mains), {"name": "", "benchmarks": []})


def _rows(model: Mapping[str, Any]) -> list[Json]:
    """The benchmarks of the main set; empty unless the model knows each of its benchmarks."""
    members = _main_set(model)["benchmarks"]
    modelled = [f"{row['name']} {row['fs']}" for row in model["benchmarks"]]
    marked = [name for mark in model["marks"] for name in mark["relative"]]
    keys = [key for key in dict.fromkeys([*modelled, *marked]) if key.split()[0] in members]
    if not members or {key.split()[0] for key in keys} != set(members):
        return []
    keys.sort(key=lambda key: list(members).index(key.split()[0]))
    several = [key.split()[0] for key in keys]
    return [
        {
            "key": key,
            "name": _row_name(*key.split(), is_one=several.count(key.split()[0]) == 1),
            "meaning": display_names.benchmark(key.split()[0]).meaning,
        }
        for key in keys
    ]


def _row_name(name: str, fs: str, *, is_one: bool) -> str:
    """A benchmark's name, with its file system only where two rows differ by it alone."""
    return display_names.benchmark_name(name, "none" if is_one else fs)


def _trimmed(model: Mapping[str, Any], shown_keys: set[str]) -> Json:
    """The model without what the page does not show."""
    left_out = ("used", "machines", "native", "ranges", "simulated")
    parts = {key: value for key, value in model.items() if key not in left_out}
    return {**parts, "marks": _shortened(model["marks"], shown_keys), "sets": [_main_set(model)]}


def _shortened(marks: Sequence[Json], shown_keys: set[str]) -> list[Json]:
    """The marks with R of the rows and set in `shown_keys`, to six digits."""
    return [
        {
            **mark,
            "mips_ratio": _short(mark["mips_ratio"]),
            "relative": {
                key: _short(r) for key, r in mark["relative"].items() if key in shown_keys
            },
        }
        for mark in marks
    ]


def _short(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")


def _reference_name(run: AnalysedRun, model: Mapping[str, Any]) -> str:
    """The name of the machine to which R is relative."""
    name = run.run.points[model["reference"]["key"]].record.machine
    # Its memory and disk may be those of a scaled machine.
    return _WORKSTATION if name == _BASE else f"{display_names.machine_name(name)}, reference"


def _reference_text(run: AnalysedRun, model: Mapping[str, Any]) -> str:
    clock = model["reference"]["values"][CLOCK.key] / model["reference"]["time_scale"]
    return f"{_reference_name(run, model)}, {clock:.4g} {CLOCK.unit}"


def _presets(run: AnalysedRun, model: Mapping[str, Any]) -> Iterator[Json]:
    """Machines of 1990, the reference, and the reference with faster parts, by simulated time."""
    reference: Mapping[str, float] = model["reference"]["values"]
    by_name = {machine["name"]: machine for machine in model["machines"]}
    for name in _MACHINES:
        if name in by_name:
            machine, title = by_name[name], display_names.machine_name(name)
            setting = {
                quantity.key: _short(_on_simulated_time(quantity, machine[quantity.key], model))
                for quantity in _quantities(reference)
            }
            yield {
                **_preset(title, f"The speeds of the {title} as fitted to this simulator", setting),
                "machine": title,
            }
    yield _preset(_reference_name(run, model), "The machine to which R is relative", reference)
    simulated: Mapping[str, Sequence[float]] = model["simulated"]
    factor = simulated[CLOCK.key][1] / reference[CLOCK.key]
    if factor > 1:
        yield from _faster(reference, simulated, factor)


def _start(presets: Sequence[Json], model: Mapping[str, Any]) -> Json:
    """The setting at which the page opens: a faster clock alone, or the reference without one."""
    faster = (preset["at"] for preset in presets if preset["name"].startswith(_FASTER_CLOCK))
    return next(faster, dict(model["reference"]["values"]))


def _faster(
    reference: Mapping[str, float], simulated: Mapping[str, Sequence[float]], factor: float
) -> Iterator[Json]:
    clock = {CLOCK.key: simulated[CLOCK.key][1]}
    disk = {DISK_SPEED.key: reference[DISK_SPEED.key] * factor}
    memory, network = (
        {
            quantity.key: reference[quantity.key] * factor ** _SIGN[quantity.dimension]
            for quantity in quantities
            if quantity in FIGURES and quantity.key in reference
        }
        for quantities in (QUANTITIES, NETWORK_QUANTITIES)
    )
    steps: tuple[tuple[str, str, Mapping[str, float]], ...] = (
        (f"{_FASTER_CLOCK} {factor:g}", "fixed", {}),
        ("+ memory", "memory", memory),
        ("+ disk", "disk", disk),
        *([("+ network", "network", network)] if network else []),
        ("all", "both+network" if network else "both", {**memory, **disk, **network}),
    )
    for name, series, parts in steps:
        meaning = display_names.series_meaning(series)
        yield _preset(name, meaning[:1].upper() + meaning[1:], {**reference, **clock, **parts})


def _preset(name: str, title: str, setting: Mapping[str, float]) -> Json:
    return {"name": name, "title": title, "at": dict(setting)}


def _quantities(keys: Collection[str]) -> list[Quantity]:
    """The quantities with these keys."""
    return [quantity for quantity in (*QUANTITIES, *NETWORK_QUANTITIES) if quantity.key in keys]


def _on_simulated_time(quantity: Quantity, value: float, model: Mapping[str, Any]) -> float:
    scale = model["reference"]["time_scale"]
    return cast(float, quantity.on_own_time(value, 1 / scale))


def _axis(
    quantity: Quantity, run: AnalysedRun, model: Mapping[str, Any], presets: Sequence[Json]
) -> Json:
    """A slider: its ends hold the range of a report's slider and all presets."""
    low, high = model["ranges"][quantity.key]
    values = [preset["at"][quantity.key] for preset in presets]
    reference = run.run.points[model["reference"]["key"]].record.system
    systems = [point.record.system for point in run.run.points.values()]
    simulated = [quantity.of(system, reference) for system in systems]
    return {
        "key": quantity.key,
        "label": quantity.label,
        "unit": quantity.unit,
        "dimension": quantity.dimension,
        "low": _outward(min(low, *values), math.floor),
        "high": _outward(max(high, *values), math.ceil),
        "simulated": sorted({_short(value) for value in simulated}),
    }


def _outward(number: float, rounded: Any) -> float:
    """The number with two digits, rounded away from the slider's middle."""
    unit = 10.0 ** (math.floor(math.log10(number)) - 1)
    return float(f"{rounded(number / unit) * unit:.2g}")
