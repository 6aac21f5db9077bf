# SPDX-License-Identifier: BSD-3-Clause
"""gem5's statistics: what gem5 writes is read, what is cut is refused, what is written is read."""

import io
import lzma
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.base.errors import OsgapError
from osgap.gem5stats.gem5text import (
    Dump,
    StatCell,
    StatLine,
    StatsFormatError,
    format_number,
    format_row,
    parse,
    read_dumps,
    write_dumps,
)

FIXTURE = Path(__file__).parent / "fixtures" / "gem5_stats.txt"


def test_reads_every_dump_of_a_gem5_file() -> None:
    first, second = read_dumps(FIXTURE)
    assert first.scalars()["simTicks"] == 57467000
    assert second.scalars()["simTicks"] == 1000
    assert (first.line, second.line) == (2, 40)


def test_integers_stay_integers_and_the_rest_are_floats() -> None:
    scalars = next(read_dumps(FIXTURE)).scalars()
    assert type(scalars["simInsts"]) is int
    assert scalars["simSeconds"] == 0.000057
    assert math.isnan(scalars["system.cpu.dcache.overallAvgMshrMissLatency::total"])
    assert scalars["system.cpu.ipcRatio"] == math.inf
    assert scalars["system.cpu.drift"] == -1.5e-07


def test_vectors_and_distributions() -> None:
    dump = next(read_dumps(FIXTURE))
    assert dump.vector("system.cpu.dcache.overallMisses") == {"cpu.data": 180, "total": 180}
    assert dump.vector("system.cpu.numIssuedDist")["10-19"] == 12
    row = {row.name: row for row in dump.rows}["system.cpu.numIssuedDist::0"]
    assert row.cells == (StatCell(48, 80.0, 80.0),)
    assert row.description == "Number of insts issued each cycle (Count)"


def test_one_line_histogram_has_a_cell_for_each_bucket() -> None:
    rows = {row.name: row for row in next(read_dumps(FIXTURE)).rows}
    row = rows["system.ruby.latency_hist"]
    assert row.cells == (
        StatCell(30, 75.0, 75.0),
        StatCell(0, 0.0, 75.0),
        StatCell(10, 25.0, 100.0),
    )
    assert "system.ruby.latency_hist" not in next(read_dumps(FIXTURE)).scalars()
    with pytest.raises(ValueError, match="3 values"):
        _ = row.value


def test_units_with_and_without_inner_brackets() -> None:
    rows = {row.name: row for row in next(read_dumps(FIXTURE)).rows}
    assert rows["simSeconds"].unit == "Second"
    assert rows["system.cpu.cpi"].unit == "(Cycle/Count)"
    assert rows["system.cpu.note"].unit is None


def test_writes_a_gem5_file_back_line_for_line() -> None:
    stream = io.StringIO()
    write_dumps(stream, read_dumps(FIXTURE))
    # gem5 leaves blanks at the end of rows without a description.
    theirs = [line.rstrip() for line in FIXTURE.read_text().splitlines()]
    assert [line.rstrip() for line in stream.getvalue().splitlines()] == theirs


def test_reads_xz(tmp_path: Path) -> None:
    packed = tmp_path / "stats.txt.xz"
    packed.write_bytes(lzma.compress(FIXTURE.read_bytes()))
    # nan differs from itself, so the printed forms are compared.
    assert repr(list(read_dumps(packed))) == repr(list(read_dumps(FIXTURE)))


def test_truncated_xz_names_the_file(tmp_path: Path) -> None:
    packed = tmp_path / "stats.txt.xz"
    packed.write_bytes(lzma.compress(FIXTURE.read_bytes())[:-40])
    with pytest.raises(StatsFormatError, match=r"stats\.txt\.xz:\d+: .*damage"):
        list(read_dumps(packed))


def test_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(OsgapError, match=r"none\.txt: cannot be read: No such file"):
        list(read_dumps(tmp_path / "none.txt"))


