# SPDX-License-Identifier: BSD-3-Clause
"""Raveling's four sections (1990): ratios to the fastest of compilers, machines, systems, and all.

Every quantity is a cost: smaller is faster, and a rate enters as its reciprocal.  "1" is the
fastest, "1.00" a very slightly slower one; two equally fast ones are both "1".
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import NamedTuple

from osgap.suites.raveling.page_format import ColumnGroup, PageTable

ABSENT = "-"
USER, SYSTEM, REAL, RATE = "user", "system", "real", "rate"
BASE_SYSTEM = "Linux"


class Combination(NamedTuple):
    """A machine, an operating system and a compiler that were measured together."""

    machine: str
    system: str
    compiler: str


@dataclass(frozen=True)
class SectionRow:
    """One row of a section: its label, its benchmark and the compared quantity."""

    label: str
    benchmark: str
    quantity: str


Costs = Mapping[tuple[str, str], float]
"""(benchmark, quantity) -> cost, without those that were not measured."""


@dataclass(frozen=True)
class Study:
    """The costs of each combination, in the order of the columns.

    `base` is the system on which compilers and machines are compared; the I/O of machines
    `outside` is no base for others and stands in brackets.  `texts` is (machine, benchmark) ->
    the text of section 2 where nothing was measured.
    """

    costs: Mapping[Combination, Costs]
    base: str = BASE_SYSTEM
    outside: Collection[str] = field(default_factory=frozenset)
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def machines(self) -> list[str]:
        """Every machine once, in order."""
        return list(dict.fromkeys(combination.machine for combination in self.costs))

    def of(
        self, machine: str, system: str | None = None, compiler: str | None = None
    ) -> list[Combination]:
        """The combinations of a machine, or of a system or a compiler on it."""
        return [
            item
            for item in self.costs
            if item.machine == machine
            and system in (None, item.system)
            and compiler in (None, item.compiler)
        ]

    def ratios(
        self,
        combinations: Sequence[Combination],
        benchmark: str,
        quantity: str,
        outside: Collection[int] = (),
    ) -> list[str]:
        """The combinations' costs of a benchmark by the smallest cost."""
        costs = [self.costs[item].get((benchmark, quantity)) for item in combinations]
        return ratios(costs, outside)


def ratios(costs: Sequence[float | None], outside: Collection[int] = ()) -> list[str]:
    """Each cost by the smallest cost, to which the indices `outside` do not count."""
    compared = [cost for position, cost in enumerate(costs) if cost and position not in outside]
    best = min(compared, default=None)
    return [_ratio(cost, best, position in outside) for position, cost in enumerate(costs)]


def _ratio(cost: float | None, best: float | None, outside: bool) -> str:
    if not cost or best is None:
        return ABSENT
    if outside:
        return f"[{cost / best:.2f}]"
    return "1" if cost == best else f"{cost / best:.2f}"


def compilers(study: Study, tests: Sequence[SectionRow | None]) -> PageTable:
    """Section 1: the compilers of each machine.  A None in `tests` gives a blank line."""
    columns = [group for name in study.machines() if (group := study.of(name, study.base))]
    groups = tuple(
        ColumnGroup(group[0].machine, tuple(item.compiler for item in group)) for group in columns
    )
    rows: list[tuple[str, ...]] = []
    for test in tests:
        if test is None:
            rows.append(())
            continue
        cells = [study.ratios(group, test.benchmark, test.quantity) for group in columns]
        rows.append((test.label, *chain(*cells)))
    return PageTable("1.  Best optimizing compiler", ("Benchmark",), groups, tuple(rows), gap=True)


