# SPDX-License-Identifier: BSD-3-Clause
"""Values of the axes: their types in sweep files and records, and machines with these values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeGuard, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, create_model

from osgap.base.config import ConfigError
from osgap.base.frozen import Frozen
from osgap.base.quoting import quoted
from osgap.base.validation import out_of_range
from osgap.machines.axes import AXES, FIGURES, Axis, ClockAxis, FigureAxis, Part, PolicyAxis
from osgap.machines.figure import Figure, left_out
from osgap.machines.machine import Clock, Machine, Policy, figure_range

Value = float | str
"""A figure in the machine's unit, or a multiple of the machine's such as "x0.5"."""
Setting = float | str | None
"""A value of any axis that a system depends on; None leaves the machine as it is."""
Values = TypeVar("Values", bound=tuple[Any, ...])
_MULTIPLE = re.compile(r"x([0-9]{1,9}(?:\.[0-9]{1,9})?)")
_FACTORS = (0.001, 1000.0)
_LEAST = 0.0001
"""The least figure above 0 that keys and names of series show without an exponent."""
_START = Annotated[int, Field(ge=0, le=4096)]
Model = TypeVar("Model", bound=Frozen)


def with_sweep_fields(model: type[Model]) -> type[Model]:
    """A decorator: `model` with the key of each axis in a sweep file."""
    return _extended(model, {axis.key: _sweep_field(axis) for axis in AXES})


def with_record_fields(model: type[Model]) -> type[Model]:
    """A decorator: `model` with the key of each axis in point.json that it does not declare."""
    return _extended(model, {axis.record_key: _record_field(axis) for axis in AXES})


def _extended(model: type[Model], fields: Mapping[str, tuple[Any, Any]]) -> type[Model]:
    missing: Any = {key: kind for key, kind in fields.items() if key not in model.model_fields}
    extended: type[Model] = create_model(
        model.__name__,
        __base__=model,
        __module__=model.__module__,
        __doc__=model.__doc__,
        **missing,
    )
    return extended


def _sweep_field(axis: Axis) -> tuple[Any, Any]:
    """The type and default of the axis's key in a sweep file."""
    if isinstance(axis, FigureAxis):
        return _several(Annotated[float | str, _figure_check(axis)]) | None, left_out(None)
    if isinstance(axis, ClockAxis):
        return _several(Clock) | None, None
    if isinstance(axis, PolicyAxis):
        fixed = ("fixed",)
        return _several(Policy), fixed if axis.always_recorded else left_out(fixed)
    return _several(_START), (0,)


def _record_field(axis: Axis) -> tuple[Any, Any]:
    """The type and default of the axis's key in point.json."""
    if isinstance(axis, FigureAxis):
        is_above_0 = figure_range(axis.part, axis.figure).low > 0
        return Annotated[float, Field(gt=0) if is_above_0 else Field(ge=0)] | None, left_out(None)
    if isinstance(axis, ClockAxis):
        return Clock, ...
    if isinstance(axis, PolicyAxis):
        return Policy, ... if axis.always_recorded else left_out("fixed")
    return int, 0


def _several(value_type: Any) -> Any:
    """The type of a list of values, none of them twice."""
    return Annotated[tuple[value_type, ...], Field(min_length=1), AfterValidator(each_once)]


def each_once(values: Values) -> Values:
    """Returns `values`. Raises ValueError where two of them are equal."""
    if len(set(values)) != len(values):
        raise ValueError("each value once")
    return values


def _figure_check(axis: FigureAxis) -> BeforeValidator:
    limits = figure_range(axis.part, axis.figure)
    allowed = (
        f"a number from {limits.low:g} to {limits.high:g} {limits.unit}, or a multiple of the "
        f"machine's own from x{_FACTORS[0]:g} to x{_FACTORS[1]:g}"
    )

    def check(value: object) -> object:
        if isinstance(value, str):
            factor = _factor(value)
            if factor is not None and _FACTORS[0] <= factor <= _FACTORS[1]:
                return f"x{factor:.12g}"
        elif _is_number(value) and limits.low <= value <= limits.high:
            return float(value)
        raise out_of_range(value, allowed)

    return BeforeValidator(check)


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _factor(text: str) -> float | None:
    match = _MULTIPLE.fullmatch(text)
    return float(match[1]) if match else None