def test_every_cut_inside_a_dump_is_refused() -> None:
    text = FIXTURE.read_text()
    end = text.rindex("---------- End")
    begin = text.rindex("---------- Begin")
    for cut in range(begin + 1, end + len("---------- End Simulation Statistics   ---------")):
        with pytest.raises(StatsFormatError):
            list(parse(io.StringIO(text[:cut]), "cut"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("simInsts", r"f:3: expected a statistic's name and value, found 'simInsts'"),
        ("simInsts 12x4 # n", r"f:3: expected numbers for simInsts, found '12x4'"),
        ("simInsts 1 2 # n", r"f:3: expected numbers for simInsts, found '2'"),
        ("simInsts 1 2% 3% 4% # n", r"f:3: expected numbers"),
        ("---------- End Simulation", r"f:3: expected a statistic's name"),
        ("---------- Begin Simulation Statistics ----------", r"f:3: expected a statistic's name"),
        ("simTicks 5 # again", r"f:3: expected each name once in a dump, found 'simTicks'"),
    ],
)
def test_foreign_line_is_refused_by_place_and_text(line: str, message: str) -> None:
    text = f"---------- Begin Simulation Statistics ----------\nsimTicks 4 # t\n{line}\n"
    with pytest.raises(StatsFormatError, match=message):
        list(parse(io.StringIO(text), "f"))


def test_text_outside_a_dump_is_refused() -> None:
    with pytest.raises(StatsFormatError, match=r"f:2: expected a begin line, found 'hello'"):
        list(parse(io.StringIO("\nhello\n"), "f"))


def test_dump_without_end_names_where_it_began() -> None:
    text = "\n---------- Begin Simulation Statistics ----------\nsimTicks  4 # t\nsimIns"
    with pytest.raises(StatsFormatError, match=r"f:4: expected a statistic's name.*'simIns'"):
        list(parse(io.StringIO(text), "f"))
    with pytest.raises(StatsFormatError, match=r"f:3: expected the end line .* line 2, .*simTicks"):
        list(parse(io.StringIO(text.removesuffix("simIns")), "f"))


def test_columns_are_gem5s() -> None:
    row = StatLine("simSeconds", (StatCell(0.000057),), "Number of seconds simulated (Second)")
    assert format_row(row) == (
        "simSeconds                                   0.000057"
        "                       # Number of seconds simulated (Second)"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(3.0, "3"), (0.5, "0.500000"), (1 / 3, repr(1 / 3)), (2**70, str(2**70)), (math.nan, "nan")],
)
def test_numbers(value: float, text: str) -> None:
    assert format_number(value) == text


@pytest.mark.parametrize(
    "row",
    [
        StatLine("two words", (StatCell(1),)),
        StatLine("", (StatCell(1),)),
        StatLine("name", ()),
        StatLine("name", (StatCell(1),), "two\nlines"),
        StatLine("name", (StatCell(1, None, 5.0),)),
    ],
)
def test_rows_that_could_not_be_read_back_are_not_written(row: StatLine) -> None:
    with pytest.raises(ValueError, match=r"name|description|value|share"):
        format_row(row)


names = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_.:+\-]{0,50}", fullmatch=True)
shares = st.integers(0, 10000).map(lambda share: share / 100)
numbers = st.integers() | st.floats(allow_nan=False)
cells = st.builds(StatCell, numbers) | st.builds(StatCell, numbers, shares, shares)
descriptions = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"])).map(str.strip)
rows = st.builds(StatLine, names, st.lists(cells, min_size=1, max_size=4).map(tuple), descriptions)
dumps = st.lists(rows, unique_by=lambda row: row.name, max_size=6).map(lambda r: Dump(tuple(r)))


@pytest.mark.slow
@given(st.lists(dumps, max_size=3))
def test_what_is_written_is_read_back(written: list[Dump]) -> None:
    stream = io.StringIO()
    write_dumps(stream, written)
    again = list(parse(io.StringIO(stream.getvalue()), "f"))
    assert [dump.rows for dump in again] == [dump.rows for dump in written]
