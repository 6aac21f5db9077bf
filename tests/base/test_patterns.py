# SPDX-License-Identifier: BSD-3-Clause
"""Patterns for numbers in what programs print."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.base import patterns
from osgap.base.errors import OsgapError
from osgap.base.patterns import Number, numbers, parse_pattern

TEXT = "Simple syscall: 0.5 microseconds\nread 12\nread 1e3\nread many\nread 7 read 8\n"


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        (r"null:us=syscall: ([0-9.]+)", [(1, 0.5)]),
        (r"read=read (\S+)", [(2, 12.0), (3, 1000.0), (5, 7.0)]),
        (r"none=write (\S+)", []),
        (r"dots=([.]+)", []),
        (r"maybe=read|(x)", []),
    ],
)
def test_each_line_gives_its_first_number(pattern: str, wanted: list[tuple[int, float]]) -> None:
    assert numbers(parse_pattern(pattern), TEXT, "it") == [Number(*one) for one in wanted]


def test_a_unit_belongs_to_the_name() -> None:
    made = parse_pattern("rate:MB/s=a=(.)")
    assert (made.name, made.unit, made.regex.pattern) == ("rate", "MB/s", "a=(.)")
    assert parse_pattern("rate=(.)").unit == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "allowed: NAME=REGEX or NAME:UNIT=REGEX"),
        ("=(.)", "allowed: NAME=REGEX"),
        ("a=", "allowed: NAME=REGEX"),
        ("A=(.)", "allowed: NAME=REGEX"),
        ("a:b c=(.)", "allowed: NAME=REGEX"),
        ("a=(" + "." * 400 + ")", "300 characters at most"),
        ("a=(", "allowed: a regular expression, which this is not: missing )"),
        ("a=(.){99999999999}", "allowed: a regular expression, which this is not"),
        ("a=.", "allowed: one group, around the number, as in ([0-9.]+), not 0"),
        ("a=(.)(.)", "not 2"),
    ],
)
def test_what_is_no_pattern_is_a_sentence(text: str, words: str) -> None:
    with pytest.raises(OsgapError) as caught:
        parse_pattern(text)
    assert str(caught.value).startswith("pattern: found ") and words in str(caught.value)


@given(text=st.text(max_size=30))
def test_any_text_is_a_pattern_or_a_sentence(text: str) -> None:
    for one in (text, f"a={text}", f"a=({text})"):
        try:
            numbers(parse_pattern(one), TEXT, "it")
        except OsgapError as error:
            assert "allowed: " in str(error)


def test_what_would_never_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "LIMIT_S", 0.2)
    slow = parse_pattern("a=(x+x+)+y")
    with pytest.raises(OsgapError, match=r"pattern a: takes more than 0\.2 s over it; allowed"):
        numbers(slow, "x" * 100, "it")
    assert numbers(slow, "x" * 5, "it") == []


def test_only_the_beginning_of_a_line_is_looked_at() -> None:
    pattern = parse_pattern("a=b([0-9])")
    assert numbers(pattern, "x" * (patterns.LONGEST_LINE - 2) + "b1", "it") == [Number(1, 1.0)]
    assert numbers(pattern, "x" * (patterns.LONGEST_LINE - 1) + "b1", "it") == []


def test_elsewhere_than_in_the_main_thread_numbers_are_found_too() -> None:
    told: list[list[Number]] = []
    thread = threading.Thread(
        target=lambda: told.append(numbers(parse_pattern("a=([0-9])"), "1", "it"))
    )
    thread.start()
    thread.join()
    assert told == [[Number(1, 1.0)]]
