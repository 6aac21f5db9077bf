# SPDX-License-Identifier: BSD-3-Clause
"""results/reference/predictions.toml: numbers expected of causes before they are simulated."""

import datetime
import tomllib

import pandas as pd
import pytest

from osgap.analysis.reference import load_reference
from osgap.base.paths import project_root

FILE = project_root() / "results" / "reference" / "predictions.toml"
PREDICTIONS = tomllib.loads(FILE.read_text(encoding="utf-8"))["prediction"]
PRINTED = load_reference("ousterhout_tables")
TEXTS = ("name", "cause", "source", "why")
BY_ENGINE = ("before", "expected", "low", "high")


@pytest.mark.parametrize("prediction", PREDICTIONS, ids=lambda prediction: prediction["name"])
def test_a_prediction_says_what_would_speak_against_it(prediction: dict[str, object]) -> None:
    optional = {"machine"} & prediction.keys()
    assert prediction.keys() == {*TEXTS, *BY_ENGINE, "date", "metric", "quantity", *optional}
    assert all(isinstance(prediction[name], str) and prediction[name] for name in TEXTS)
    assert isinstance(prediction["date"], datetime.date)
    assert prediction["quantity"] in ("ratio", "time_ratio")
    values = pd.DataFrame({name: prediction[name] for name in BY_ENGINE})
    assert set(values.index) == {"rvsim", "gem5"}
    assert (values["low"] < values["expected"]).all() and (
        values["expected"] < values["high"]
    ).all()


@pytest.mark.parametrize("prediction", PREDICTIONS, ids=lambda prediction: prediction["name"])
def test_its_cells_are_printed(prediction: dict[str, object]) -> None:
    cells = PRINTED[(PRINTED["source"] == 1990) & (PRINTED["metric"] == prediction["metric"])]
    machine = prediction.get("machine")
    assert len(cells) and (machine is None or machine in set(cells["machine"]))


def test_names_are_distinct() -> None:
    names = [prediction["name"] for prediction in PREDICTIONS]
    assert len(set(names)) == len(names)
