# SPDX-License-Identifier: BSD-3-Clause
"""Axes, colours and labels that the page's charts share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from osgap.report.looks import Look, Looks

Spec = dict[str, Any]
PAPER = "#767676"
"""The colour of printed values and of guides; it is legible on white and on black."""
HALO, LABEL = "halo", "label"
"""Styles of ui.js: a text's outline in the colour of the background, and the text."""
_HEIGHT = 320
_TICKS = 8
"""More ticks than these are replaced by powers of 2."""
# On an axis of powers of 10: grid and labels at 1, 2 and 5 alone.
_PLAIN = (
    "indexof({digits}, round(datum.value / pow(10, floor(log(datum.value) / LN10 + 1e-9)))) >= 0"
)
_CROWDED = "(width < 350 && log(domain('x')[1] / domain('x')[0]) > 1.5 * LN10)"
"""An expression that holds on a telephone for an x axis of more than one and a half decades."""
_KEPT_UP = "R, MIPS-relative speed (1: kept up)"


def octaves(
    field: str, title: str, ticks: Sequence[float] = (), ends: tuple[float, float] | None = None
) -> alt.X:
    """An x axis of powers of 2 with a label at each of `ticks`, from end to end.

    Without `ends` it goes from the first tick to the last.
    """
    values = sorted(set(ticks))
    if not values:
        scale = alt.Scale(type="log", base=2, nice=False, padding=18)
        return alt.X(field, title=title, scale=scale, axis=alt.Axis(format="~g"))
    low, high = ends or (values[0], values[-1])
    domain = [low / 1.06, high * 1.06]
    if len(values) > _TICKS:
        values = [2.0**power for power in range(-6, 20) if domain[0] <= 2.0**power <= domain[1]]
    scale = alt.Scale(type="log", base=2, nice=False, domain=domain)
    return alt.X(field, title=title, scale=scale, axis=alt.Axis(values=values, format=".3~g"))


def log_axis(*, across: bool = False) -> alt.Axis:
    """An axis of powers of 10 with labels and grid lines at 1, 2 and 5.

    The x axis (`across`) has labels at powers of 10 alone where there is no space for more.
    """
    plain = _PLAIN.format(digits="[1, 2, 5]")
    opacity = alt.condition(plain, alt.value(1), alt.value(0))
    labelled = _PLAIN.format(digits=f"{_CROWDED} ? [1] : [1, 2, 5]") if across else plain
    label = f"{labelled} ? format(datum.value, '~g') : ''"
    return alt.Axis(labelExpr=label, gridOpacity=opacity, tickOpacity=opacity)


def relative_speed(domain: Sequence[float] = ()) -> alt.Y:
    """The y axis of R, from 0; with `domain` it does not follow the data."""
    fixed: Any = {"domain": list(domain), "nice": False} if domain else {"zero": True}
    return alt.Y("value:Q", title=_KEPT_UP, scale=alt.Scale(**fixed))


def colour(looks: Looks) -> alt.Color:
    """The colour of each label."""
    return alt.Color("label:N", scale=_scale(looks, "colour"), legend=legend())


def shape(looks: Looks) -> alt.Shape:
    """The shape of each label's points."""
    return alt.Shape("label:N", scale=_scale(looks, "shape"), legend=legend())


def dashes(looks: Looks) -> alt.StrokeDash:
    """The dashes of each label's line."""
    return alt.StrokeDash("label:N", scale=_scale(looks, "dash"), legend=legend())


def _scale(looks: Looks, part: str) -> alt.Scale:
    values: list[Any] = [_value(look, part) for look in looks.values()]
    return alt.Scale(domain=list(looks), range=values)


def _value(look: Look, part: str) -> Any:
    value = getattr(look, part)
    return list(value) if part == "dash" else value


def legend() -> alt.Legend:
    """A legend below the chart; ui.js gives a telephone one column."""
    return alt.Legend(orient="bottom", title=None, labelLimit=300, symbolOpacity=1)


def line_ends(x: str, y: str) -> list[alt.Chart]:
    """The labels at the ends of lines, with a halo. Data "ends": the axes' fields and text.

    ui.js gives a narrow chart none.
    """
    base = alt.Chart(alt.NamedData("ends")).encode(x=x, y=y, text="text:N")
    return [
        base.mark_text(style=style, align="left", dx=10, fontSize=12) for style in (HALO, LABEL)
    ]


def stepped(spec: Spec) -> Spec:
    """The chart with its height set by its number of rows."""
    return {**spec, "height": {"step": 18}}


def finished(chart: Any, height: int = _HEIGHT, *, labelled: bool = False) -> Spec:
    """The specification, as wide as its place; `labelled` charts have labels right of the plot."""
    spec: Spec = chart.properties(width="container", height=height).to_dict(validate=False)
    # Altair moves the values of guides to the top, where the page puts the chart's own data.
    values = spec.pop("datasets", {})
    for part in spec.get("layer", []):
        name = part.get("data", {}).get("name")
        if name in values:
            part["data"] = {"values": values[name]}
    if labelled:
        spec["usermeta"] = {"labelled": True}
    return spec


def without_legends(spec: Spec) -> Spec:
    """The specification of a chart of layers whose labels are explained elsewhere."""
    for layer in spec["layer"]:
        for channel in ("color", "shape", "strokeDash"):
            if channel in layer.get("encoding", {}):
                layer["encoding"][channel]["legend"] = None
    return spec


def name_place() -> dict[str, Any]:
    """The place of a name beside its point, as osgap.report.labels gives it."""
    return {name: alt.ExprRef(expr=f"datum.{name}") for name in ("dx", "dy", "align", "baseline")}
