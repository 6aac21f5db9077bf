# SPDX-License-Identifier: BSD-3-Clause
"""The README is short, and its numbers are those of the committed tables."""

import csv

import pytest

from osgap.base.paths import project_root

LOCKED = project_root() / "results" / "locked"
README = (project_root() / "README.md").read_text(encoding="utf-8")
FINDINGS = " ".join(README.partition("## What we found")[2].partition("\n## ")[0].split())


def rows(run: str, name: str, /, **cells: str) -> list[dict[str, str]]:
    """The rows of the table `name` of a locked run that have these cells."""
    with (LOCKED / run / "tables" / f"{name}.csv").open(newline="") as stream:
        return [row for row in csv.DictReader(stream) if cells.items() <= row.items()]


def interval(benchmark: str = "", series: str = "fixed") -> dict[str, float]:
    """R at 640 MHz over results/locked/layouts/five-layouts, rounded as in the README."""
    quantity = {"quantity": "R", "benchmark": benchmark} if benchmark else {"quantity": "mean_R"}
    cells = quantity | {"series": series, "clock_mhz": "640"}
    cells |= {} if benchmark else {"set": "figure1"}
    (row,) = rows("layouts/five-layouts/rvsim", "layouts", **cells)
    names = ("estimate", "low", "high", "one_low", "one_high")
    return {name: round(float(row[name]), 2) for name in names}


def test_the_readme_has_at_most_120_lines() -> None:
    assert len(README.splitlines()) <= 120


def test_the_mean_of_each_series() -> None:
    fixed, memory, disk = (interval(series=name) for name in ("fixed", "memory", "disk"))
    assert f"R = {fixed['estimate']} (95 % interval: {fixed['low']} to {fixed['high']})" in FINDINGS
    assert f"like the clock, it is {memory['estimate']}." in FINDINGS
    spread = f"({disk['low']:.2f} to {disk['high']:.2f})"
    assert f"like the clock, it is {disk['estimate']:.2f} {spread}" in FINDINGS


def test_the_figures_caption_is_32_times_the_mean() -> None:
    fixed = interval()
    assert 32 * fixed["low"] > 7 and 32 * fixed["high"] <= 8
    assert "32 times faster makes the operating system between 7 and 8 times faster" in README


def test_the_spread_of_one_more_build() -> None:
    switch = interval("cswitch")
    assert f"with R from {switch['one_low']:.2f} to {switch['one_high']:.2f}" in FINDINGS


def test_the_papers_machines_are_no_nearer_than_the_null_model() -> None:
    skill = rows("paper/fitted", "skill", rows="figure1", scale="own", table="all")
    (rvsim,) = [row for row in skill if row["model"] == "rvsim"]
    assert f"{float(rvsim['cell_median_factor']):.2f} in the median" in FINDINGS
    assert float(rvsim["cell_skill_low"]) < 0 < float(rvsim["cell_skill_high"])


def test_beside_the_costs_of_1990_stands_the_model_that_knows_them() -> None:
    skill = rows("paper/period", "skill", rows="figure1", scale="own", table="all")
    factors = {row["model"]: f"{float(row['cell_median_factor']):.2f}" for row in skill}
    assert (
        f"it errs by {factors['rvsim_period']} (rvsim) and {factors['gem5_period']} (gem5); that "
        f"model with the same facts by {factors['informed_null']}."
    ) in FINDINGS


@pytest.mark.parametrize(("name", "label"), [("getpid", "getpid"), ("read", "read of a cached")])
def test_the_example_of_r(name: str, label: str) -> None:
    (line,) = [line for line in README.splitlines() if line.startswith(f"| {label}")]
    before, after, ratio, speed = (cell.strip() for cell in line.split("|")[2:6])
    slow, fast = (_example(name, clock) for clock in ("20", "640"))
    assert _close(before, slow["value"]) and _close(after, fast["value"])
    times = float(fast["value"]) / float(slow["value"])
    assert _close(ratio, times if fast["metric"] == "MB/s" else 1 / times)
    assert speed == f"{float(fast['relative']):.2f}"
    assert "the processor gets 32 times faster" in README
    assert round(float(fast["mips"]) / float(fast["reference_mips"])) == 32


def _example(name: str, clock: str) -> dict[str, str]:
    (row,) = rows("curve/default", "relative", benchmark=name, series="fixed", clock_mhz=clock)[:1]
    return row


def _close(cell: str, value: str | float) -> bool:
    """Whether a printed cell is the value, to the digits that it has."""
    number = cell.split()[0]
    digits = len(number.partition(".")[2])
    return number == f"{float(value):.{digits}f}"


def test_the_means_of_both_simulators() -> None:
    means = {}
    for run in ("default", "gem5"):
        (row,) = rows(f"curve/{run}", "geomean", set="figure1", series="fixed", clock_mhz="640")
        means[run] = f"{float(row['geomean']):.2f}"
    text = " ".join(README.split())
    assert f"the mean is {means['default']} on rvsim and {means['gem5']} on gem5" in text
