# SPDX-License-Identifier: BSD-3-Clause
"""Raveling's sections from runs: variants as compilers or systems, benchmarks as his rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

import pandas as pd

from osgap.analysis.analysed import AnalysedRun, PlacedPoint
from osgap.analysis.runs import DIRECT, machine_labels, values_by_key
from osgap.image.variants import DEFAULT
from osgap.rundir.csvfile import ResultsError
from osgap.suites.raveling import sections
from osgap.suites.raveling.benchmarks import (
    AMOUNTS,
    BYTE_FILES,
    BYTE_LOAD,
    BYTE_PROCESSOR,
    BYTE_SYSTEM,
)
from osgap.suites.raveling.page_format import PageTable, lines
from osgap.suites.raveling.sections import (
    BASE_SYSTEM,
    RATE,
    REAL,
    SYSTEM,
    USER,
    Combination,
    SectionRow,
    Study,
)

BASE_COMPILER = "gcc-O2"
# A compiler, or a C library, which comes with its compiler as in his "BSD cc".
_COMPILER = re.compile(r"^(gcc|clang|zig|tcc|cc|musl|glibc|dietlibc)\b")

_PROCESSOR = (
    ("dhrystone", "byte_dhrystone", USER),
    ("dhrystone(r)", "byte_dhrystone", RATE),
    ("whetstone", "whetstone", USER),
    ("whetstone(r)", "whetstone", RATE),
    ("tak", "tak", USER),
    ("dhrystone2a(r)", "dhry2a", RATE),
    ("dhrystone2b(r)", "dhry2b", RATE),
    ("arithoh", "arithoh", USER),
    ("register", "arith_register", USER),
    ("short", "arith_short", USER),
    ("int", "arith_int", USER),
    ("long", "arith_long", USER),
    ("float", "arith_float", USER),
    ("double", "arith_double", USER),
    ("tower of hanoi", "hanoi", USER),
)
_SYSTEM = (
    ("pt [context switch]", "pt", "pt"),
    ("iocall", "iocall", "iocall"),
    ("system call overhead", "sys call ovhd", "syscall_overhead"),
    ("pipe throughput", "pipe th'put", "pipe_throughput"),
    ("pipe-based context sw.", "context sw.", "context1"),
    ("process creation", "process creat'n", "spawn"),
    ("execl throughput", "execl th'put", "execl"),
)
_WORKS = ("read", "write", "copy")
_MODES = {USER: "user_ns_per_op", SYSTEM: "system_ns_per_op"}
PROCESSOR_TESTS = tuple(SectionRow(*row) for row in _PROCESSOR)
SYSTEM_TESTS = tuple(SectionRow(label, name, REAL) for label, _, name in _SYSTEM)
LOAD_TESTS = tuple(SectionRow(name.rpartition("_")[2], name, REAL) for name in BYTE_LOAD)


def combination(point: PlacedPoint, machine: str) -> Combination:
    """Returns a point in Raveling's terms; a variant that is no compiler is a system."""
    variant, calls = point.analysed.variant, point.analysed.calls
    is_compiler = bool(_COMPILER.match(variant))
    system = [variant] if variant != DEFAULT and not is_compiler else []
    system += [calls] if calls != DIRECT else []
    compiler = variant if is_compiler else BASE_COMPILER
    return Combination(machine, " ".join(system) or BASE_SYSTEM, compiler)


def study(points: Sequence[PlacedPoint]) -> Study:
    """The costs of every point, ns of an operation; of equal combinations the first run's."""
    labels = machine_labels(points)
    costs: dict[Combination, dict[tuple[str, str], float]] = {}
    for point in points:
        machine = f"{labels[point]} {point.clock_mhz:g} MHz"
        costs.setdefault(combination(point, machine), _costs(point))
    order = list(dict.fromkeys(item.machine for item in costs))
    ordered = sorted(
        costs, key=lambda item: (order.index(item.machine), item.system != BASE_SYSTEM)
    )
    return Study({item: costs[item] for item in ordered})


def _costs(point: PlacedPoint) -> dict[tuple[str, str], float]:
    costs: dict[tuple[str, str], float] = {}
    times = _named(point.analysed.machine_time["times"], point.key)
    for name, cost in values_by_key(times).get(point.key, {}).items():
        costs.update({(name, quantity): cost for quantity in (REAL, RATE)})
        if name in BYTE_PROCESSOR:
            costs[name, USER] = cost
    modes = _named(point.analysed.machine_time["modes"], point.key)
    for quantity, column in _MODES.items():
        for name, cost in modes[["benchmark", column]].dropna().itertuples(index=False, name=None):
            costs[str(name), quantity] = float(cost)
    return costs


