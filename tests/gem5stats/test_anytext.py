# SPDX-License-Identifier: BSD-3-Clause
"""Any gem5's stats.txt: every value that a gem5 could write is read, and nothing else is lost."""

import gzip
import io
import lzma
import math
from pathlib import Path

import pytest
from examples import examples
from gem5_printer import Printer
from hypothesis import given, settings
from hypothesis import strategies as st

from osgap.gem5stats import anytext
from osgap.gem5stats.anytext import parse, read
from osgap.gem5stats.gem5text import BEGIN, END

Rows = list[tuple[str, float]]
ONE = f"\n{BEGIN}\nsimTicks 14 # Ticks (Tick)\nsimInsts 1000\n\n{END}\n"
BOTH: Rows = [("simTicks", 14), ("simInsts", 1000)]


def _rows(text: str) -> tuple[list[Rows], list[str], list[str]]:
    """Rows of each dump, faults and notes of a text."""
    source = parse(io.StringIO(text), "f")
    dumps = [
        [(row.name, cell.value) for row in dump.rows for cell in row.cells] for dump in source.dumps
    ]
    return dumps, source.faults, source.notes


def _dump(*rows: str) -> str:
    return f"\n{BEGIN}\n" + "".join(f"{row}\n" for row in rows) + f"\n{END}\n"


@pytest.mark.parametrize(
    ("row", "expected", "unit"),
    [
        ("a 7                       (Unspecified)", [7], "Unspecified"),
        ("a 0.000100 (Second)", [0.0001], "Second"),
        ("a 3 42.86% 42.86% ((Count/Cycle))", [3], "(Count/Cycle)"),
        (
            "a    |    3     42.86%     42.86% |    4     57.14%    100.00%   (Count)",
            [3, 4],
            "Count",
        ),
        ("a |3 42.86% 42.86% |4 57.14% 100.00%", [3, 4], None),
        ("a |3 |nan |inf # x | y (Count)", [3, math.nan, math.inf], "Count"),
        ("a no_value # x", [math.nan], None),
        ("a    no value        # x", [math.nan], None),
        ("a <err: div-0>", [math.nan], None),
        ("a -nan", [math.nan], None),
        ("a -0", [0], None),
        ("a " + "9" * 300, [int("9" * 300)], None),
        ("a 5 -20.00% inf%", [5], None),
        ("a\t5\t# x (Count)", [5], "Count"),
        ("a 5 # one # two (of) them (Count)", [5], "Count"),
        ("a 5 #", [5], None),
    ],
)
def test_a_row_of_any_version_and_mode(row: str, expected: list[float], unit: str | None) -> None:
    source = parse(io.StringIO(_dump(row)), "f")
    ((one,),) = [dump.rows for dump in source.dumps]
    assert one.name == "a" and one.unit == unit and source.faults == source.notes == []
    assert repr([1 * cell.value for cell in one.cells]) == repr(expected)


def test_an_entry_with_blanks_in_its_name() -> None:
    rows = ("a::read hits 5 10.00% 10.00% # d", "a::level 2 (x) 6 (Count)", "b 5 6")
    dumps, faults, _ = _rows(_dump(*rows))
    assert dumps == [[("a::read hits", 5), ("a::level 2 (x)", 6)]]
    assert faults == ["f: 1 row cannot be read, left out: b on line 5: '6'"]


def test_a_row_that_cannot_be_read_is_named_and_counted_and_nothing_else_lost() -> None:
    bad = ["simFreq 12x # bad", "simOps", "\0\0\0", "warn: cut here", " indented 5", "-----x 5"]
    dumps, faults, notes = _rows(ONE + _dump("simTicks 14 # t", *bad, "simInsts 1000") + ONE)
    assert dumps == [BOTH] * 3 and notes == []
    assert len(faults) == 1 and faults[0].startswith("f: 6 rows cannot be read, left out: ")
    assert "simFreq on line 10: '12x'; simOps on line 11:" in faults[0]
    assert faults[0].endswith("; and 3 more")


def test_a_long_row_is_read_and_a_longer_one_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "hist " + " ".join(f"|{count}" for count in range(10_000))
    ((*_, last),), faults, _ = _rows(_dump(long))
    assert last == ("hist", 9_999) and faults == []
    monkeypatch.setattr(anytext, "LONGEST_LINE", 1000)
    dumps, faults, _ = _rows(_dump("simTicks 14", long, "simInsts 1000"))
    assert dumps == [BOTH] and "hist on line 4: more than 1000 characters" in faults[0]


@pytest.mark.parametrize("message", ["rf-probe", "two words: 3", "x - y"])
def test_a_message_behind_the_begin_line(message: str) -> None:
    text = ONE.replace(" ----------\nsim", f" : {message} ----------\nsim")
    (dump,) = parse(io.StringIO(text), "f").dumps
    assert dump.message == message and len(dump.rows) == 2


