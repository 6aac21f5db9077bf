# SPDX-License-Identifier: BSD-3-Clause
"""Texts of many equal tables, by column: exact to the byte, and bounded where they are damaged."""

import lzma
import re
import tracemalloc
from pathlib import Path

import pytest
from examples import examples
from gem5_printer import Printer
from hypothesis import given, settings
from hypothesis import strategies as st

from osgap.base import columns, inputs
from osgap.base.columns import ColumnsError, decode, encode

GEM5_STATS = Path(__file__).parents[1] / "gem5stats"
HEAD = b"osgap columns 1 "


def _text(count: int = 6, rows: int = 40) -> bytes:
    """Dumps of rows that some dumps lack, with values that fill their column and more."""
    dumps = []
    for at in range(count):
        printer = Printer()
        for row in range(rows):
            if (at + row) % 5:
                printer.scalar(f"board.cache{row}.hits", 7**at * row, "hits", "Count")
        printer.vector("ops", [at, 5 - at, 10.0**13], ["a", "b", "c"], "of 100% # all", "Count")
        dumps.append(printer.dump())
    return "".join(dumps).encode()


def test_a_text_of_dumps_is_much_shorter_and_the_same_again() -> None:
    text = _text()
    encoded = encode(text)
    assert encoded is not None and decode(encoded) == text
    assert encoded.startswith(HEAD) and 3 * len(encoded) < len(text)
    assert b"ops::a                                   %12s %9s%% %9s%% # of 100%% # all" in encoded


@pytest.mark.parametrize("name", ["fixtures/gem5-24.0.0.1-o3-dumps.stats.txt.xz"])
def test_what_gem5_printed_is_the_same_again(name: str) -> None:
    text = lzma.decompress((GEM5_STATS / name).read_bytes())
    encoded = encode(text * 4)
    assert encoded is not None and decode(encoded) == text * 4


def _changed(text: bytes, old: bytes, new: bytes) -> bytes:
    assert old in text
    return text.replace(old, new, 1)


