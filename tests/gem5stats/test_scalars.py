# SPDX-License-Identifier: BSD-3-Clause
"""The fast reader gives the values, the lines and the errors of the parser of every row."""

import io
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.base import packed
from osgap.base.errors import OsgapError
from osgap.gem5stats import scalars
from osgap.gem5stats.figures import figures
from osgap.gem5stats.gem5text import BEGIN, END, LONGEST_LINE, parse
from osgap.gem5stats.scalars import figure_scalars, read_scalars
from osgap.gem5stats.textrow import Number

FIXTURES = Path(__file__).parent / "fixtures"
ROW = "simTicks                                    57467000                       # Ticks (Tick)"
DUMP = f"\n{BEGIN}\n{ROW}\nsimInsts 12 80.00% 80.00% # instructions\n\n{END}\n"
UNUSUAL = [
    "hist |          30     75.00%     75.00% |           0      0.00%     75.00% # buckets",
    "huge 1e+300",
    "endless 1e+400",
    "ratio -nan # none",
    "no_value # a description",
    "three 1 2% 3% 4%",
    "-----name 5",
    " indented 5",
    "tab\t5",
    "carriage 5\r",
    "not_ascii 5 # µs",
    "arabic ٣",
    ROW,
    BEGIN,
    END,
    "long 5 # " + LONGEST_LINE * "x",
]


Outcome = tuple[list[tuple[int, str]], str]


def outcome(dumps: Iterator[tuple[int, Mapping[str, Number]]]) -> Outcome:
    """First lines and values of the dumps up to an error, and the error's message."""
    found: list[tuple[int, str]] = []
    try:
        for line, values in dumps:
            # As text: integers differ from floats, and NaN equals NaN.
            found.append((line, repr({name: 1 * values[name] for name in values})))
    except OsgapError as error:
        return found, str(error)
    return found, ""


def both(text: str | bytes) -> tuple[Outcome, Outcome]:
    content = text.encode() if isinstance(text, str) else text

    def opened() -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="\n")

    slow = ((dump.line, dump.scalars()) for dump in parse(opened(), "stats.txt"))
    return outcome(read_scalars(opened, "stats.txt")), outcome(slow)


@pytest.mark.parametrize("name", sorted(path.name for path in FIXTURES.glob("*.txt*")))
def test_the_fixtures_read_as_the_parser_reads_them(name: str) -> None:
    with packed.open_text(FIXTURES / name) as stream:
        fast, slow = both(stream.read())
    assert fast == slow
    assert fast[0]


@pytest.mark.parametrize("core", ["cores.core", "cores0.core"])
def test_the_figures_of_a_text_without_an_error_are_those_of_all_rows(core: str) -> None:
    with packed.open_text(FIXTURES / "gem5-24.0.0.1-o3.stats.txt.xz") as stream:
        text = stream.read().replace("cores.core", core)
    rows = read_scalars(lambda: io.StringIO(text), "stats.txt")
    figures_of_all = repr([figures(values, "stats.txt") for _, values in rows])
    assert repr([figures(values, "stats.txt") for values in figure_scalars(text)]) == figures_of_all
    assert figures_of_all.count("insts") >= 4


@pytest.mark.parametrize("row", UNUSUAL, ids=lambda row: row[:20].strip())
@pytest.mark.parametrize("dump", [0, 1, 2])
def test_an_unusual_row_in_any_dump_is_read_or_refused_as_by_the_parser(
    row: str, dump: int
) -> None:
    dumps = 3 * [DUMP]
    dumps[dump] = DUMP.replace(f"{ROW}\n", f"{ROW}\n{row}\n")
    fast, slow = both("".join(dumps))
    assert fast == slow


@given(st.integers(0, 2 * len(DUMP)), st.binary(max_size=3))
def test_a_cut_or_damaged_text_is_refused_as_by_the_parser(end: int, more: bytes) -> None:
    fast, slow = both((2 * DUMP)[:end].encode() + more)
    assert fast == slow


def test_usual_dumps_are_read_without_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = f"{ROW}\na.b::total 0.000057 # x\nc nan # y\nd inf\ne 4.9e-05 # (Count)"
    text = 3 * DUMP.replace(ROW, rows)
    expected = both(text)[1]
    monkeypatch.setattr(scalars, "parse", lambda *_: pytest.fail("used the parser of every row"))
    monkeypatch.setattr(scalars, "_CHUNK", 100)
    assert outcome(read_scalars(lambda: io.StringIO(text), "stats.txt")) == expected
    (_, values), *_ = read_scalars(lambda: io.StringIO(text), "stats.txt")
    assert math.isnan(values["c"]) and type(values["simTicks"]) is int