def machines(study: Study, tests: Sequence[SectionRow | None]) -> PageTable:
    """Section 2: the machines, each with its fastest compiler."""
    names = [name for name in study.machines() if study.of(name, study.base)]
    rows: list[tuple[str, ...]] = []
    for test in tests:
        if test is None:
            rows.append(())
            continue
        key = test.benchmark, test.quantity
        measured = [
            [cost for item in study.of(name, study.base) if (cost := study.costs[item].get(key))]
            for name in names
        ]
        cells = ratios([min(costs, default=None) for costs in measured])
        texts = [study.texts.get((name, test.benchmark), ABSENT) for name in names]
        pairs = zip(cells, texts, strict=True)
        rows.append((test.label, *(why if cell == ABSENT else cell for cell, why in pairs)))
    title = "2.  Relative processing [hardware] speeds, by each machine's fastest compiler"
    return PageTable(title, ("Benchmark",), (ColumnGroup("", tuple(names)),), tuple(rows))


def systems(study: Study, machine: str, compiler: str, tests: Sequence[SectionRow]) -> PageTable:
    """Section 3, low level: the systems of a machine by system time and by real time."""
    combinations = study.of(machine, compiler=compiler)
    names = tuple(item.system for item in combinations)
    rows = []
    for test in tests:
        times = [study.ratios(combinations, test.benchmark, mode) for mode in (SYSTEM, REAL)]
        rows.append((test.label, *chain(*times)))
    title = f"3.  Low level processor-intensive tests, {machine}"
    groups = (ColumnGroup("System Time", names), ColumnGroup("Real Time", names))
    return PageTable(title, ("Benchmark",), groups, tuple(rows), gap=True)


Amount = tuple[str, Mapping[str, str]]
"""An amount's label, and heading -> benchmark."""


def files(study: Study, machine: str, compiler: str, amounts: Sequence[Amount]) -> PageTable:
    """Section 3, files: the systems of a machine by the rates of read, write and copy."""
    combinations = study.of(machine, compiler=compiler)
    heads = tuple(dict.fromkeys(head for _, tests in amounts for head in tests))
    rows: list[tuple[str, ...]] = []
    for label, tests in amounts:
        columns = [study.ratios(combinations, tests.get(head, ""), RATE) for head in heads]
        rows += _block(label, [[item.system for item in combinations], *columns])
    title = f"3.  Low level i/o-intensive tests, {machine}: filesystem throughput"
    return PageTable(title, ("Amount", "System"), (ColumnGroup("", heads),), tuple(rows[1:]))


def _block(label: str, columns: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """A blank line, then a row for each combination, the first with the label."""
    return [(), *zip(chain([label], repeat("")), *columns, strict=False)]


def load(study: Study, machine: str, loads: Sequence[SectionRow]) -> PageTable:
    """Section 3, high level: the shell's load on every system and compiler of a machine."""
    combinations = study.of(machine)
    _, *names = zip(*combinations, strict=True)
    rows: list[tuple[str, ...]] = []
    for test in loads:
        times = [study.ratios(combinations, test.benchmark, mode) for mode in (USER, SYSTEM, REAL)]
        rows += _block(test.label, [*names, *times])
    stubs = ("Processes", "System", "Compiler")
    title = f"3.  High level tests of a simulated workload, {machine}: shell script and utilities"
    return PageTable(title, stubs, (ColumnGroup("", ("User", "System", "Real")),), tuple(rows[1:]))


def net(study: Study, tests: Sequence[SectionRow | None]) -> PageTable:
    """Section 4: every combination, by real time and, for files, by rate."""
    every = list(study.costs)
    outside = {place for place, item in enumerate(every) if item.machine in study.outside}
    rows: list[tuple[str, ...]] = []
    for test in tests:
        if test is None:
            rows.append(())
            continue
        beyond = outside if test.quantity == RATE else set()
        rows.append((test.label, *study.ratios(every, test.benchmark, test.quantity, beyond)))
    groups = tuple(
        ColumnGroup(
            f"{name} {system}".strip(), tuple(item.compiler for item in study.of(name, system))
        )
        for name, system in dict.fromkeys((item.machine, item.system) for item in every)
    )
    title = "4.  Net relative OS-related system speeds, all combinations"
    return PageTable(title, ("Benchmark",), groups, tuple(rows))