def test_text_before_between_and_after_dumps_is_passed_over_with_a_note() -> None:
    text = "gem5 Simulator System\n\nwarn: x 5\n" + ONE + "Exiting @ tick 14\n" + ONE + "bye\n"
    assert _rows(text) == ([BOTH] * 2, [], ["f: 4 lines of text outside of dumps passed over"])


def test_a_dump_without_an_end_or_a_begin_line() -> None:
    begin, end = ONE.replace(END, ""), ONE.replace(BEGIN, "")
    for text, said in (
        (begin + ONE, ["f: the dump begun on line 2 has no end line"]),
        (ONE + begin, ["f: the dump begun on line 8 has no end line: the file is cut"]),
        (end + ONE, ["f: the dump that ends on line 6 has no begin line"]),
    ):
        assert _rows(text) == ([BOTH] * 2, said, [])
    dumps, faults, _ = _rows("simTicks 14 # t\nsimInsts 1000\n")
    assert dumps == [BOTH] and "neither a begin line nor an end line" in faults[0]


def test_every_cut_keeps_each_whole_row_and_invents_none() -> None:
    """A number that the file ends in may lack digits, and a row of several values some of them."""
    lines = [
        "simTicks     1400000     # Ticks (Tick)",
        "simInsts 123456",
        "cpu.op::IntAlu          12      1.20%     99.20% # Class (Count)",
        "cpu.hist |       1      5.00%      5.00% |       19     95.00%    100.00% # H (Count)",
        "cpu.text::a b 17 (Count)",
    ]
    text = _dump(*lines)
    names = "simTicks", "simInsts", "cpu.op::IntAlu", "cpu.hist", "cpu.text::a b"
    whole = list(zip(names, ([1400000], [123456], [12], [1, 19], [17]), strict=True))
    for cut in range(len(text)):
        source = parse(io.StringIO(text[:cut]), "f")
        rows = [
            (row.name, [cell.value for cell in row.cells])
            for dump in source.dumps
            for row in dump.rows
        ]
        assert rows == whole[: len(rows)] and (source.faults or cut > text.index(END) + 34), cut
        assert len(rows) >= sum(text.index(line) + len(line) < cut for line in lines), cut


def test_a_distribution_of_m5_between_start_and_end() -> None:
    """As M5 wrote it before 2009."""
    rows = (
        "cpu.fetch:rateDist.start_dist                           # Insts a cycle",
        "cpu.fetch:rateDist.samples              31637           ",
        "cpu.fetch:rateDist.min_value                0           ",
        "                               0        29246   9244.24%           ",
        "                               8           42     13.28%           ",
        "cpu.fetch:rateDist.max_value                8           ",
        "cpu.fetch:rateDist.end_dist",
        "simTicks 14",
    )
    dumps, faults, _ = _rows(_dump(*rows))
    assert faults == [] and dumps == [
        [
            ("cpu.fetch:rateDist.samples", 31637),
            ("cpu.fetch:rateDist.min_value", 0),
            ("cpu.fetch:rateDist::0", 29246),
            ("cpu.fetch:rateDist::8", 42),
            ("cpu.fetch:rateDist.max_value", 8),
            ("simTicks", 14),
        ]
    ]


