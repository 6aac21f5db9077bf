# SPDX-License-Identifier: BSD-3-Clause
"""Raveling's four sections: as printed, by the printer that our own runs have, and of runs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from suite_runs import byte, slower, write_part

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.reference import load_reference
from osgap.analysis.runs import placed_points
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.raveling import sections
from osgap.suites.raveling.page_format import LINE, ColumnGroup, PageTable, body, lines
from osgap.suites.raveling.runs import report, study
from osgap.suites.raveling.sections import Combination, SectionRow, Study, ratios

SEED = "seeds/004_120bea01ae532e62.txt"
HP = "HP 9000/370"
FAILED = "(Test failed on VAX)"


@pytest.fixture
def printed() -> pd.DataFrame:
    return load_reference("raveling_ratios")


def cost(text: str) -> float | None:
    """A cost that has this ratio: "1.00" is slightly more than 1, and a text is none."""
    if text == FAILED:
        return None
    return 1.001 if text == "1.00" else float(text.strip("[]"))


def reference(printed: pd.DataFrame, name: str) -> tuple[Study, list[SectionRow | None]]:
    """A section's printed ratios as costs, and its rows."""
    own = printed[printed["table"] == name]
    costs: dict[Combination, dict[tuple[str, str], float]] = {}
    texts = {}
    for cell in own.to_dict("records"):
        one = Combination(cell["machine"], cell["os"], cell["compiler"])
        known = costs.setdefault(one, {})
        found = cost(str(cell["printed"]))
        if found is None:
            texts[cell["machine"], cell["benchmark"]] = str(cell["printed"])
        else:
            known[cell["benchmark"], cell["quantity"]] = found
    rows = own.drop_duplicates("benchmark")[["benchmark", "quantity"]]
    tests: list[SectionRow | None] = [
        SectionRow(label, label, quantity)
        for label, quantity in rows.itertuples(index=False, name=None)
    ]
    return Study(costs, base="", outside={"VAX"}, texts=texts), tests


def printed_tables(printed: pd.DataFrame) -> dict[str, PageTable]:
    """Every section through the tables of sections.py, with the widths that he printed."""
    first, second, third, files, load, net = (
        reference(printed, name)
        for name in ("compilers", "machines", "processor", "files", "load", "net")
    )
    amounts = [
        (f"{n} sec", {work.title(): f"{n} sec {work}" for work in ("read", "write", "copy")})
        for n in (1, 10, 20)
    ]
    low = [test for test in third[1] if test]
    loads = [test for test in load[1] if test]
    return {
        "compilers": replace(sections.compilers(*first), stub_widths=(16,)),
        "machines": replace(sections.machines(*second), stub_widths=(16,)),
        "processor": replace(sections.systems(third[0], HP, "", low), stub_widths=(24,)),
        "files": replace(sections.files(files[0], HP, "", amounts), stub_widths=(16, 16)),
        "load": replace(sections.load(load[0], HP, loads), stub_widths=(16, 8, 16)),
        "net": replace(sections.net(*net), stub_widths=(16,)),
    }


def test_every_cell_is_there(printed: pd.DataFrame) -> None:
    counts = printed.groupby(["section", "table"]).size().to_dict()
    assert counts == {
        (1, "compilers"): 75,
        (2, "machines"): 60,
        (3, "processor"): 28,
        (3, "files"): 18,
        (3, "load"): 36,
        (4, "net"): 140,
    }
    keys = ["table", "benchmark", "machine", "os", "compiler", "quantity"]
    cells = printed.set_index(keys)["printed"]
    assert cells.index.is_unique
    assert cells["compilers", "register", "Sun 4", "", "gcc", "user"] == "10.51"
    assert cells["machines", "arithoh", "VAX 8650", "", "best", "user"] == FAILED
    assert cells["machines", "drhystone2b(r)", "Sun 3", "", "best", "rate"] == "3.74"
    assert cells["processor", "pt [context switch]", HP, "HP-UX", "", "system"] == "2.08"
    assert cells["files", "20 sec copy", HP, "HP-UX", "", "rate"] == "1.67"
    assert cells["load", "8", HP, "BSD", "cc", "user"] == "1.30"
    assert cells["net", "1-sec write", "VAX", "BSD", "cc", "rate"] == "[0.08]"
    assert cells["net", "sh+ut load(2)", "Sun 4", "SunOS", "cc", "real"] == "5.20"


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("compilers", 15),
        ("machines", 15),
        ("processor", 7),
        ("files", 6),
        ("load", 12),
        ("net", 20),
    ],
)
def test_the_printer_gives_his_cells_and_his_lines(
    printed: pd.DataFrame, repository: Path, name: str, rows: int
) -> None:
    table = printed_tables(printed)[name]
    stubs = len(table.stubs)
    made = sorted(cell for row in table.rows for cell in row[stubs:])
    assert made == sorted(printed[printed["table"] == name]["printed"].astype(str))
    text = [line for line in body(table) if line]
    assert len(text) == rows
    file = repository.parent / "shared" / SEED
    if not file.is_file():
        pytest.skip("the publication's text is not here")
    published = [line.expandtabs().rstrip() for line in file.read_text().splitlines()]
    at = 0
    for line in text:
        at = published.index(line, at) + 1


