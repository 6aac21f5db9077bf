# SPDX-License-Identifier: BSD-3-Clause
"""`osgap kernel-ab` from its words to its tables and its page, on an engine that computes."""

from pathlib import Path

import pandas as pd
import pytest
from test_change import patch

from osgap.cli.main import main

_FAKE = ["--engine", "fake", "--run", "integer_mix,getpid,cswitch,create_delete_0"]


def _ab(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["kernel-ab", *words])
    streams = capsys.readouterr()
    return status, streams.out, streams.err


def _table(output: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(output / "tables" / f"{name}.csv", keep_default_na=False)


def test_a_kernel_beside_its_patched_self(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "ab"
    words = [str(patch(tmp_path)), *_FAKE, "--layouts", "2", "--output", str(output)]
    status, out, err = _ab(capsys, *words)
    assert status == 0, err
    assert "mine.patch: none of 3 rows differs." in out
    assert "2 layouts of each kernel" in out and str(output / "report.html") in out
    rows = _table(output, "kernel_ab")
    # The computed times know no kernel: all pairs are equal.
    assert set(rows["verdict"]) == {"no difference"} and set(rows["percent"]) == {0.0}
    assert list(rows["benchmark"]) == ["getpid", "cswitch", "create_delete_0"]
    layouts = _table(output, "kernel_ab_layouts")
    assert layouts.groupby("side")["layout"].apply(lambda s: sorted(set(s))).to_dict() == {
        "base": [0, 1],
        "changed": [0, 1],
    }
    page = (output / "report.html").read_text()
    assert "Does the change matter?" in page and "+b" in page
    before = sorted(path for path in output.rglob("*") if path.parent.name == "points")
    assert _ab(capsys, *words)[0] == 0
    assert before == sorted(path for path in output.rglob("*") if path.parent.name == "points")


def test_a_kernel_beside_itself_has_other_layouts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "itself"
    status, out, err = _ab(capsys, *_FAKE, "--layouts", "3", "--output", str(output))
    assert status == 0, err
    assert "a row that differs is a false alarm" in out
    layouts = _table(output, "kernel_ab_layouts")
    assert layouts.groupby("side")["layout"].apply(lambda s: sorted(set(s))).to_dict() == {
        "base": [0, 1, 2],
        "changed": [3, 4, 5],
    }


@pytest.mark.slow
def test_two_machines_and_clocks_are_rows_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "ab"
    words = [str(patch(tmp_path)), *_FAKE, "--layouts", "2", "--output", str(output)]
    status, out, err = _ab(capsys, *words, "--machine", "base,hohmuth", "--cpu-mhz", "20,40")
    assert status == 0, err
    rows = _table(output, "kernel_ab")
    assert len(rows) == 3 * 4 and len(rows[["machine", "clock_mhz"]].drop_duplicates()) == 4
    assert "16 points to run" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--layouts 1", "--layouts: found 1; allowed: 2 to 500"),
        ("--machine bose", "--machine: there is no machine 'bose'"),
        ("--variant gone", "--variant: there is no variant 'gone'"),
        ("--engine gone", "--engine: there is no engine 'gone'"),
        ("--run ousterhout/getpit", "--run: there is no benchmark or suite"),
        ("nowhere.patch", "nowhere.patch: cannot be read: No such file"),
        ("--base nowhere", "nowhere: cannot be read: No such file"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = _ab(capsys, *words.split(), "--dry-run")
    assert status == 2 and not out
    assert sentence in err and err.count("\n") == 1
