# SPDX-License-Identifier: BSD-3-Clause
"""The machines of configs/machines/drawn, drawn before any of them was simulated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

COUNT = 12
# The seed, and the clocks' ends, of the first twelve and of those that were drawn anew.
SETS = ((23, (30, 640)), (1990, (40, 640)))
# Low and high ends; each is drawn evenly over its logarithm.
LATENCY_NS, BANDWIDTH_MB_S, DISK_FASTER = (50, 800), (50, 1600), (1, 32)
_LEAST_CYCLES = 4
_BASE = {"rpm": 3600, "seek_track_ms": 4, "seek_avg_ms": 16, "overhead_ms": 0.5}


def drawn(turn: int = 0) -> Iterator[tuple[str, str]]:
    """Each file's name and text: clocks to 10 MHz, latencies to whole cycles, else three digits.

    `turn` is 1 for the machines that were drawn anew.
    """
    seed, clocks = SETS[turn]
    source = f"drawn: numpy.random.default_rng({seed}), tests/support/drawn.py"
    rng = np.random.default_rng(seed)
    for number in range(turn * COUNT + 1, (turn + 1) * COUNT + 1):
        clock = int(round(_one(rng, clocks), -1))
        cycles = max(_LEAST_CYCLES, round(_one(rng, LATENCY_NS) * clock / 1000))
        bandwidth, faster = (f"{_one(rng, ends):.3g}" for ends in (BANDWIDTH_MB_S, DISK_FASTER))
        yield f"m{number:02}", _text(clock, cycles * 1000 / clock, bandwidth, float(faster), source)


def _one(rng: np.random.Generator, ends: Sequence[float]) -> float:
    return float(np.exp(rng.uniform(*np.log(ends))))


def _text(clock: int, latency: float, bandwidth: str, faster: float, source: str) -> str:
    disk = {name: own * faster if name == "rpm" else own / faster for name, own in _BASE.items()}
    lines = [
        'extends = "base"',
        'description = "A machine drawn at random, to try predictions on"',
        "",
        "[cpu]",
        _figure("clock_mhz", clock, source),
        "",
        "[memory]",
        _figure("latency_ns", latency, "drawn, to whole cycles"),
        _figure("bandwidth_mb_s", float(bandwidth), "drawn"),
        "",
        "[disk]",
        *(
            _figure(name, value, f"base's, {faster:g} times as fast")
            for name, value in disk.items()
        ),
    ]
    return "\n".join(lines) + "\n"


def _figure(name: str, value: float, source: str) -> str:
    return f'{name} = {{ value = {value:.7g}, source = "{source}" }}'
