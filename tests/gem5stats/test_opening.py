# SPDX-License-Identifier: BSD-3-Clause
"""A bar on a terminal while a large file is read."""

import gzip
import lzma
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from stats_texts import write_stats
from streams import streams

from osgap.gem5stats import anytext, opening
from osgap.gem5stats.tree import load


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
        found = load(Path(), "x")
    assert found.table["x"].tolist() == list(range(500)) and found.faults == ()
    shown = re.findall(rf"Reading {file.name}.*?([0-9.]+)/([0-9.]+) ([kM]?B)", err.text())
    if watched and least == 10:
        unit = {"B": 1, "kB": 1000, "MB": 1_000_000}[shown[-1][2]]
        assert shown[-1][0] == shown[-1][1]
        assert float(shown[-1][1]) * unit == pytest.approx(file.stat().st_size, rel=0.02)
    else:
        assert err.text() == ""


@settings(deadline=None, max_examples=examples(100))
@given(cut=st.floats(0, 1, exclude_max=True), pack=st.sampled_from([gzip.compress, lzma.compress]))
def test_of_a_packed_file_cut_anywhere_the_first_rows_are_kept(
    tmp_path_factory: pytest.TempPathFactory, cut: float, pack: Callable[[bytes], bytes]
) -> None:
    rows = {f"x{at}": at * 7919 for at in range(300)}
    file = write_stats(tmp_path_factory.mktemp("cut") / "stats.txt", rows)
    packed = pack(file.read_bytes())
    file.write_bytes(packed[: int(cut * len(packed))])
    source = anytext.read(file)
    kept = [(row.name, row.value) for dump in source.dumps for row in dump.rows]
    assert kept == list(rows.items())[: len(kept)]
    assert source.faults and len(kept) >= 300 * cut - 250