@pytest.mark.parametrize(
    ("costs", "outside", "told"),
    [
        ([2.0, 1.0, 3.0], (), ["2.00", "1", "3.00"]),
        ([1.004, 1.0, 1.0], (), ["1.00", "1", "1"]),
        ([None, 5.0, 0.0], (), ["-", "1", "-"]),
        ([1.0, 2.0, 4.0], (0,), ["[0.50]", "1", "2.00"]),
        ([None, None], (), ["-", "-"]),
    ],
)
def test_ratios(costs: Sequence[float | None], outside: tuple[int, ...], told: list[str]) -> None:
    assert ratios(costs, outside) == told


def test_a_long_table_goes_on_below() -> None:
    names = tuple(f"machine {at:02d}" for at in range(20))
    row = ("tak", *(str(at) for at in range(20)))
    text = lines(PageTable("", ("Benchmark",), (ColumnGroup("all of them", names),), (row, ())))
    assert max(map(len, text)) <= LINE
    told = [cell for line in text if line.split()[:1] == ["tak"] for cell in line.split()[1:]]
    assert told == [str(at) for at in range(20)]


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[AnalysedRun]:
    """gcc-O1 half as fast but in tak; preempt with a dearer context1 and load."""
    clocks = (20, 80)
    root = tmp_path_factory.mktemp("sweep")
    write_part(root / "a", byte(), clocks=clocks)
    slow = {name.name: 2.0 for name in byte() if name.name not in ("tak", "integer_mix")}
    write_part(root / "b", byte(), variant="gcc-O1", costs=slower(slow), clocks=clocks)
    dear = slower({"context1": 1.5, "sh_load_8": 1.2, "fs_read_10": 3.0})
    write_part(root / "c", byte(), variant="preempt", costs=dear, clocks=clocks)
    return load_runs([root])


def test_the_sections_of_runs(parts: list[AnalysedRun]) -> None:
    every = [p for p in placed_points(parts) if p.series == "fixed"]
    found = study(every)
    assert list(found.costs) == [
        Combination(f"base {clock} MHz", *own)
        for clock in (20, 80)
        for own in (("Linux", "gcc-O2"), ("Linux", "gcc-O1"), ("preempt", "gcc-O2"))
    ]
    text = report(every)
    net = [line.split() for line in text if line.split()[:2] == ["context", "sw."]]
    assert net[0][2:] == ["3.59", "7.17", "5.38", "1", "2.00"]
    assert net[1][2:] == ["1.50"]
    assert "1.  Best optimizing compiler" in text
    tak = next(line.split() for line in text if line.split()[:1] == ["tak"])
    assert tak == ["tak", "1", "1", "1", "1"]
    machines = text[text.index(next(t for t in text if t.startswith("2."))) :]
    dhrystone = next(line.split() for line in machines if line.split()[:1] == ["dhrystone"])
    assert dhrystone == ["dhrystone", "4.00", "1"]
    load = next(at for at, t in enumerate(text) if t.startswith("3.  High level"))
    eight = next(at for at, t in enumerate(text[load:], load) if t.split()[:2] == ["8", "Linux"])
    assert text[eight].split()[-1] == "1"
    assert text[eight + 2].split()[-1] == "1.20"
    reads = [line.split() for line in text if line.split()[:2] == ["x", "10"]]
    assert ["x", "10", "unix", "Linux", "1", "1", "1"] in reads
    assert text[eight].split()[-3:] == ["-", "-", "1"]
    assert sum("not told apart" in line for line in text) == 3


def test_user_and_system_time_are_those_told_apart(parts: list[AnalysedRun]) -> None:
    part = parts[0]
    rows = [
        (key, "context1", "none", 10.0, 30.0, 0.0, 40.0) for key in part.tables["points"]["key"]
    ]
    columns = [
        "key",
        "benchmark",
        "fs",
        "user_ns_per_op",
        "system_ns_per_op",
        "idle_ns_per_op",
        "real_ns_per_op",
    ]
    modes = pd.DataFrame(rows, columns=columns)
    told = replace(part, tables={**part.tables, "modes": modes})
    (costs, *_) = study(placed_points([told])).costs.values()
    assert costs["context1", "user"] == 10
    assert costs["context1", "system"] == 30
    assert costs["context1", "real"] == pytest.approx(50000 + 2000, rel=0.01)
    assert ("pt", "system") not in costs


def test_a_run_without_his_rows_says_so(run_directory: Path) -> None:
    with pytest.raises(ResultsError, match="no finished point has a benchmark of the suite byte"):
        report(placed_points(load_runs([run_directory])))


def test_a_table_without_columns_has_no_lines() -> None:
    """A run may have one benchmark of his, and none that a section shows."""
    empty = PageTable("t", ("a",), (ColumnGroup("g", ()),), ())
    assert lines(empty) == []
    some = PageTable("t", ("a",), (ColumnGroup("g", ()), ColumnGroup("h", ("x",))), (("b", "1.0"),))
    assert "h" in lines(some)[2]
