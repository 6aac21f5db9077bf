# SPDX-License-Identifier: BSD-3-Clause
"""The same row predicted twice: on two engines with one image, or on one engine with two images."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from osgap.analysis.columns import ends, sides, text
from osgap.analysis.layouts.spread import margin, total
from osgap.analysis.table import Column, Table
from osgap.suites.boards.rows import BoardRow
from osgap.suites.boards.simulated import SimulatedBoard
from osgap.suites.boards.tables import BENCHMARKS, BOARD_NAME, COMPARABLE, KIND, ROLE, ROW

ENGINES, IMAGES = "engines", "images"
PAIRS = Table(
    "board_pairs",
    "every row of the boards on two engines, and with two images: the ratio of the predicted times",
    (
        BOARD_NAME,
        ROW,
        KIND,
        ROLE,
        COMPARABLE,
        BENCHMARKS,
        text("between", "engines, with one image; or images, on one engine"),
        text("a", "the engine or image of the time above"),
        text("b", "the engine or image of the time below"),
        text("both", "the image, or the engine, of both"),
        *sides("layouts", "layouts", kind="count"),
        Column("ratio", "the time of a by that of b"),
        *ends("ratio_", "its 95 % interval over layouts"),
    ),
)


def pairs_table(rows: Sequence[BoardRow], boards: Sequence[SimulatedBoard]) -> pd.DataFrame:
    """One row for each comparison and each two engines or images of its board (PAIRS)."""
    return PAIRS.frame(_pairs(rows, boards))


def _pairs(rows: Sequence[BoardRow], boards: Sequence[SimulatedBoard]) -> Iterator[dict[str, Any]]:
    for b, a in combinations(boards, 2):
        if a.board != b.board or (a.engine == b.engine) == (a.image == b.image):
            continue
        names = (
            {"between": IMAGES, "a": a.image, "b": b.image, "both": a.engine}
            if a.engine == b.engine
            else {"between": ENGINES, "a": a.engine, "b": b.engine, "both": a.image}
        )
        for row in rows:
            first, other = (
                (a.prediction(row), b.prediction(row)) if row.board == a.board else (None, None)
            )
            if first is None or other is None:
                continue
            log = first.mean - other.mean
            several = min(first.layouts, other.layouts) > 1
            half = margin(total([first.of_mean, other.of_mean])) if several else float("nan")
            yield {
                "board": row.board,
                "row": row.name,
                "kind": row.kind,
                "role": row.role,
                "comparable": "yes" if row.comparable else "no",
                "benchmark": row.benchmark,
                **names,
                "layouts_a": first.layouts,
                "layouts_b": other.layouts,
                "ratio": float(np.exp(log)),
                "ratio_low": float(np.exp(log - half)),
                "ratio_high": float(np.exp(log + half)),
            }
