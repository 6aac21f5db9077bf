# SPDX-License-Identifier: BSD-3-Clause
"""Hosts, homes and locales that a sweep meets, and run directories that move or are shared."""

import getpass
import os
from pathlib import Path

import pytest
from rich.console import Console

from osgap.base.paths import project_root
from osgap.rundir import manifest
from osgap.sweep.host import Host, SweepContext
from osgap.sweep.locking import SweepError
from osgap.sweep.run import run_sweeps
from osgap.sweep.snakemake import _homeless
from osgap.sweep.spec import SweepFile

MACHINES = project_root() / "configs" / "machines"


def test_a_cache_that_cannot_be_made_is_named_with_its_variable(tmp_path: Path) -> None:
    sweep = SweepFile(description="x", machine="base", engine="fake", clock_mhz=(20,))
    context = SweepContext(tmp_path / "run", Host(1, tmp_path, Path("/dev/null/no")), Console())
    with pytest.raises(SweepError) as refused:
        run_sweeps(sweep, MACHINES, context)
    assert "/dev/null/no: Not a directory: the cache is /dev/null/no; give another" in str(
        refused.value
    ).replace("/checkpoints", "")
    assert str(refused.value).endswith("$OSGAP_CACHE")


def test_snakemake_finds_the_name_of_a_user_without_an_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LOGNAME", "USER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LOGNAME", _homeless(tmp_path)["LOGNAME"])
    assert getpass.getuser() == str(os.getuid())


def test_a_run_that_was_started_in_a_locale_of_ascii_has_its_name_in_utf_8(tmp_path: Path) -> None:
    ascii_name = "läuf \udc80".encode("utf-8", "surrogateescape").decode("ascii", "surrogateescape")
    written = manifest.Manifest(
        format=1, name=ascii_name, sweep={"run": [ascii_name]}, points=(), series={}
    )
    manifest.write(tmp_path, written)
    read = manifest.read(tmp_path)
    assert read.name == "läuf \ufffd" == read.sweep["run"][0]
    manifest.write(tmp_path, read)
    assert manifest.read(tmp_path) == read
