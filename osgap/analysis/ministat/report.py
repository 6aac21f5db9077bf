# SPDX-License-Identifier: BSD-3-Clause
"""ministat's whole report, line for line."""

from __future__ import annotations

from collections.abc import Sequence

from osgap.analysis.ministat.compare import Sample, SampleError, difference
from osgap.analysis.ministat.plot import LETTERS, WIDTH, plot

_HEADING = "    N           Min           Max        Median           Avg        Stddev"


def report(
    samples: Sequence[Sample], confidence: float = 95.0, width: int = WIDTH, graph: bool = True
) -> list[str]:
    """Legend, plot, statistics, and the second's difference from the first.

    Raises SampleError unless there are one or two samples.
    """
    if not 1 <= len(samples) <= 2:
        raise SampleError(f"samples: found {len(samples)}; allowed: 1 or 2")
    lines = [f"{letter} {sample.name}" for letter, sample in zip(LETTERS, samples, strict=False)]
    if graph:
        lines += plot(samples, width)
    lines.append(_HEADING)
    lines += [vitals(letter, s) for letter, s in zip(LETTERS, samples, strict=False)]
    if len(samples) == 2:
        lines += judgement(samples[0], samples[1], confidence)
    return lines


def vitals(letter: str, sample: Sample) -> str:
    """One line of N, minimum, maximum, median, mean and standard deviation."""
    figures = (
        sample.values[0],
        sample.values[-1],
        sample.median,
        sample.mean,
        sample.stddev,
    )
    return f"{letter} {sample.n:3d}" + "".join(f" {figure:13.8g}" for figure in figures)


def judgement(first: Sample, second: Sample, confidence: float) -> list[str]:
    """The difference with its error, or that none is proven."""
    apart = difference(first, second, confidence)
    if not apart.proven:
        return [f"No difference proven at {confidence:.1f}% confidence"]
    return [
        f"Difference at {confidence:.1f}% confidence",
        f"\t{apart.difference:g} +/- {apart.error:g}",
        f"\t{apart.percent:g}% +/- {apart.percent_error:g}%",
        f"\t(Student's t, pooled s = {apart.pooled_s:g})",
    ]
