# SPDX-License-Identifier: BSD-3-Clause
"""Files of somebody else's making: a sentence that names the file, and never a traceback."""

import json
import math
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from checkout import ROOT
from examples import examples
from faults import COMMANDS, Space
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from stderr import sentences
from streams import streams

from osgap.analysis.ministat import make_sample, read_values, report
from osgap.base.errors import OsgapError
from osgap.cli.main import main
from osgap.points import record
from osgap.points.record import Record, State

ODD_NUMBERS = [math.inf, -math.inf, math.nan, 1e308, -1e308, 1e-320, 0.0, -1.0, 2**70]
foreign = settings(
    deadline=None,
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def outcome(words: list[str]) -> tuple[int, list[str]]:
    """The status of a command, and its sentences."""
    with streams() as (_, err):
        try:
            status = main(words)
        except SystemExit as ended:
            status = int(str(ended.code))
    return status, sentences(err.text())


@foreign
@given(values=st.lists(st.floats() | st.sampled_from(ODD_NUMBERS), min_size=1, max_size=9))
@example(values=[1e308] * 3)
@example(values=[-1e150, 1e150, 1e150])
def test_ministat_of_any_numbers(values: list[float]) -> None:
    try:
        lines = report([make_sample("a", values), make_sample("b", [*values, 1.0])])
    except OsgapError as error:
        assert "found" in str(error)
    else:
        assert not any(" inf" in line or " nan" in line for line in lines[-6:-2])


def test_ministat_reads_no_file_without_end(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="it is a device"):
        read_values(Path("/dev/zero"))


DATES = st.sampled_from(
    [
        "0001-01-01",
        "9999-12-31T23:59:59",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59-23:59",
        "2026-13-01",
        "",
        "yesterday",
        "1e9",
        "-0001-01-01",
    ]
)


@foreign
@given(date=DATES | st.datetimes().map(str) | st.text(max_size=30), host=st.sampled_from(["", "x"]))
def test_a_foreign_hosts_record_of_any_date(date: str, host: str) -> None:
    one = Record(key="k", state=State.RUNNING, host=host, started=date)
    assert 0 <= record.running_s(one) < time.time() + 63e9


@pytest.mark.parametrize("key", ["total_s", "simulator_s", "started_monotonic_s", "peak_mib"])
def test_a_record_of_odd_numbers(key: str, few_directory: Path) -> None:
    (few_directory / "records").mkdir(exist_ok=True)
    keys = json.loads((few_directory / "run.json").read_text())["points"]
    for number in ("Infinity", "-Infinity", "NaN", "1e999", "1e308", "-1"):
        for state, point in zip(("done", "running", "queued"), keys, strict=False):
            text = f'{{"key": "{point}", "state": "{state}", "{key}": {number}}}'
            (few_directory / "records" / f"{point}.json").write_text(text)
        assert outcome(["status", str(few_directory)]) == (0, []), number
        with streams() as (out, err):
            assert main(["status", str(few_directory), "--json"]) == 0, err.text()
        json.loads(out.text(), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


_FIGURES = {
    "times": ["points", "times"],
    "scaling": ["geomean", "elasticity"],
    "attribution": ["points", "attribution"],
}
_TABLES = [(figure, table) for figure, tables in _FIGURES.items() for table in tables]


@pytest.mark.slow
@pytest.mark.parametrize(("figure", "table"), _TABLES)
def test_a_table_without_one_of_its_columns(
    figure: str, table: str, drawable: Path, tmp_path: Path
) -> None:
    whole = pd.read_csv(drawable / "tables" / f"{table}.csv")
    (tmp_path / "tables").mkdir()
    for name in _FIGURES[figure]:
        text = (drawable / "tables" / f"{name}.csv").read_text()
        (tmp_path / "tables" / f"{name}.csv").write_text(text)
    for column in whole.columns:
        file = tmp_path / "tables" / f"{table}.csv"
        file.write_text(whole.drop(columns=column).to_csv(index=False))
        status, told = outcome(["plot", str(tmp_path), "--figure", figure, "--format", "png"])
        assert status == 2 and len(told) == 1, told
        assert str(file) in told[0] and f"no column {column}" in told[0]


@pytest.mark.long
@settings(
    deadline=None,
    max_examples=examples(12, usual=5),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(drawn=st.sampled_from(_TABLES), data=st.data())
def test_a_table_of_odd_cells(
    drawn: tuple[str, str], data: st.DataObject, drawable: Path, tmp_path: Path
) -> None:
    """Drawn, or refused by name."""
    figure, table = drawn
    (tmp_path / "tables").mkdir(exist_ok=True)
    for name in _FIGURES[figure]:
        frame = pd.read_csv(drawable / "tables" / f"{name}.csv", dtype=str, keep_default_na=False)
        if name == table:
            column = data.draw(st.sampled_from(list(frame.columns)))
            odd = st.sampled_from([*map(str, ODD_NUMBERS), "", "x", "True", "$\\frac{$", "1e-300"])
            frame.loc[data.draw(st.integers(0, len(frame) - 1)), column] = data.draw(odd)
        frame.to_csv(tmp_path / "tables" / f"{name}.csv", index=False)
    status, told = outcome(["plot", str(tmp_path), "--figure", figure, "--format", "png"])
    assert (status, len(told)) in ((0, 0), (2, 1)), told


@pytest.mark.slow
def test_an_integer_beyond_64_bits_is_a_number(drawable: Path, tmp_path: Path) -> None:
    """In a column that is empty else pandas reads it as text."""
    shutil.copytree(drawable / "tables", tmp_path / "tables")
    file = tmp_path / "tables" / "attribution.csv"
    frame = pd.read_csv(file, dtype=str, keep_default_na=False)
    frame["busy"] = ["1180591620717411303424", *[""] * (len(frame) - 1)]
    frame.to_csv(file, index=False)
    status, told = outcome(["plot", str(tmp_path), "--figure", "attribution", "--format", "png"])
    assert status == 0, told


def _file(path: Path) -> None:
    path.write_text("a file\n")


def _dangling(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere")


def _circle(path: Path) -> None:
    path.symlink_to(path)


PLACES: dict[str, Callable[[Path], object]] = {
    "a file": _file,
    "a dangling link": _dangling,
    "a circle of links": _circle,
    "an empty directory": Path.mkdir,
    "nothing": lambda path: None,
}
_READING = (
    "status",
    "resume",
    "retry",
    "replay",
    "analyze",
    "compare",
    "plot",
    "predict",
    "show",
    "paper",
    "kennaway",
    "ministat",
    "lock",
)
_NAMES = ("x", "x\x1b[2J", "läuf", "a\nb", "y" * 255, "z" * 5000, "[red]", "\udcff")
_NAMED = {"nothing": _NAMES, "a circle of links": _NAMES[1:4]}
"""Every name where nothing is; some of a path that cannot be followed, which errors quote."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", _READING)
def test_a_run_that_is_none(command: str, place: str, tmp_path: Path) -> None:
    for name in _NAMED.get(place, _NAMES[:1]):
        at = tmp_path / name
        if len(name) < 256:
            PLACES[place](at)
        words = {
            "compare": [str(at), str(at)],
            "paper": [f"rvsim={at}"],
            "plot": [str(at), "--figure", "times"],
        }.get(command, [str(at)])
        status, told = outcome([command, *words])
        assert status == 2 and len(told) == 1, told


@pytest.mark.slow
@pytest.mark.parametrize("place", ["a file", "a dangling link", "a circle of links"])
@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("analyze", ""),
        ("analyze", "tables"),
        ("compare", ""),
        ("compare", "tables"),
        ("compare", "figures"),
        ("plot", ""),
        ("plot", "figures"),
    ],
)
def test_where_tables_or_figures_cannot_be_written(
    command: str, name: str, place: str, drawable: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new"
    if name:
        new.mkdir()
    PLACES[place](new / name)
    status, told = outcome(COMMANDS[command](Space(drawable, drawable, new, ROOT)))
    assert status == 2 and len(told) == 1 and str(new) in told[0], told


@pytest.mark.parametrize(
    ("command", "place"),
    [
        ("sweep", "/proc/new"),
        ("analyze", "/dev/null/new"),
        ("compare", "/dev/full"),
        ("plot", "/proc/new"),
    ],
)
def test_where_nobody_can_write(command: str, place: str, drawable: Path) -> None:
    """Not even root, as which tests may run."""
    words = COMMANDS[command](Space(drawable, drawable, Path(place), ROOT))
    status, told = outcome([word for word in words if word != "--dry-run"])
    assert status == 2 and len(told) == 1 and place in told[0], told
