# SPDX-License-Identifier: BSD-3-Clause
"""Where the checkout is, for code that lies in it and for code that pip has installed."""

from pathlib import Path

import pytest

from osgap.base import paths
from osgap.base.errors import OsgapError


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As if this package were in site-packages, and the current folder were empty."""
    home = tmp_path / "lib" / "site-packages" / "osgap" / "base"
    monkeypatch.setattr(paths, "__file__", str(home / "paths.py"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OSGAP_ROOT", raising=False)
    return tmp_path


def _checkout(folder: Path) -> Path:
    for mark in ("configs/machines", "workloads/lib"):
        (folder / mark).mkdir(parents=True)
    (folder / "SConstruct").touch()
    return folder


def test_the_checkout_is_the_one_that_the_code_lies_in() -> None:
    assert (paths.project_root() / "SConstruct").is_file()


def test_installed_code_finds_the_current_folders_checkout(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = _checkout(installed / "clone")
    monkeypatch.chdir(clone / "workloads" / "lib")
    assert paths.project_root() == clone


def test_or_the_one_it_is_told_of(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = _checkout(installed / "elsewhere")
    monkeypatch.setenv("OSGAP_ROOT", str(clone))
    assert paths.project_root() == clone


def test_without_one_it_says_where_to_go(installed: Path) -> None:
    with pytest.raises(OsgapError, match=r"is in no checkout of osgap: go to one, or give"):
        paths.project_root()


@pytest.mark.parametrize("home", ["", "relative", "~"])
def test_no_cache_is_made_in_the_current_directory_for_want_of_a_home(
    home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OSGAP_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", home)
    with pytest.raises(OsgapError, match=r"no home directory: give .* \$OSGAP_CACHE"):
        paths.cache_directory()
