# SPDX-License-Identifier: BSD-3-Clause
"""A bar on a terminal while a large file is read."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from stats_texts import write_stats
from streams import streams

from osgap.gem5stats import opening
from osgap.gem5stats.tree import collect


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(("watched", "least"), [(True, 10), (False, 10), (True, 10_000_000)])
def test_a_large_file_has_a_bar_on_a_terminal_and_is_read_the_same(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pack: Callable[[bytes], bytes],
    watched: bool,
    least: int,
) -> None:
    text = write_stats(tmp_path / "text", *({"x": at} for at in range(500)))
    file = tmp_path / ("stats.txt" if pack is bytes else "stats.txt.gz")
    file.write_bytes(pack(text.read_bytes()))
    text.unlink()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(opening, "_LARGE", least)
    with streams(watched=watched) as (_, err):
        found = collect(Path(), "x")
    assert found.table["x"].tolist() == list(range(500)) and found.faults == ()
    shown = re.findall(rf"Reading {file.name}.*?([0-9.]+)/([0-9.]+) ([kM]?B)", err.text())
    if watched and least == 10:
        unit = {"B": 1, "kB": 1000, "MB": 1_000_000}[shown[-1][2]]
        assert shown[-1][0] == shown[-1][1]
        assert float(shown[-1][1]) * unit == pytest.approx(file.stat().st_size, rel=0.02)
    else:
        assert err.text() == ""
