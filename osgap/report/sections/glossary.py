# SPDX-License-Identifier: BSD-3-Clause
"""Section of the words of a page with their meanings."""

from __future__ import annotations

from osgap.drawing.display_names import display_names
from osgap.report.blocks import PageSection, Terms

_WORDS = (
    ("MIPS rating", "a processor's speed: millions of user instructions a second, of a fixed mix"),
    (
        "R, MIPS-relative speed",
        "how many times faster a benchmark got, divided by how many times faster the MIPS rating "
        "got; 1: it kept up, 0.5: it got half",
    ),
    ("mean R", "the geometric mean of R over a set of benchmarks"),
    ("reference", "the machine to which R is relative: the slowest clock, or the MicroVAX II"),
    ("layout", "the order in which code and data lie in memory; another order gives other times"),
    (
        "95 % interval",
        "of the mean over layouts, or where one more layout lies: the page says it",
    ),
    ("batch", "one repetition of a benchmark, timed as a whole; results are medians of batches"),
    ("memory stall", "cycles in which the processor waits for memory"),
)


def section() -> PageSection:
    """The section, which every page has."""
    series = [(f"series {entry.name}", entry.meaning) for entry in display_names().series.values()]
    return PageSection("glossary", "Words", [Terms([*_WORDS, *series])])