_WINDOWS = ONE.replace("\n", "\r\n")
FORMS = {
    "plain": ONE.encode(),
    "crlf": _WINDOWS.encode(),
    "bom": b"\xef\xbb\xbf" + ONE.encode(),
    "bom crlf": b"\xef\xbb\xbf" + _WINDOWS.encode(),
    "utf-16": _WINDOWS.encode("utf-16"),
    "utf-16 big": b"\xfe\xff" + ONE.encode("utf-16-be"),
    "utf-16 without a mark": ONE.encode("utf-16-le"),
    "gz": gzip.compress(ONE.encode()),
    "gz of several members": gzip.compress(ONE[:40].encode()) + gzip.compress(ONE[40:].encode()),
    "gz with zeros behind": gzip.compress(ONE.encode()) + b"\0" * 512,
    "gz of utf-16": gzip.compress(ONE.encode("utf-16")),
    "xz": lzma.compress(ONE.encode()),
    "latin-1": ONE.replace("Ticks (", "\u00b5 (").encode("latin-1"),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_file_in_any_form_whatever_it_is_called(form: str, tmp_path: Path) -> None:
    file = tmp_path / "stats.txt"
    file.write_bytes(FORMS[form])
    source = read(file)
    (dump,) = source.dumps
    assert list(dump.scalars().items()) == BOTH and source.faults == source.notes == []
    assert dump.rows[0].unit == "Tick"


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_packed_file_that_is_cut_gives_what_it_has(compress, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "stats.txt.gz"
    rows = [f"x{index} {index * 7919} # d" for index in range(20_000)]
    packed = compress(_dump(*rows).encode())
    file.write_bytes(packed[: len(packed) // 2])
    source = read(file)
    (dump,) = source.dumps
    assert all(row.value == int(row.name[1:]) * 7919 for row in dump.rows)
    assert 5_000 < len(dump.rows) < 20_000
    assert any("cannot be read behind line" in fault for fault in source.faults)


def test_an_empty_or_foreign_file_is_told(tmp_path: Path) -> None:
    for content, said in ((b"", "is empty"), (b"reads 5\n", "no dump"), (b"\x89HDF", "no dump")):
        (tmp_path / "stats.txt").write_bytes(content)
        source = read(tmp_path / "stats.txt")
        assert list(source.dumps) == [] and said in "; ".join(source.faults)
    assert "cannot be read" in "; ".join(_read_faults(tmp_path / "none.txt"))


def _read_faults(path: Path) -> list[str]:
    source = read(path)
    assert list(source.dumps) == []
    return source.faults


def test_only_wanted_rows_are_kept() -> None:
    source = parse(io.StringIO(ONE), "f", lambda name: name == "simInsts")
    assert [[row.name for row in dump.rows] for dump in source.dumps] == [["simInsts"]]


NAMES = st.from_regex(
    r"[A-Za-z_][A-Za-z0-9_]{0,30}(\.[A-Za-z_][A-Za-z0-9_:+-]{0,30}){0,3}", fullmatch=True
).filter(lambda name: "::" not in name)
ENTRIES = st.from_regex(
    r"[A-Za-z0-9_.+()<>|-]{1,12}( [A-Za-z(_][A-Za-z0-9_]{0,9}\)?){0,2}", fullmatch=True
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]) | st.just(" "))
UNITS = st.sampled_from(["", "Count", "Unspecified", "(Count/Cycle)", "((Byte/Second)/Watt)"])
NUMBERS = st.integers(-(10**18), 10**18) | st.floats()
PRINTERS = st.builds(
    Printer,
    desc=st.booleans(),
    spaces=st.booleans(),
    units=st.booleans(),
    no_value=st.sampled_from(["nan", "no_value", "no value"]),
)


@st.composite
def printed(draw: st.DrawFn) -> Printer:
    """Statistics of every kind."""
    printer = draw(PRINTERS)
    for name in draw(st.lists(NAMES, unique=True, max_size=6)):
        text, unit = draw(TEXTS), draw(UNITS)
        values = draw(st.lists(NUMBERS, min_size=1, max_size=5))
        kind = draw(st.integers(0, 3))
        if kind == 0:
            printer.scalar(name, values[0], text, unit, precision=draw(st.integers(-1, 9)))
        elif kind == 1:
            entries = draw(st.lists(ENTRIES, min_size=len(values), max_size=len(values)))
            printer.vector(name, values, entries, text, unit)
        elif kind == 2:
            printer.one_line(name, values, draw(st.booleans()), text, unit)
        else:
            counts = draw(st.lists(st.integers(0, 10**9), min_size=1, max_size=5))
            size = draw(st.integers(1, 10**7))
            printer.distribution(name, counts, draw(st.integers(-9, 10**9)), size, text, unit)
    return printer


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(printed(), max_size=3), st.booleans())
def test_every_value_that_gem5_could_write_is_read(printers: list[Printer], windows: bool) -> None:
    text = "".join(printer.dump() for printer in printers)
    dumps, faults, notes = _rows(text.replace("\n", "\r\n") if windows else text)
    assert (faults == [] or not printers) and notes == []
    assert repr(_floats(dumps)) == repr(_floats([printer.expected for printer in printers]))


def _floats(dumps: list[Rows]) -> list[Rows]:
    """Numbers as doubles, as gem5 holds them; -0 as 0."""
    return [[(name, float(value) + 0.0) for name, value in dump] for dump in dumps]


@settings(deadline=None, max_examples=examples(40))
@given(printed(), st.data())
def test_a_damaged_row_costs_no_other(printer: Printer, data: st.DataObject) -> None:
    lines = list(printer.lines)
    at = data.draw(st.integers(0, len(lines)))
    lines.insert(at, data.draw(st.sampled_from(["x.y 12x # bad", "x.y", "x.y 1 2 3", "\ufffd"])))
    dumps, faults, _ = _rows(_dump(*lines))
    assert len(faults) == 1 and "1 row cannot be read" in faults[0]
    assert repr(_floats(dumps)) == repr(_floats([printer.expected]))