IRREGULAR = {
    "other spaces": lambda text: _changed(text, b"hits   ", b"hits"),
    "a tab": lambda text: _changed(text, b"hits   ", b"hits\t"),
    "a line of CRLF": lambda text: _changed(text, b" # hits (Count)\n", b" # hits (Count)\r\n"),
    "CRLF": lambda text: text.replace(b"\n", b"\r\n"),
    "no spaces at all": lambda text: re.sub(rb" +", b" ", text),
    "spaces at the end": lambda text: text.replace(b"\n", b" \n"),
    "zero bytes": lambda text: _changed(text, b"cache3", b"\0\0"),
    "no ASCII": lambda text: _changed(text, b"cache3", b"\xff\xc3\xa9"),
    "its own fields": lambda text: _changed(text, b"cache3", b"%12s%%d+"),
    "its own head": lambda text: HEAD + b"3\n" + text,
    "a long line": lambda text: _changed(text, b"cache3", b"x" * (1 << 20)),
    "a line of spaces": lambda text: _changed(text, b"hits   ", b" " * (1 << 17) + b"x"),
    "a long value": lambda text: _changed(text, b"hits   ", b"hits " + b"7" * 200),
    "a dump cut short": lambda text: text[: len(text) // 2].rpartition(b"\n")[0] + b"\n",
    "other order": lambda text: text + b"".join(sorted(text.splitlines(keepends=True))),
}


@pytest.mark.parametrize("how", IRREGULAR)
def test_an_irregular_text_is_exact_or_left_as_it_is(how: str) -> None:
    text = IRREGULAR[how](_text())
    encoded = encode(text)
    assert encoded is None or decode(encoded) == text


@pytest.mark.parametrize(
    "text",
    [b"", b"\n", b"\n" * 9, b"a", b"a\n" * 9, _text(1), _text()[:-1], b"no\ntable\nat all\n"],
    ids=["nothing", "a line", "lines", "a letter", "letters", "a dump", "no line end", "words"],
)
def test_what_gains_nothing_is_left_as_it_is(text: bytes) -> None:
    assert encode(text) is None


def test_rows_in_two_orders_are_left_as_they_are() -> None:
    rows = [b"row%d of some length  %%d\n" % row for row in range(20)]
    dumps = [b"begin\n" + b"".join(order) for order in (rows, rows[::-1])]
    assert encode(b"".join(dumps * 20)) is None
    assert encode(b"".join(dumps[:1] * 20)) is not None


VALUES = st.sampled_from([b"0", b"12", b"-3", b"1.5", b"nan", b"inf", b"1e-05", b"123456789012345"])
LINES = st.one_of(
    st.tuples(st.sampled_from([b"a", b"a.b::c", b"n" * 45]), VALUES, st.integers(1, 14)).map(
        lambda row: row[0].ljust(40) + b" " + row[1].rjust(row[2]) + b" # d (Count)"
    ),
    st.binary(max_size=20),
    st.sampled_from(
        [b"", b"begin", b"%", b"%5s", b"%%", b"+", b" ", b"a 1% 2% # 3%", b"\r", b"\0"]
    ),
)


@settings(deadline=None, max_examples=examples(400))
@given(
    dumps=st.lists(st.lists(LINES, max_size=6).map(tuple), min_size=1, max_size=3),
    order=st.lists(st.integers(0, 2), max_size=12),
    ends=st.sampled_from([b"\n", b""]),
)
def test_any_text_is_exact(dumps: list[tuple[bytes, ...]], order: list[int], ends: bytes) -> None:
    lines = [line for at in order for line in (b"begin", *dumps[at % len(dumps)])]
    for text in (b"\n".join(lines) + ends, (b"\n".join(lines) + b"\n") * 8):
        encoded = encode(text)
        assert encoded is None or decode(encoded) == text


@settings(deadline=None, max_examples=examples(300))
@given(st.data())
def test_damaged_columns_are_another_text_or_one_sentence(data: st.DataObject) -> None:
    encoded = bytearray(encode(_text(4, 8)) or b"")
    how = data.draw(st.sampled_from(["cut", "changed", "twice", "any"]))
    at = data.draw(st.integers(0, len(encoded) - 1))
    if how == "cut":
        del encoded[at:]
    elif how == "changed":
        encoded[at] = data.draw(st.sampled_from(b"\n% 09s\0+\xff"))
    elif how == "twice":
        encoded += encoded[at:]
    else:
        encoded = bytearray(HEAD + data.draw(st.binary(max_size=60)))
    try:
        decode(bytes(encoded))
    except ColumnsError as error:
        assert "\n" not in str(error) and len(str(error)) < 100


@pytest.mark.parametrize(
    ("encoded", "words"),
    [
        (b"", "does not begin with osgap columns 1"),
        (b"osgap columns 2 1\na\n+\n", "does not begin with osgap columns 1"),
        (HEAD + b"one\na\n+\n", "and a number"),
        (HEAD + b"99999999\na\n+\n", "and a number"),
        (HEAD + b"9999999\na\n+\n", "has 0 values in 2 columns"),
        (HEAD + b"1", "ends in the middle of a line"),
        (HEAD + b"0\n1\n", "has 1 value in 0 columns"),
        (HEAD + b"1\na%5s\n", "has 0 values in 1 column"),
        (HEAD + b"1\n%5s %5s\n1\n2\n3\n", "has 3 values in 2 columns"),
        (HEAD + b"1\na%5s\n1\n2", "ends in the middle of a line"),
        (HEAD + b"1\na%5d\n1\n", "another field than %NUMBERs"),
        (HEAD + b"1\na%(x)s\n1\n", "another field than %NUMBERs"),
        (HEAD + b"1\na%*s\n1\n", "another field than %NUMBERs"),
        (HEAD + b"1\na%999s\n1\n", "another field than %NUMBERs"),
        (HEAD + b"1\na%\n1\n", "another field than %NUMBERs"),
    ],
)
def test_what_is_wrong_is_said(encoded: bytes, words: str) -> None:
    with pytest.raises(ColumnsError, match=words):
        decode(encoded)


def test_few_bytes_do_not_become_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "LARGEST", 16 << 20)
    long = HEAD + b"1\n" + b"x" * (1 << 20) + b"\n" + b"+\n" * 1000
    wide = HEAD + b"1\n" + b"%99s" * 4 + b"\n" + b"1\n" * 400_000
    tracemalloc.start()
    for encoded in (long, wide):
        with pytest.raises(ColumnsError, match="is a text of more than 16777216 bytes"):
            decode(encoded)
    monkeypatch.setattr(columns, "MOST_LINES", 1000)
    with pytest.raises(ColumnsError, match="has more lines than 1000"):
        decode(HEAD + b"1\n" + b"\n" * (8 << 20))
    assert tracemalloc.get_traced_memory()[1] < 64 << 20
    tracemalloc.stop()


def test_a_text_above_the_bounds_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    text = _text()
    encoded = encode(text)
    assert encoded is not None
    monkeypatch.setattr(inputs, "LARGEST", len(text) - 1)
    assert encode(text) is None
    monkeypatch.undo()
    monkeypatch.setattr(columns, "MOST_LINES", encoded.count(b"\n") - 1)
    assert encode(text) is None
