# SPDX-License-Identifier: BSD-3-Clause
"""Names in runs and files of somebody else's making, through whole commands."""

import json
from pathlib import Path
from unittest.mock import patch

import pandas as pd
import pytest
from streams import harmless, streams, without_styles

from osgap.analysis.tables import write_tables
from osgap.cli import catalogue
from osgap.cli.main import main
from osgap.printing.formats import FORMATS


@pytest.mark.parametrize(
    ("format", "watched"),
    [
        ("csv", False),
        ("text", True),
        *[
            pytest.param(name, watched, marks=pytest.mark.slow)
            for name in FORMATS
            for watched in (False, True)
            if (name, watched) not in (("csv", False), ("text", True))
        ],
    ],
)
def test_names_in_a_run_are_harmless_in_its_tables(
    few_directory: Path, format: str, watched: bool
) -> None:
    """A benchmark and a series named by somebody else, through analyze itself."""
    name = "\x1b[31mevil[/red]\u202e"
    for file in (few_directory / "points").glob("*/*.csv"):
        file.write_text(file.read_text().replace("getpid", name))
    for file in (few_directory / "points").glob("*/done.json"):
        _digest_again(file)
    manifest = few_directory / "run.json"
    told = json.loads(manifest.read_text())
    told["series"] = {name if key == "memory" else key: of for key, of in told["series"].items()}
    manifest.write_text(json.dumps(told))
    out_directory = few_directory.parent / "out"
    with streams(watched=watched) as (out, err):
        status = main(
            [
                "analyze",
                str(few_directory),
                "--table",
                "relative",
                "--format",
                format,
                "--output",
                str(out_directory),
            ]
        )
    assert status == 0, err.text()
    if format == "csv" and not watched:
        assert name in out.text()  # the file's own bytes
    else:
        harmless(without_styles(out.text()))
        assert "evil" in out.text()


def _digest_again(done: Path) -> None:
    from hashlib import sha256

    told = json.loads(done.read_text())
    told["sha256"] = {
        name: sha256((done.parent / name).read_bytes()).hexdigest() for name in told["sha256"]
    }
    done.write_text(json.dumps(told))


def test_a_catalogue_of_hostile_files_is_harmless(tmp_path: Path) -> None:
    folder = tmp_path / "configs" / "machines"
    folder.mkdir(parents=True)
    (folder / "a.toml").write_text('description = "\\u001b[31mevil [/red] \\u202e"\n')
    (folder / "b\x1b[2J[bold.toml").write_text("description = [[[\n")
    (folder / "c.toml").write_text("a = " + "[" * 100_000)
    with streams() as (out, err), patch.object(catalogue, "project_root", lambda: tmp_path):
        assert main(["list", "machines"]) == 0, err.text()
    harmless(out.text())
    assert "evil [/red]" in out.text() and "cannot be read" in out.text()


@pytest.mark.slow
def test_a_figure_of_hostile_names_is_drawn(
    tables: dict[str, pd.DataFrame], tmp_path: Path
) -> None:
    for name in ("times", "relative", "attribution", "elasticity"):
        tables[name] = tables[name].replace("getpid", "\x1b[31m$evil_{[/red]\u202e")
    write_tables(tables, tmp_path / "tables")
    with streams() as (out, err):
        figures = [word for name in ("times", "attribution") for word in ("--figure", name)]
        status = main(["plot", str(tmp_path), "--format", "png", *figures])
    harmless(out.text() + err.text())
    assert status == 0, err.text()
