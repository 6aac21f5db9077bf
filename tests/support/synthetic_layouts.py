# SPDX-License-Identifier: BSD-3-Clause
"""Writes runs of one system in several layouts, whose times vary by a known amount."""

import json
from pathlib import Path

import numpy as np
from synthetic import BENCHES, Bench, Parts, parts, write_run

FEW = tuple(
    bench
    for bench in BENCHES
    if bench.name in ("empty_loop", "integer_mix", "getpid", "cswitch", "read", "create_delete_0")
)
CLOCKS = (20, 320)
SEED = 7


def varied(layout: int, spread: float, shifts: dict[str, float] | None = None) -> Parts:
    """Costs that differ by a factor from layout to layout, above the slowest clock.

    The factor's logarithm is normal with the standard deviation `spread`; `shifts` are added to
    it by benchmark.  What the rating and the empty loop measure stays as it is.
    """
    added = shifts or {}

    def cost(series: str, clock: float, bench: Bench) -> tuple[float, float, float]:
        own = parts(series, clock, bench)
        if bench.name in ("empty_loop", "integer_mix") or clock == CLOCKS[0]:
            return own
        at = [layout, *map(ord, bench.name), *map(ord, series)]
        drawn = np.random.default_rng([SEED, *at]).normal(added.get(bench.name, 0.0), spread)
        factor = float(np.exp(drawn))
        return own[0] * factor, own[1] * factor, own[2] * factor

    return cost


def write_layouts(
    path: Path,
    count: int,
    spread: float = 0.05,
    *,
    first: int = 0,
    shifts: dict[str, float] | None = None,
    benches: tuple[Bench, ...] = FEW,
) -> Path:
    """A directory of `count` runs, layout `first` and on, each of clocks CLOCKS."""
    for layout in range(first, first + count):
        write_layout(path / f"layout-{layout}", layout, varied(layout, spread, shifts), benches)
    return path


def write_layout(
    path: Path,
    layout: int,
    costs: Parts = parts,
    benches: tuple[Bench, ...] = FEW,
    digest: str = "",
) -> Path:
    """One run; layout 0 is the default image, which has no record of a variant."""
    write_run(path, benches=benches, parts=costs, clocks=CLOCKS)
    record = json.loads((path / "run.json").read_text())
    name = f"layout-{layout}" if layout else "default"
    record["sweep"] = {"machine": ["base"], "variant": [name]}
    record["image"] = {"compiler": "cc 12; ld 2", "digest": digest or f"{layout}"}
    if layout:
        programs = {"compiler": "cc 12", "flags": "-O2 -Wall", "libc": "glibc 2.36"}
        kernel = {"command_line": "", "options": []}
        record["image"]["variant"] = {
            "name": name,
            "layout": layout,
            "kernel": kernel,
            "programs": programs,
        }
    (path / "run.json").write_text(json.dumps(record) + "\n")
    return path
