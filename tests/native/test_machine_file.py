# SPDX-License-Identifier: BSD-3-Clause
"""`osgap native --machine-file`: from a board's output to a machine that a sweep simulates."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import measured
import pytest
from board_trees import VISIONFIVE2, measured_text
from stderr import sentences
from test_import import osgap

from osgap.base.paths import project_root
from osgap.drawing import figure
from osgap.machines.machine import load_machine

BASE = project_root() / "configs" / "machines" / "base.toml"


@pytest.fixture(autouse=True)
def _undrawn() -> Iterator[None]:
    """No figure is drawn, which takes most of the time."""
    with patch.object(figure, "render", lambda *_, **_options: []):
        yield


@pytest.fixture
def machines(tmp_path: Path) -> Path:
    """A folder of machine files."""
    (folder := tmp_path / "machines").mkdir()
    (folder / "base.toml").write_text(BASE.read_text())
    return folder


@pytest.mark.slow
def test_an_imported_board_becomes_a_machine_that_is_swept(tmp_path: Path, machines: Path) -> None:
    (output := tmp_path / "measured.txt").write_text(measured_text(VISIONFIVE2, {}))
    path = machines / "my-board.toml"
    words = ("native", "--import", output, "--output", tmp_path / "run", "--machine-file", path)
    status, out, err = osgap(*words)
    assert status == 0, err
    assert f"machine file: {path}" in out
    assert path.read_text().startswith("# my-board: written by `osgap native --machine-file`.")
    assert load_machine(path).cpu.clock_mhz.value == 1500
    status, out, err = osgap(
        "sweep", "--machines", machines, "--machine", "my-board", "--dry-run", "--run", "checks"
    )
    assert status == 0, err
    assert "my-board" in out and "1500" in out
    status, _, err = osgap(*words[:3], "--output", tmp_path / "again", *words[5:])
    assert status == 2 and "my-board.toml: exists; allowed: a new file" in sentences(err)[0]
    assert not (tmp_path / "again").exists()


@pytest.mark.slow
def test_a_measurement_without_chases_is_a_run_and_no_machine(
    tmp_path: Path, machines: Path
) -> None:
    words = ("native", "--import", measured.file(tmp_path), "--output", tmp_path / "run")
    status, out, err = osgap(*words, "--machine-file", machines / "new.toml")
    assert status == 2 and f"finished: {tmp_path / 'run'}" in out
    assert sentences(err)[-1].endswith(
        "a measurement with boards/chase_16k and so on (--run boards)"
    )
    assert not (machines / "new.toml").exists()


def test_a_bundle_has_no_machine_file(tmp_path: Path) -> None:
    status, _, err = osgap("native", "--bundle", "riscv64", "--machine-file", tmp_path / "x.toml")
    assert status == 2 and "--machine-file: found beside --bundle" in sentences(err)[0]
