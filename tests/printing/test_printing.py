# SPDX-License-Identifier: BSD-3-Clause
"""What is printed, and the script that prints it."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from stderr import sentences

from osgap.printing.formats import render
from osgap.rundir.load import load_run
from osgap.suites import analyze

TABLES = {
    "points",
    "samples",
    "times",
    "relative",
    "geomean",
    "elasticity",
    "attribution",
    "disk",
    "checks",
    "modes",
}


@pytest.fixture
def tables(run_directory: Path) -> dict[str, pd.DataFrame]:
    return analyze(load_run(run_directory))


def test_layout_of_the_paper(tables: dict[str, pd.DataFrame]) -> None:
    text = render(tables, "relative")
    assert "\x1b" not in text
    table = text[text.index("context switch: ") :]
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    headings = [cell.strip() for cell in lines[0].split("|")[1:4]]
    assert headings == ["configuration", "time, ms", "R"]
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in lines[1:13]]
    times = [float(row[1]) for row in rows]
    assert times == sorted(times)
    assert ["320 MHz, clock only", "0.2250", "0.17"] in rows


def script(repository: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(repository / "scripts" / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.slow
def test_the_script(repository: Path, run_directory: Path) -> None:
    done = script(repository, "analyze.py", str(run_directory), "--table", "checks")
    assert done.returncode == 0, done.stderr
    assert "memory_latency" in done.stdout
    assert {file.stem for file in (run_directory / "tables").iterdir()} == TABLES


@pytest.mark.slow
def test_the_script_gives_one_sentence_and_2(repository: Path, run_directory: Path) -> None:
    (run_directory / "points" / "fixed-80" / "samples.csv").unlink()
    failed = script(repository, "analyze.py", str(run_directory))
    assert failed.returncode == 2
    assert failed.stdout == ""
    assert len(sentences(failed.stderr)) == 1
    assert "fixed-80/samples.csv: cannot be read" in failed.stderr
