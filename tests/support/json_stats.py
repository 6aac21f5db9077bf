# SPDX-License-Identifier: BSD-3-Clause
"""Statistics as gem5 writes them into JSON, made of few parts."""

from typing import Any


def scalar(value: object, **more: object) -> dict[str, object]:
    return {"type": "Scalar", "value": value, "unit": "Count", "description": "d", **more}


def stats_file(**more: object) -> dict[str, Any]:
    return {"type": "SimObject", "simulated_begin_time": 0, "simulated_end_time": 9, **more}


def figures(**given: float) -> dict[str, float]:
    zero = dict.fromkeys(("sum", "sum_squared", "underflow", "overflow", "logs"), 0.0)
    return {**zero, **given}
