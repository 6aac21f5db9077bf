# SPDX-License-Identifier: BSD-3-Clause
"""Display names: complete, distinct, true to the sources, and raw where none is declared."""

import re
from collections import Counter

import pytest

from osgap.analysis.table import Column
from osgap.base.paths import project_root
from osgap.drawing import display_names as names
from osgap.image.benchmarks import benchmarks
from osgap.machines.series import POLICY_NAMES
from osgap.printing.reference import tables_page
from osgap.suites import suites


def test_every_benchmark_of_a_suite_has_a_name() -> None:
    folders = {folder for suite in suites() for folder in suite.workloads} | {"checks"}
    pairs = [name.split("/") for name in benchmarks()]
    raw = {name for folder, name in pairs if folder in folders}
    raw |= {name for suite in suites() for name in suite.composites}
    assert len(raw) > 80
    assert raw - names.display_names().benchmark.keys() == set()


@pytest.mark.parametrize("section", ["benchmark", "fs", "series", "set", "engine", "machine"])
def test_no_two_entries_share_a_name(section: str) -> None:
    entries = getattr(names.display_names(), section)
    counts = Counter(entry.name for entry in entries.values())
    assert [name for name, count in counts.items() if count > 1] == []


def test_units_are_those_of_the_c_sources() -> None:
    declared = {}
    for path in project_root().glob("workloads/*/*.c"):
        source = path.read_text(encoding="utf-8")
        declared |= dict(re.findall(r'BENCHMARK\((\w+),\s*\.metric = "([^"]+)"', source))
    entries = names.display_names().benchmark
    named = {name: unit for name, unit in declared.items() if name in entries}
    assert len(named) > 40
    assert {name: entries[name].unit for name in named} == named


def test_every_set_of_a_suite_has_a_name() -> None:
    assert {name for suite in suites() for name in suite.sets} == set(names.display_names().set)


def test_columns_with_a_name_are_declared() -> None:
    declared = set(re.findall(r"^\| `(\w+)` \|", tables_page(), re.MULTILINE))
    assert set(names.display_names().column) - declared == set()


def test_machines_of_the_paper_have_names() -> None:
    files = {path.stem for path in project_root().glob("configs/machines/paper/*.toml")}
    assert len(files) == 10
    assert files - names.display_names().machine.keys() == set()


def test_series_are_named_by_the_parts_that_get_faster() -> None:
    assert [names.series_name(name) for name in POLICY_NAMES] == [
        "clock only",
        "clock and memory",
        "clock and disk",
        "clock, memory and disk",
        "clock and network",
        "clock, memory and network",
        "clock, disk and network",
        "clock, memory, disk and network",
    ]
    assert names.series_name("fixed-lat100-bw800") == "clock only, 100 ns, 800 MB/s"
    assert names.series_name("both+network-net100-delay0") == (
        "clock, memory, disk and network, 100 Mbit/s, 0 us"
    )
    assert names.series_name("gem5") == "gem5"


def test_a_benchmark_is_named_with_its_file_system() -> None:
    assert names.benchmark_name("read", "unix") == "cached read (synchronous)"
    assert names.benchmark_name("read", "diskless") == "cached read (diskless)"
    assert names.benchmark_name("getpid", "none") == names.benchmark_name("getpid") == "getpid"
    assert names.benchmark_name("my_test", float("nan")) == "my test"


def test_an_undeclared_name_is_shown_as_it_is() -> None:
    assert names.benchmark("my_benchmark").name == "my benchmark"
    assert names.machine_name("paper/MVAX2") == "MicroVAX II"
    assert names.machine_name("drawn/m01") == "drawn/m01"
    assert names.column_name("busy_cpi_a") == "busy cpi a"


def test_a_heading_has_the_unit_once() -> None:
    assert names.column_heading(Column("clock_mhz", "", "MHz")) == "clock, MHz"
    assert names.column_heading(Column("mips", "", "MIPS")) == "MIPS"
    assert names.column_heading(Column("value", "", "metric")) == "value"
