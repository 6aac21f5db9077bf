# SPDX-License-Identifier: BSD-3-Clause
"""docs/tutorial/lab.ipynb, executed: its figure's lines are the means of the run's table of R."""

import base64
import json
import os
import re
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
from osgap.drawing.display_names import series_name

ROOT = project_root()
NOTEBOOK = ROOT / "docs" / "tutorial" / "lab.ipynb"
RUN = "results/locked/lab/three-clocks"
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
MEANS = """
print(means["R"].groupby(level="series").agg(list).to_json())
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


def osgaps_means(run: str) -> dict[str, list[float]]:
    """Series -> the mean of R over the rows of Figure 1 at each clock, as osgap committed it."""
    table = pd.read_csv(ROOT / run / "tables" / "geomean.csv")
    table = table[table["set"] == "figure1"].sort_values("clock_mhz")
    return {str(series): list(group["geomean"]) for series, group in table.groupby("series")}


def means_of_eight(run: str) -> dict[str, list[float]]:
    """Series -> the geometric mean of R of EIGHT at each clock, from the committed table alone."""
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


@pytest.mark.long
@pytest.mark.parametrize(
    "run", [RUN, pytest.param("results/locked/curve/default", marks=pytest.mark.long)]
)
def test_it_draws_the_runs_means(run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = read_notebook()
    notebook.cells[1].source = notebook.cells[1].source.replace(RUN, run)
    assert run in notebook.cells[1].source
    drawn = [cell for cell in notebook.cells if "plt.show()" in cell.source]
    (chosen,) = [cell for cell in notebook.cells if "\nROWS = FIGURE1\n" in cell.source]
    further = chosen.source.replace("\nROWS = FIGURE1\n", "\nROWS = EIGHT\n")
    if run != RUN:  # a prediction once is enough
        notebook.cells = [cell for cell in notebook.cells if "run.predict(" not in cell.source]
    notebook.cells += [new_code_cell(LINES), new_code_cell(f"{further}\n{MEANS}")]
    executed = execute(notebook, tmp_path, run, monkeypatch)
    (picture,) = [
        out.data["image/png"] for out in drawn[0].outputs if "image/png" in out.get("data", {})
    ]
    assert base64.b64decode(picture).startswith(b"\x89PNG")
    lines = json.loads(printed(executed.cells[-2]))
    expected = osgaps_means(run)
    for series, means in expected.items():
        np.testing.assert_allclose(lines[series_name(series)][1], means, rtol=2e-3)
    assert len(lines["Ousterhout 1990"][0]) == 10
    eight = json.loads(printed(executed.cells[-1]))
    for series, means in means_of_eight(run).items():
        np.testing.assert_allclose(eight[series], means, rtol=2e-3)
    (checked,) = [printed(cell) for cell in executed.cells if "values of R" in cell.source]
    assert int(checked.split()[0]) >= sum(map(len, expected.values())) * (len(EIGHT) + 1)
    (checked,) = [printed(cell) for cell in executed.cells if "means, the worst" in cell.source]
    assert checked.startswith(f"{sum(map(len, expected.values()))} means")
    (own,) = [cell for cell in executed.cells if cell.source == "run.plot()"]
    assert "image/png" in own.outputs[-1].data


def test_the_sentence_on_two_means_has_the_tables_numbers() -> None:
    """The words on EIGHT name the lab's means and the R of the rows that differ."""
    (text,) = [cell.source for cell in read_notebook().cells if "`ROWS = EIGHT`" in cell.source]
    means = [means_of_eight(RUN)["fixed"][-1], osgaps_means(RUN)["fixed"][-1]]
    table = pd.read_csv(ROOT / RUN / "tables" / "relative.csv")
    table = table[(table["series"] == "fixed") & (table["clock_mhz"] == 320)]
    speeds = table.set_index(["benchmark", "fs"])["relative"]
    rows = [("create_delete_0", "sprite"), ("bcopy_uncached", "none"), ("andrew_makedir", "unix")]
    expected = [f"{value:.2f}" for value in [*means, *speeds.loc[rows]]]
    assert re.findall(r"\d\.\d\d", text) == expected
