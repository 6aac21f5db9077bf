# SPDX-License-Identifier: BSD-3-Clause
"""The keys of files, from the files' models; test_docs.py says when a page is stale."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.printing.keys import PAGES, key_catalogue, keys, keys_page
from osgap.sweep.spec import load_sweep

ROOT = project_root()
FILES = {
    "machine-keys": "configs/machines",
    "sweep-keys": "configs/sweeps",
    "variant-keys": "disk-images/variants",
}


def paths(table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """The keys in a file, as the page names them; a figure and the table `sets` are one key."""
    for name, value in table.items():
        path = f"{prefix}{name}"
        if isinstance(value, dict) and "value" not in value and path != "sets":
            inner = f"{path}.ENGINE" if prefix == "fit." else path
            yield from paths(value, f"{inner}.".replace(f".{name}.ENGINE.", ".ENGINE."))
        else:
            yield path


def test_there_is_a_page_of_each_kind() -> None:
    assert set(FILES) == set(PAGES)


@pytest.mark.parametrize("kind", FILES)
def test_each_key_has_a_meaning_and_allowed_values(kind: str) -> None:
    assert [key.path for key in keys(kind) if not key.text or not key.allowed] == []


@pytest.mark.parametrize("kind", FILES)
def test_each_key_of_each_file_is_on_the_page(kind: str) -> None:
    known = set(key_catalogue(kind))
    files = sorted((ROOT / FILES[kind]).rglob("*.toml"))
    assert files
    for file in files:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        assert set(paths(table)) - known == set(), file.name


def test_limits_and_units_are_those_of_the_model() -> None:
    of_machines = {key.path: key for key in keys("machine-keys")}
    clock = of_machines["cpu.clock_mhz"]
    assert (clock.unit, clock.allowed) == ("MHz", "number from 1 to 20,000, with its source")
    assert of_machines["l2.write"].allowed == "`back`, `through`"
    assert of_machines["l2.write"].default == "`back`"
    assert of_machines["disk.rpm"].default == "required"
    of_sweeps = {key.path: key for key in keys("sweep-keys")}
    assert of_sweeps["timeout_s"].allowed == "number from 0.001 to 86,400"
    assert of_sweeps["memory"].allowed == "list of `fixed`, `scaled`"


def test_tables_with_the_same_keys_stand_once() -> None:
    assert keys_page("machine-keys").count("`line_bytes`") == 2  # caches, and the fit
    assert "## [l1i], [l1d], [l2], [l3]\n" in keys_page("machine-keys")


def test_the_shortest_sweep_file_is_one(tmp_path: Path) -> None:
    text = keys_page("sweep-keys").partition("```toml\n")[2].partition("```")[0]
    (tmp_path / "shortest.toml").write_text(text)
    assert load_sweep(tmp_path / "shortest.toml").clock_mhz == (20, 80, 320)  # type: ignore[attr-defined]


def test_the_command_prints_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "sweep-keys"]) == 0
    assert "timeout_s" in capsys.readouterr().out