def _named(table: pd.DataFrame, key: str) -> pd.DataFrame:
    """A point's rows; the file tests have their file system in the name."""
    rows = table[table["key"] == key]
    bare = rows["fs"].isin(["none", ""]) | ~rows["benchmark"].isin(BYTE_FILES)
    return rows.assign(
        benchmark=rows["benchmark"].where(bare, rows["benchmark"] + "@" + rows["fs"])
    )


def report(points: Sequence[PlacedPoint]) -> list[str]:
    """All four sections and notes on them as lines. Raises ResultsError without any row of them."""
    compared = study(points)
    if not _measured(compared, PROCESSOR_TESTS) and not _net_tests(compared):
        raise ResultsError("no finished point has a benchmark of the suite byte")
    text = chain.from_iterable(map(lines, _sections(compared)))
    return [*text, *notes([point.analysed for point in points])]


def _sections(compared: Study) -> Iterator[PageTable]:
    processor = _measured(compared, PROCESSOR_TESTS)
    if len({combined.compiler for combined in compared.costs}) > 1:
        yield sections.compilers(compared, processor)
    if len(compared.machines()) > 1:
        yield sections.machines(compared, processor)
    for machine in compared.machines():
        if len(compared.of(machine)) > 1:
            yield from _systems(compared, machine)
    yield sections.net(compared, _net_tests(compared))


def _systems(compared: Study, machine: str) -> Iterator[PageTable]:
    if len(compared.of(machine, compiler=BASE_COMPILER)) > 1:
        low = _measured(compared, SYSTEM_TESTS)
        yield sections.systems(compared, machine, BASE_COMPILER, low)
        for label, suffix in _file_systems(compared):
            amounts = [
                (f"x {n}{label}", {work.title(): f"fs_{work}_{n}{suffix}" for work in _WORKS})
                for n in AMOUNTS
            ]
            yield sections.files(compared, machine, BASE_COMPILER, amounts)
    loads = _measured(compared, LOAD_TESTS)
    if loads:
        yield sections.load(compared, machine, loads)


def _net_tests(compared: Study) -> list[SectionRow | None]:
    short = [SectionRow(label, name, REAL) for _, label, name in _SYSTEM]
    files = [
        SectionRow(f"x {n} {work}{label}", f"fs_{work}_{n}{suffix}", RATE)
        for label, suffix in _file_systems(compared)
        for n in AMOUNTS
        for work in _WORKS
    ]
    loads = [SectionRow(f"sh+ut load({test.label})", test.benchmark, REAL) for test in LOAD_TESTS]
    tests: list[SectionRow | None] = []
    for group in (short, files, loads):
        measured = _measured(compared, group)
        tests += [None, *measured] if tests and measured else measured
    return tests


def _measured(compared: Study, tests: Sequence[SectionRow]) -> list[SectionRow]:
    """The tests that at least one combination has."""
    measured = {name for costs in compared.costs.values() for name in costs}
    return [test for test in tests if (test.benchmark, test.quantity) in measured]


def _file_systems(compared: Study) -> list[tuple[str, str]]:
    """A label suffix and a benchmark suffix for each measured file system: (", NAME", "@NAME")."""
    names = dict.fromkeys(
        name.partition("@")[2]
        for costs in compared.costs.values()
        for name, _ in costs
        if name.startswith("fs_")
    )
    return [(f" {name}" if name else "", f"@{name}" if name else "") for name in names]


def notes(runs: Sequence[AnalysedRun]) -> list[str]:
    """Returns notes on the ratios, and on runs without user time."""
    lines = ["1 is the fastest, n is n times slower, 1.00 slower by less than its rounding."]
    for run in dict.fromkeys(runs):
        without = _without_modes(run)
        if without:
            why = "user and system time are not told apart (of the processor's tests the whole"
            lines.append(f"{run.path.name}: {why} time is taken): {' '.join(without)}")
    return lines


def _without_modes(run: AnalysedRun) -> list[str]:
    """Returns the benchmarks of a run that have no user time."""
    names = {*BYTE_PROCESSOR, *BYTE_SYSTEM, *BYTE_LOAD} & set(
        run.machine_time["times"]["benchmark"]
    )
    with_modes = set(run.machine_time["modes"].dropna(subset=[_MODES[USER]])["benchmark"])
    without = sorted(names - with_modes)
    return ["every row"] if without and not with_modes & names else without
