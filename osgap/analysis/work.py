# SPDX-License-Identifier: BSD-3-Clause
"""What two simulators did for the same benchmark: instructions, cycles of each, memory traffic."""

from collections.abc import Mapping

import pandas as pd

WORK_COLUMNS = [
    "series",
    "clock_mhz",
    "benchmark",
    "fs",
    "insts_a",
    "insts_b",
    "insts_ratio",
    "busy_cpi_a",
    "busy_cpi_b",
    "bytes_read_a",
    "bytes_read_b",
    "bytes_written_a",
    "bytes_written_b",
]
_BATCH = ["insts", "busy_cpi", "bytes_read", "bytes_written"]
_BENCHMARK = ["benchmark", "fs"]


def work_table(a: Mapping[str, pd.DataFrame], b: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """A row for each benchmark on each point that both have (columns WORK_COLUMNS).

    Each is the median over the batches of one region: instructions, bytes that memory read and
    wrote, and `busy_cpi`, the cycles that were not idle by the instructions.
    """
    keys = ["series", "clock_mhz", *_BENCHMARK]
    merged = _batches(a).merge(_batches(b), on=keys, suffixes=("_a", "_b"))
    merged["insts_ratio"] = merged["insts_b"] / merged["insts_a"].where(merged["insts_a"] > 0)
    return merged[WORK_COLUMNS]


def _batches(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    samples = tables["samples"]
    busy = samples["cycles"] - samples["idle_cycles"]
    samples = samples.assign(busy_cpi=busy / samples["insts"].where(samples["insts"] > 0))
    medians = samples.groupby(["key", *_BENCHMARK], sort=False)[_BATCH].median().reset_index()
    places = tables["points"][["series", "clock_mhz", "key"]]
    return places.merge(medians, on="key")
