# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of any gem5's as a table for Python: osgap.load_statistics."""

import math
from pathlib import Path

import pytest

import osgap
from osgap.base.errors import OsgapError
from osgap.gem5stats.gem5text import BEGIN, END


def _file(path: Path, *dumps: str, message: str = "") -> Path:
    begin = BEGIN.replace("Statistics", f"Statistics : {message}") if message else BEGIN
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{begin}\n{rows}\n{END}\n" for rows in dumps))
    return path


def test_numbers_are_numbers_whatever_a_dump_lacks(tmp_path: Path) -> None:
    file = _file(
        tmp_path / "stats.txt", f"n 1\nx 2\nw {2**63}\nr 0.5", f"n 2\nr nan\nw {2**70}\nb#ad"
    )
    frame = osgap.load_statistics(file, select=".")
    assert list(frame) == ["file", "dump", "n", "x", "w", "r"]
    assert [str(kind) for kind in frame.dtypes[1:]] == ["int64", "int64", *["float64"] * 3]
    assert frame["n"].diff()[1] == 1 and frame["w"][1] == 2**70
    assert frame["x"][0] == 2 and math.isnan(frame["x"][1]) and math.isnan(frame["r"][1])
    (fault,) = frame.attrs["faults"]
    assert "b#ad on line" in fault and frame.attrs["notes"] == []


def test_several_paths_have_a_column_and_one_text_is_one_path(tmp_path: Path) -> None:
    a = _file(tmp_path / "a" / "stats.txt", "x 1").parent
    b = _file(tmp_path / "b" / "stats.txt", "x 2\ny 3", message="end").parent
    frame = osgap.load_statistics([a, str(b)], select="x|y")
    assert list(frame) == ["path", "file", "dump", "message", "x", "y"]
    assert frame["path"].tolist() == [str(a), str(b)] and frame["x"].tolist() == [1, 2]
    assert frame["message"].tolist() == ["", "end"]
    assert list(osgap.load_statistics(str(a), select="x")) == ["file", "dump", "x"]
    assert "path" in osgap.load_statistics((a,), select="x")


def test_an_error_is_the_readers_sentence(tmp_path: Path) -> None:
    a = _file(tmp_path / "a" / "stats.txt", "x 1").parent
    for paths, select, told in (
        (a, "(", "no regular expression"),
        (a, "^y$", f"{a}: no statistic matches '\\^y\\$'"),
        ([a, tmp_path / "none"], "x", "none: no such file or directory"),
        ([], "x", "paths: found none"),
    ):
        with pytest.raises(OsgapError, match=told):
            osgap.load_statistics(paths, select=select)


def test_a_dump_is_chosen_and_changes_are_numbers(tmp_path: Path) -> None:
    file = _file(tmp_path / "stats.txt", "x 1", "x 4")
    assert osgap.load_statistics(file, "x", differences=True)["x"].tolist() == [1, 3]
    assert osgap.load_statistics(file, "x", dump=-1)["x"].tolist() == [4]
