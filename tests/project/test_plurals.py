# SPDX-License-Identifier: BSD-3-Clause
"""A number stands before a noun in the number's form: 1 point, 2 points."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from checkout import ROOT
from trees import SOURCES, nodes

from osgap.base.quoting import counted

_NOUNS = re.compile(
    r" (?:more )?(points|runs|rows|regions|benchmarks|statistics|dumps|columns|cells|intervals"
    r"|programs|arguments|jobs|cores|batches|requests|words|values|ratios|lines)\b(?!=)"
)
_SEVERAL = {
    "drawing/frame_table.py": "more names than fit",
    "figures/_findings.py": "more than one",
    "gem5stats/dumps.py": "a dump before another",
    "gem5stats/gem5json.py": "a limit",
    "gem5stats/textrow.py": "more than one",
    "image/programs.py": "more than a limit",
    "predict/prediction.py": "more than one, or none",
    "printing/headline.py": "a word in place of a number",
    "report/agreement.py": "of the drawn machines",
    "report/sections/provenance.py": "more than one",
    "suites/ousterhout/andrew.py": "more than one, or none",
    "suites/raveling/hypothesis.py": "a limit",
}
"""Modules where a plural stands behind a number, and why it is not 1."""


def _plurals(text: str) -> Iterator[str]:
    """The nouns behind a value that `counted` has not put there."""
    for node in nodes(text):
        values = node.values if isinstance(node, ast.JoinedStr) else []
        for value, behind in pairwise(values):
            if isinstance(value, ast.FormattedValue) and isinstance(behind, ast.Constant):
                match = _NOUNS.match(str(behind.value))
                if match and "counted(" not in ast.unparse(value.value):
                    yield match[1]


@SOURCES
def test_a_noun_behind_a_number_is_counted() -> None:
    package = ROOT / "osgap"
    uncounted = {
        str(path.relative_to(package)): plurals
        for path in sorted(package.rglob("*.py"))
        if (plurals := list(_plurals(path.read_text(encoding="utf-8"))))
    }
    assert uncounted.keys() == _SEVERAL.keys(), uncounted


def test_a_planted_plural_is_found() -> None:
    assert list(_plurals("f'{len(a)} of {n} points: {counted(n, \"run\")} runs'")) == ["points"]


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [
        (0, "point", "0 points"),
        (1, "point", "1 point"),
        (2, "batch", "2 batches"),
        (1, "batch", "1 batch"),
        (0.5, "CPU", "0.5 CPUs"),
    ],
)
def test_the_form_of_a_noun(count: float, noun: str, text: str) -> None:
    assert counted(count, noun) == text
