# SPDX-License-Identifier: BSD-3-Clause
"""What tests ask of an engine's outcome."""

import statistics

from osgap.engines.contract import Outcome
from osgap.gem5stats.gem5text import parse
from osgap.guest import protocol


def regions(stats: str) -> list[dict[str, float]]:
    """Name to value of each region's statistics, from the text of a stats.txt."""
    return [dump.scalars() for dump in parse(stats.splitlines(), "stats")]


def per_operation_ns(outcome: Outcome, name: str) -> float:
    """Median time of one operation of a benchmark."""
    samples = [s for s in protocol.parse(outcome.console).samples if s.benchmark == name]
    return statistics.median(s.guest_ns / s.count for s in samples)
