# SPDX-License-Identifier: BSD-3-Clause
"""The door for notebooks: osgap.load_run."""

import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from synthetic import FEW, write_run

import osgap
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.rundir import load
from osgap.suites import analyze

ROOT = project_root()
DOCUMENT = ROOT / "docs" / "tutorial" / "notebooks.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_a_run_has_typed_tables(tmp_path: Path) -> None:
    directory = write_run(tmp_path / "run", benches=FEW, unfinished=("both-320",))
    run = osgap.load_run(str(directory))
    assert (run.name, run.path, run.unfinished) == ("run", directory, ("both-320",))
    expected = analyze(load.load_run(directory))
    assert run.tables.keys() == expected.keys()
    for name, table in expected.items():
        pd.testing.assert_frame_equal(run.tables[name], table)
    assert run.points is run.tables["points"]
    assert run.tables["relative"]["relative"].dtype == float
    assert set(run.points["key"]) == set(load.load_run(directory).keys)


def test_what_is_no_run_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(OsgapError, match=r"nothing/run\.json: cannot be read"):
        osgap.load_run(tmp_path / "nothing")


def test_importing_osgap_brings_nothing_else() -> None:
    code = (
        "import sys, osgap, osgap.base.errors; "
        "print(sorted({'pandas', 'pydantic', 'numpy'} & set(sys.modules)), hasattr(osgap, 'x'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["[]", "False"]


@pytest.mark.slow
def test_the_documents_examples_run() -> None:
    if not DOCUMENT.is_file():
        pytest.skip("docs/tutorial/notebooks.md is not there")
    blocks = BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))
    assert blocks
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
