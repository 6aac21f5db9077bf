# SPDX-License-Identifier: BSD-3-Clause
"""docs/tutorial/lab.ipynb, executed: its figure's lines are the means of the run's table of R."""

import base64
import json
import os
import shutil
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pandas as pd
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

from osgap.base.paths import project_root

ROOT = project_root()
NOTEBOOK = ROOT / "docs" / "tutorial" / "lab.ipynb"
RUN = "results/locked/lab"
EIGHT = {
    "getpid",
    "cswitch",
    "select_10_full",
    "bcopy_uncached",
    "read",
    "andrew_makedir",
    "open_close_foo",
    "create_delete_0",
}
LINES = """
import json
print(json.dumps({line.get_label(): [list(map(float, line.get_xdata())),
                                     list(map(float, line.get_ydata()))] for line in axes.lines}))
"""


def read_notebook() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


def execute(notebook: Any, place: Path, run: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The notebook, executed in a copy of just what it reads below `place`."""
    shutil.copytree(ROOT / run, place / run)
    (place / "results" / "reference").mkdir()
    shutil.copy(ROOT / "results/reference/figure1_geomeans.csv", place / "results/reference")
    folder = place / "docs" / "tutorial"
    folder.mkdir(parents=True)
    for variable in ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(variable, str(place / "home"))
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    return client.execute(env={**os.environ, "PYTHONPATH": str(ROOT)})


def printed(cell: Any) -> str:
    return "".join(out.text for out in cell.outputs if out.output_type == "stream")


def expected_means(run: str) -> dict[str, list[float]]:
    """Series -> the geometric mean of R at each clock, from the committed table alone."""
    table = pd.read_csv(ROOT / run / "tables" / "relative.csv")
    table = table[table["benchmark"].isin(EIGHT) & (table["fs"] != "sprite")]
    logs = np.log(table["relative"]).groupby([table["series"], table["clock_mhz"]])
    assert set(logs.count()) == {len(EIGHT)}
    means = np.exp(logs.mean())
    return {str(series): list(group) for series, group in means.groupby(level="series")}


def test_it_is_committed_without_outputs_and_is_valid() -> None:
    notebook = read_notebook()
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert cell.cell_type == "markdown" or (not cell.outputs and cell.execution_count is None)
    asked = [cell for cell in notebook.cells if "**Change this:**" in cell.source]
    assert len(asked) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("run", [RUN, "results/locked/default"])
def test_it_draws_the_runs_means(run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = read_notebook()
    notebook.cells[1].source = notebook.cells[1].source.replace(RUN, run)
    assert run in notebook.cells[1].source
    drawn = [cell for cell in notebook.cells if "plt.show()" in cell.source]
    notebook.cells.append(new_code_cell(LINES))
    executed = execute(notebook, tmp_path, run, monkeypatch)
    (picture,) = [
        out.data["image/png"] for out in drawn[0].outputs if "image/png" in out.get("data", {})
    ]
    assert base64.b64decode(picture).startswith(b"\x89PNG")
    lines = json.loads(printed(executed.cells[-1]))
    expected = expected_means(run)
    names = {
        "fixed": "the clock alone",
        "memory": "clock and memory",
        "disk": "clock and disk",
        "both": "all three (control)",
    }
    for series, name in names.items():
        np.testing.assert_allclose(lines[name][1], expected[series], rtol=2e-3)
    assert len(lines["Ousterhout 1990"][0]) == 10
    (checked,) = [printed(cell) for cell in executed.cells if "values of R" in cell.source]
    assert checked.startswith(f"{sum(map(len, expected.values())) * len(EIGHT)} values of R")
