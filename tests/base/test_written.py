# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that are shown as they were written are plain numbers in all else."""

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.base.config import ConfigError, read_model
from osgap.base.quoting import quoted
from osgap.base.written import WrittenFloat, WrittenInt
from osgap.sweep.spec import SweepFile

TEXTS = st.from_regex(r"-?[0-9]{1,9}(\.[0-9]{1,9})?(e-?[0-9]{1,2})?", fullmatch=True)


@given(text=TEXTS)
def test_a_number_is_shown_as_its_text_and_computed_with_as_its_value(text: str) -> None:
    number, value = WrittenFloat(text), float(text)
    assert quoted(number) == str(number) == repr(copy.deepcopy(number)) == text
    assert number == value and hash(number) == hash(value)
    assert json.dumps([number]) == json.dumps([value]) and f"{number:g}" == f"{value:g}"
    assert type(number * 1) is float and repr(number * 1) == repr(value)


def test_a_whole_number_is_shown_as_its_text() -> None:
    number = WrittenInt("007")
    assert (
        quoted([number]) == "[007]" and number == 7 and json.dumps(number) == f"{number:d}" == "7"
    )


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("clock_mhz = [0.00]", r"clock_mhz\.0: found 0\.00; allowed: a number from 0\.01"),
        ("timeout_s = 1_0e6", r"timeout_s: found 1_0e6; allowed: a number"),
        ("fs = 1.50", r"fs: found 1\.50; allowed: a list"),
    ],
)
def test_an_error_of_a_file_shows_a_number_as_the_file_does(
    tmp_path: Path, line: str, sentence: str
) -> None:
    path = tmp_path / "sweep.toml"
    path.write_text(f'description = "x"\nmachine = "base"\n{line}\n')
    with pytest.raises(ConfigError, match=sentence):
        read_model(path, SweepFile)


def test_a_checked_number_is_a_plain_one(tmp_path: Path) -> None:
    path = tmp_path / "sweep.toml"
    path.write_text('description = "x"\nmachine = "base"\nclock_mhz = [20.50]\ntimeout_s = 9.0\n')
    sweep = read_model(path, SweepFile)
    (clock,) = sweep.clock_mhz  # type: ignore[attr-defined]
    assert type(clock) is type(sweep.timeout_s) is float
    assert '"clock_mhz":[20.5]' in sweep.model_dump_json()
