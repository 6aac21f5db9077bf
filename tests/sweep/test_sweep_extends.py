# SPDX-License-Identifier: BSD-3-Clause
"""Sweep files that extend others."""

from pathlib import Path

import pytest

from osgap.base.config import ConfigError
from osgap.sweep.spec import load_sweep

FIRST = (
    'description = "first"\nmachine = "base"\nclock_mhz = [20, 40]\nprogram = "hello"\n'
    '[sets]\n"getpid.count" = 4\n"getpid.batches" = 3\n'
)


@pytest.fixture
def sweeps(tmp_path: Path) -> Path:
    (folder := tmp_path / "sweeps").mkdir()
    (folder / "first.toml").write_text(FIRST)
    return folder


def _written(sweeps: Path, text: str) -> Path:
    path = sweeps / "second.toml"
    path.write_text(f'extends = "first"\n{text}')
    return path


def test_only_what_differs_is_written(sweeps: Path) -> None:
    text = 'description = "second"\nclock_mhz = [80]\n[sets]\n"getpid.count" = 9\n'
    second = load_sweep(_written(sweeps, text))
    assert second.description == "second" and second.machine == ("base",)
    assert second.clock_mhz == (80,)
    assert second.sets == {"getpid.count": 9, "getpid.batches": 3}
    assert second.program == ()
    assert "extends" not in second.model_dump()


def test_the_file_is_in_the_same_folder_or_in_the_one_above(sweeps: Path) -> None:
    (sweeps / "own").mkdir()
    path = sweeps / "own" / "third.toml"
    path.write_text('extends = "first"\ndescription = "third"\n')
    assert load_sweep(path).clock_mhz == (20, 40)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "second.toml: description: missing"),
        ('description = "x"\nclock_mhz = 3\n', "second.toml: clock_mhz: found 3"),
        ('description = "x"\nunknown = 3\n', "second.toml: unknown: unknown key"),
    ],
)
def test_an_error_names_the_file_that_has_the_key(sweeps: Path, text: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_sweep(_written(sweeps, text))
    assert sentence in str(error.value)


def test_an_inherited_fault_is_the_other_files(sweeps: Path) -> None:
    (sweeps / "first.toml").write_text(FIRST.replace("[20, 40]", '"fast"'))
    with pytest.raises(ConfigError, match=r"first\.toml: clock_mhz: found 'fast'"):
        load_sweep(_written(sweeps, 'description = "x"\n'))


def test_a_file_that_is_missing_and_a_circle_are_named(sweeps: Path) -> None:
    path = _written(sweeps, 'description = "x"\n')
    path.write_text('extends = "frist"\ndescription = "x"\n')
    with pytest.raises(
        ConfigError, match=r"second\.toml: extends: there is no sweep 'frist'; did you mean first"
    ):
        load_sweep(path)
    path.write_text('extends = 3\ndescription = "x"\n')
    with pytest.raises(ConfigError, match=r"extends: found 3; allowed: the name of a sweep"):
        load_sweep(path)
    path.write_text('extends = "first"\ndescription = "x"\n')
    (sweeps / "first.toml").write_text(f'extends = "second"\n{FIRST}')
    with pytest.raises(ConfigError, match="allowed: no circle"):
        load_sweep(path)
