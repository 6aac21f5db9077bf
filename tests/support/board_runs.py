# SPDX-License-Identifier: BSD-3-Clause
"""Writes runs of boards whose benchmarks take as long as was measured, times a known factor."""

import json
from collections.abc import Mapping
from pathlib import Path

from synthetic import EMPTY_NS, Bench, seal, write_run

from osgap.suites import suites
from osgap.suites.boards.rows import BoardRow, load_rows
from osgap.suites.boards.units import UNITS, time_ns

CLOCK = 20
BYTES = 4096
SUBTRACTED_NS = 500.0
"""What a benchmark takes that a row subtracts."""
CHECKS = (
    Bench("empty_loop", "ns", 0.0, count=1000),
    Bench("integer_mix", "MIPS", 1000.0, count=200),
)


def measured_times(board: str) -> dict[str, Bench]:
    """The benchmarks of a board's rows, each as long as its first comparable row was measured."""
    rows = [row for row in load_rows() if row.board == board and row.terms]
    ns: dict[str, float] = {}
    benches: dict[str, Bench] = {}
    for row in sorted(rows, key=lambda row: not row.comparable):
        for name, factor in row.terms.items():
            short = name.partition("/")[2]
            if short not in ns:
                ns[short] = _ns(row) if factor > 0 else SUBTRACTED_NS
                benches[short] = _bench(short, ns[short], row)
    return benches


def _ns(row: BoardRow) -> float:
    """The ns of one operation of each benchmark of the row that is added, all alike."""
    unit = row.measured.unit
    whole = time_ns(row.measured.value, unit) / row.operations
    whole *= BYTES if UNITS[unit].is_of_bytes else 1
    taken = sum(-factor * SUBTRACTED_NS for factor in row.terms.values() if factor < 0)
    return (whole + taken) / sum(factor for factor in row.terms.values() if factor > 0)


def _bench(name: str, ns: float, row: BoardRow) -> Bench:
    is_rate = UNITS[row.measured.unit].is_of_bytes
    every = suites()
    # Of these the analysis subtracts no empty loop.
    whole = any(name in suite.uncorrected or name in suite.overheads for suite in every)
    cpu = ns - EMPTY_NS if whole else ns
    return Bench(name, "MB/s" if is_rate else "us", cpu, bytes=BYTES if is_rate else 0, count=10000)


def write_board(
    path: Path,
    board: str,
    *,
    engine: str = "rvsim",
    image: str = "distro",
    layout: int = 0,
    slower: Mapping[str, float] | float = 1.0,
    benches: Mapping[str, Bench] | None = None,
    clock_mhz: float = CLOCK,
    machine: str = "",
    calls: str = "direct",
) -> Path:
    """A run in one layout of an image; `slower` is a factor of all benchmarks, or of some."""
    own = measured_times(board) if benches is None else benches

    def costs(series: str, clock: float, bench: Bench) -> tuple[float, float, float]:
        if bench.name not in own:
            return bench.cpu + EMPTY_NS, 0.0, 0.0
        factor = slower.get(bench.name, 1.0) if isinstance(slower, Mapping) else slower
        whole = any(bench.name in (*s.uncorrected, *s.overheads) for s in suites())
        loop = 0.0 if whole else EMPTY_NS
        return (bench.cpu + EMPTY_NS - loop) * factor + loop, 0.0, 0.0

    write_run(path, parts=costs, benches=(*CHECKS, *own.values()), clocks=(CLOCK,))
    name = (f"{image}-" if image != "default" else "") + f"layout-{layout}" if layout else image
    record = json.loads((path / "run.json").read_text())
    record["sweep"] = {"machine": ["base"], "variant": [name], "calls": [calls]}
    record["image"] = {"digest": name, "variant": {"name": name, "layout": layout}}
    (path / "run.json").write_text(json.dumps(record) + "\n")
    for file in path.glob("points/*/point.json"):
        point = json.loads(file.read_text())
        point |= {"engine": engine, "machine": machine or f"boards/{board}"}
        point["resolved"]["clock_mhz"] = clock_mhz
        file.write_text(json.dumps(point) + "\n")
        seal(file.parent)
    return path