@dataclass(frozen=True)
class Choice:
    """A value of an axis: as point.json keeps it (None: left out), and as `system` takes it."""

    recorded: Any
    setting: Setting


def choices(axis: Axis, values: Sequence[Any] | None, machine: Machine) -> list[Choice]:
    """The values of a sweep file on this machine, in a plan's order. Raises ConfigError."""
    if isinstance(axis, FigureAxis):
        return [Choice(None, None)] if values is None else _figures(axis, values, machine)
    if isinstance(axis, ClockAxis):
        return [Choice(clock, clock) for clock in sorted(values or [machine.cpu.clock_mhz.value])]
    is_policy = isinstance(axis, PolicyAxis)
    return [Choice(value, value if is_policy else None) for value in values or ()]


def _figures(axis: FigureAxis, values: Sequence[Value], machine: Machine) -> list[Choice]:
    """Raises ConfigError for two values that are equal on the machine, or would be called so.

    Raises it also for a machine without the part, and for a value too small for a name.
    """
    part = getattr(machine, axis.part)
    if part is None:
        raise ConfigError(f"{axis.part}: missing; allowed: one, since the sweep has {axis.key}")
    amounts = [amount(axis, value, part) for value in values]
    if small := [
        value for value, number in zip(values, amounts, strict=True) if 0 < number < _LEAST
    ]:
        raise ConfigError(
            f"{axis.key}: found {small[0]}; allowed: 0, or {_LEAST:g} {axis.unit} or more"
        )
    if len({f"{number:g}" for number in amounts}) != len(amounts):
        texts = ", ".join(map(str, values))
        raise ConfigError(f"{axis.key}: found {texts}; allowed: values that differ on this machine")
    default = amount(axis, "x1", part)
    return [
        Choice(None if number == default else number, value)
        for value, number in zip(values, amounts, strict=True)
    ]


def amount(axis: FigureAxis, value: Value, part: Frozen) -> float:
    """`value` in the figure's unit, for a machine with this `part`. Raises ConfigError."""
    factor = _factor(value) if isinstance(value, str) else None
    if factor is None:
        return float(value)
    product = float(getattr(part, axis.figure).value * factor)
    limits = figure_range(axis.part, axis.figure)
    if not limits.low <= product <= limits.high:
        raise ConfigError(
            f"{axis.key}: found {value}, {product:g} {limits.unit} of this machine; "
            f"allowed: {limits.low:g} to {limits.high:g} {limits.unit}"
        )
    return product


def with_values(
    part: Part, name: str, settings: Mapping[str, Setting], *, is_reference: bool = False
) -> Part:
    """The machine's `part` of that name with the settings of its axes in place of its figures.

    Raises ConfigError for memory that a DRAM model times, and, where the part is a reference's, for
    a value that is no multiple.
    """
    values = {
        axis: value
        for axis in FIGURES
        if axis.part == name and (value := settings.get(axis.key)) is not None
    }
    for axis, value in values.items():
        if is_reference and not isinstance(value, str):
            raise ConfigError(
                f"{axis.key}: found {value:g} beside {name} scaled to the machine's reference; "
                f'allowed: multiples such as "x0.5", or {name} fixed'
            )
    if values and (model := getattr(part, "model", None)) is not None:
        raise ConfigError(
            f"{next(iter(values)).key}: found beside {name}.model {quoted(model)}, whose own "
            "timing is simulated; allowed: a machine without a DRAM model"
        )
    figures = {
        axis.figure: Figure(value=amount(axis, value, part), source="the sweep's axis")
        for axis, value in values.items()
    }
    return part.model_copy(update=figures) if figures else part
