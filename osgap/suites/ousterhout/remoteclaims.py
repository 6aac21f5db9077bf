# SPDX-License-Identifier: BSD-3-Clause
"""The papers' claims about files on a server, and whether the simulation gives them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from osgap.analysis.columns import ENGINE, count, flag, text
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import Array, rank_correlations, standard_ranks
from osgap.analysis.table import Column, Table
from osgap.suites.ousterhout.published import SPRITE

REMOTE_CLAIMS = Table(
    "remote_claims",
    "the papers' claims about a server's files, and whether simulation and null models give them",
    (
        ENGINE,
        text("claim", "the claim in a sentence"),
        text("rule", "the rule by which numbers reproduce the claim, all of it"),
        text("machine", "the machine, where the number is of one"),
        text("os", "the operating system, where the number is of one"),
        text("number", "the quantity that the number is of"),
        count("cells", "printed cells, or simulated ones of a count, behind the number"),
        Column("paper", "the number by the printed values"),
        Column("simulated", "the number by the simulated values"),
        Column("null", "the null model's number, which has the counts from the simulation"),
        Column("informed", "the informed null model's"),
        flag("reproduced", "whether the simulated numbers reproduce the claim"),
        flag("null_reproduced", "whether the null model's do"),
        flag("informed_reproduced", "whether the informed null model's do"),
    ),
)
SIDES = ("paper", "simulated", "null", "informed")
VERDICTS = {"simulated": "", "null": "null_", "informed": "informed_"}
"""The simulated sides -> the prefixes of their verdicts' columns."""
_NAMED = ("MVAX2", "Sun3", "Sun4")
"""The machines whose NFS penalties the paper's text gives, by MIPS."""
_CLOSE = 1.25
_MOST_WRITES = 3.0
"""Disk writes of a block over NFS: "up to three", in the text on Table 10; in no table."""
_BLOCKS = -(-100 // 8)
"""Blocks of 8 KB that 100 KB take."""


@dataclass(frozen=True)
class RemoteClaim:
    """A claim: its sentence, its rule in words, its numbers, and its rule.

    `numbers` takes one engine's rows of the tables "remote" and "penalties" and returns rows of
    REMOTE_CLAIMS from `machine` to `informed`. `holds` takes a side's numbers and the printed ones.
    """

    sentence: str
    rule: str
    numbers: Callable[[pd.DataFrame, pd.DataFrame], list[dict[str, Any]]]
    holds: Callable[[Array, Array], bool]


def remote_claims_table(remote: pd.DataFrame, penalties: pd.DataFrame) -> pd.DataFrame:
    """The rows of REMOTE_CLAIMS from the tables "remote" and "penalties" of one paper.

    A number without all its runs is NaN, and its claim's verdict empty. A claim of which the paper
    prints no row, such as AFS's in 1989, has none.
    """
    rows = [
        row
        for engine, cells in remote.groupby("engine", sort=False)
        for claim in CLAIMS
        for row in _rows(claim, str(engine), cells, penalties[penalties["engine"] == engine])
    ]
    return REMOTE_CLAIMS.frame(rows)


def _rows(
    claim: RemoteClaim, engine: str, remote: pd.DataFrame, penalties: pd.DataFrame
) -> Iterator[dict[str, Any]]:
    numbers = claim.numbers(remote, penalties)
    sides = {side: np.array([row[side] for row in numbers], dtype=float) for side in SIDES}
    verdicts = {
        f"{prefix}reproduced": _verdict(claim, sides[side], sides["paper"])
        for side, prefix in VERDICTS.items()
    }
    for row in numbers:
        yield {"engine": engine, "claim": claim.sentence, "rule": claim.rule, **row, **verdicts}


def _verdict(claim: RemoteClaim, values: Array, printed: Array) -> str:
    if np.isnan(values).any():
        return ""
    return "yes" if claim.holds(values, printed) else "no"


def _row(
    number: str, cells: int, sides: Mapping[str, float], machine: str = "", os: str = ""
) -> dict[str, Any]:
    values = {**dict.fromkeys(SIDES, NAN), **sides}
    return {"machine": machine, "os": os, "number": number, "cells": cells, **values}


def _penalties(rows: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        _row("penalty, %", 1, {side: row[side] for side in SIDES}, row["machine"], row["os"])
        for row in rows.sort_values("mips", kind="stable").to_dict("records")
    ]


def _nfs(penalties: pd.DataFrame) -> pd.DataFrame:
    return penalties[penalties["fs"] == "nfs"]


def _named_penalties(_: pd.DataFrame, penalties: pd.DataFrame) -> list[dict[str, Any]]:
    nfs = _nfs(penalties)
    return _penalties(nfs[nfs["machine"].isin(_NAMED)])


def _sprite_penalties(_: pd.DataFrame, penalties: pd.DataFrame) -> list[dict[str, Any]]:
    return _penalties(penalties[penalties["os"] == SPRITE])


def _ranks(_: pd.DataFrame, penalties: pd.DataFrame) -> list[dict[str, Any]]:
    nfs = _nfs(penalties)
    columns = {"rank correlation with MIPS": "mips", "rank correlation with print": "paper"}
    return [
        _row(name, len(nfs), {side: _spearman(nfs[side], nfs[column]) for side in SIDES})
        for name, column in columns.items()
    ]


def _spearman(a: pd.Series, b: pd.Series) -> float:
    """The rank correlation; NaN where a value is missing, or all of a column are equal."""
    if a.isna().any() or b.isna().any():
        return NAN
    ranks = [standard_ranks(column.to_numpy(dtype=float)[None]) for column in (a, b)]
    return float(rank_correlations(*ranks)[0])


def _write_through(remote: pd.DataFrame, _: pd.DataFrame) -> list[dict[str, Any]]:
    """The times of 100 KB on Ultrix by those on Sprite, on the DECstation 3100."""
    rows = remote[(remote["machine"] == "DS3100") & (remote["metric"] == "create_delete_100k")]
    nfs = rows[rows["os"].str.startswith("Ultrix")][list(SIDES)]
    sprite = rows[rows["os"] == SPRITE][list(SIDES)]
    if len(nfs) != 1 or len(sprite) != 1:
        return []
    ratios = {side: float(nfs[side].iloc[0] / sprite[side].iloc[0]) for side in SIDES}
    return [_row("Ultrix / Sprite", 2, ratios, "DS3100")]


def _extremes(number: str, values: pd.Series, printed: float = NAN) -> list[dict[str, Any]]:
    """The least and the most of simulated counts, which are the same or nearly on all machines."""
    counts = values.dropna()
    least, most = (counts.min(), counts.max()) if len(counts) else (NAN, NAN)
    return [
        _row(f"{number}, least", len(counts), {"simulated": float(least)}),
        _row(f"{number}, most", len(counts), {"simulated": float(most), "paper": printed}),
    ]


def _calls(fs: str) -> Callable[[pd.DataFrame, pd.DataFrame], list[dict[str, Any]]]:
    """Returns the function to the calls of an open-close on one kind of server."""

    def numbers(remote: pd.DataFrame, _: pd.DataFrame) -> list[dict[str, Any]]:
        rows = remote[(remote["table"] == 9) & (remote["fs"] == fs)]
        return _extremes("calls", rows["messages"]) if len(rows) else []

    return numbers


def _block_writes(remote: pd.DataFrame, _: pd.DataFrame) -> list[dict[str, Any]]:
    nfs = remote[(remote["table"] == 10) & (remote["fs"] == "nfs")]
    if nfs.empty:
        return []
    writes = nfs.pivot(index=["machine", "os"], columns="metric", values="writes")
    beyond = writes["create_delete_100k"] - writes["create_delete_0k"]
    return _extremes("writes a block", beyond / _BLOCKS, _MOST_WRITES)


CLAIMS = (
    RemoteClaim(
        "NFS slows Andrew more on a faster machine",
        "these penalties rise with MIPS",
        _named_penalties,
        lambda values, _: bool((np.diff(values) > 0).all()),
    ),
    RemoteClaim(
        "NFS slows Andrew more on a faster machine, over all systems",
        "both are above 0",
        _ranks,
        lambda values, _: bool((values > 0).all()),
    ),
    RemoteClaim(
        "Sprite's diskless penalty on Andrew is small",
        "none is above the largest printed one",
        _sprite_penalties,
        lambda values, printed: bool((values <= printed.max()).all()),
    ),
    RemoteClaim(
        "NFS creates 100 KB many times slower than Sprite",
        "within 25 % of the printed ratio",
        _write_through,
        lambda values, printed: bool(
            (np.abs(np.log(values / printed)) <= np.log(_CLOSE) + 1e-5).all()
        ),
    ),
    RemoteClaim(
        "Sprite asks its server at each open",
        "at least one call for each",
        _calls("diskless"),
        lambda values, _: bool((values >= 1).all()),
    ),
    RemoteClaim(
        "NFS asks its server now and then",
        "some calls, but fewer than one for each open",
        _calls("nfs"),
        lambda values, _: bool(((values > 0) & (values < 1)).all()),
    ),
    RemoteClaim(
        "AFS does not ask its server at an open",
        "no call",
        _calls("afs"),
        lambda values, _: bool((values == 0).all()),
    ),
    RemoteClaim(
        "NFS writes a block by up to three writes of the disk",
        "more than one, and at most three",
        _block_writes,
        lambda values, printed: bool(((values > 1) & (values <= np.nanmax(printed))).all()),
    ),
)
