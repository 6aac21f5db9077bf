# SPDX-License-Identifier: BSD-3-Clause
"""Memory's latency and bandwidth as axes: a value in the machine's unit, or a multiple of its own.

A value takes the place of the machine's figure before anything is scaled.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BeforeValidator

from osgap.base.config import ConfigError
from osgap.base.quoting import quoted
from osgap.base.validation import out_of_range
from osgap.machines.machine import Figure, Memory

LATENCY, BANDWIDTH = "latency_ns", "bandwidth_mb_s"
"""The axes, by their keys in a sweep file; a machine's memory has figures of these names."""
_MULTIPLE = re.compile(r"x([0-9]{1,9}(?:\.[0-9]{1,9})?)")
_RANGES = {LATENCY: (1.0, 100000.0, "ns"), BANDWIDTH: (1.0, 1000000.0, "MB/s")}
_FACTORS = (0.001, 1000.0)


def _value_of(axis: str) -> BeforeValidator:
    low, high, unit = _RANGES[axis]
    allowed = (
        f"a number from {low:g} to {high:g} {unit}, or a multiple of the machine's own from "
        f"x{_FACTORS[0]:g} to x{_FACTORS[1]:g}"
    )

    def check(value: object) -> object:
        if isinstance(value, str):
            factor = _factor(value)
            if factor is not None and _FACTORS[0] <= factor <= _FACTORS[1]:
                return f"x{factor:.12g}"
        elif (
            isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
        ):
            return float(value)
        raise out_of_range(value, allowed)

    return BeforeValidator(check)


LatencyValue = Annotated[float | str, _value_of(LATENCY)]
BandwidthValue = Annotated[float | str, _value_of(BANDWIDTH)]
"""What a sweep may ask for: ns or MB/s, or a text such as "x0.5"."""
Value = float | str


def _factor(text: str) -> float | None:
    match = _MULTIPLE.fullmatch(text)
    return float(match[1]) if match else None


def amount(axis: str, value: Value, memory: Memory) -> float:
    """What `value` of the `axis` comes to for a machine's `memory`, in the axis's unit.

    Raises ConfigError for a multiple that no memory may have.
    """
    factor = _factor(value) if isinstance(value, str) else None
    if factor is None:
        return float(value)
    own: Figure = getattr(memory, axis)
    product = own.value * factor
    low, high, unit = _RANGES[axis]
    if not low <= product <= high:
        raise ConfigError(
            f"{axis}: found {value}, {product:g} {unit} of this machine; "
            f"allowed: {low:g} to {high:g} {unit}"
        )
    return product


def with_values(memory: Memory, latency: Value | None, bandwidth: Value | None) -> Memory:
    """`memory` with these values in place of its figures; None leaves a figure as it is.

    Raises ConfigError for memory that a DRAM model times: its figures are not simulated.
    """
    asked = {LATENCY: latency, BANDWIDTH: bandwidth}
    given = {axis: value for axis, value in asked.items() if value is not None}
    if given and memory.model is not None:
        raise ConfigError(
            f"{next(iter(given))}: found beside memory.model {quoted(memory.model)}, whose own "
            "timing is simulated; allowed: a machine without a DRAM model"
        )
    figures = {
        axis: Figure(value=amount(axis, value, memory), source="the sweep's axis")
        for axis, value in given.items()
    }
    return memory.model_copy(update=figures) if figures else memory
