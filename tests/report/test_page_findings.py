# SPDX-License-Identifier: BSD-3-Clause
"""The sentences of a page, against the tables that they come from."""

import re
from pathlib import Path

import pandas as pd
import pytest
from rundirs import make_run

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.layouts.intervals import OF_ONE, mean_intervals
from osgap.analysis.relative import geometric_mean
from osgap.analysis.tables import read_tables
from osgap.base.paths import project_root
from osgap.drawing.display_names import benchmark_name
from osgap.report.agreement import engines, predicted
from osgap.report.build import build
from osgap.report.comparison_charts import lines
from osgap.report.looks import spare_looks
from osgap.report.sections.compared import FAR, verdict
from osgap.report.sections.scaling import section
from osgap.report.subject import clocks_of, load
from osgap.report.views import page_views
from osgap.report.warnings import warnings
from osgap.suites import load_runs
from osgap.suites.hohmuth.beside import beside as reflected_beside
from osgap.suites.ousterhout.beside import _loss, _sentence
from osgap.suites.raveling.beside import beside as compilers_beside

LOCKED = project_root() / "results" / "locked"


@pytest.fixture(scope="module")
def reflected() -> list[AnalysedRun]:
    """Direct and reflected calls on one engine."""
    return load_runs([LOCKED / "publications/hohmuth-patch" / "rvsim"])


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


def test_reflected_calls_are_told_by_their_ratios(reflected: list[AnalysedRun]) -> None:
    (told,) = reflected_beside(reflected)
    assert {"printed", "printed_low", "printed_high"} <= set(told.rows)
    rows = told.rows
    calls = rows[rows["benchmark"] == "null_call"]["ratio"]
    low, high = numbers(told.headline.partition("(")[0])
    assert (low, high) == (round(calls.min()), round(calls.max()))
    assert (rows["ratio"] == rows["reflected"] / rows["direct"]).all()


def test_direct_calls_alone_have_no_such_finding(reflected: list[AnalysedRun]) -> None:
    assert reflected_beside([run for run in reflected if run.calls == "direct"]) == []
    assert compilers_beside(reflected) == []


@pytest.mark.long
def test_two_engines_of_one_machine_are_compared_and_others_not() -> None:
    subject = load(LOCKED / "prediction/disk-requests")
    (told,) = engines(subject)
    rows = told.rows
    assert rows["ratio"].tolist() == pytest.approx((rows["gem5"] / rows["rvsim"]).tolist())
    assert int(numbers(told.headline.partition("Half of the ")[2])[0]) == len(rows)
    assert predicted(subject) == []
    assert engines(load(LOCKED / "prediction/disk-requests" / "rvsim")) == []


@pytest.mark.long
def test_several_machines_on_two_engines_lead_with_their_agreement_and_a_curve() -> None:
    subject = load(LOCKED / "simulators" / "validation")
    page = build(subject, small=True)
    (told,) = engines(subject, 2)
    assert page.headline == told.headline and told.rows["machine"].nunique() > 1
    menu = [(run.engine, len(clocks_of(run))) for run in subject.menu]
    assert menu[0] == ("rvsim", 2) and menu[-1][1] == 1
    blocks = {section.id: section.blocks for section in page.page.sections}
    choices = [
        block for block in blocks["benchmarks"] if getattr(block, "id", "") == "benchmark-run"
    ]
    assert choices[0].options[0][0] == subject.name_of(subject.menu[0])  # type: ignore[attr-defined]
    assert choices[0].options[-1][1].endswith(" MHz alone)")  # type: ignore[attr-defined]
    assert engines(load(LOCKED / "prediction" / "latency-bandwidth"), 2) == []


def test_the_loss_of_1990_is_told_by_its_shares() -> None:
    shares = pd.read_csv(LOCKED / "paper/causes/tables/shares.csv")
    shares = shares[shares["engine"] == "gem5"]
    row = shares[shares["benchmark"] == "all"].iloc[0]
    expected = [
        round(100 * row[f"{part}_share{end}"])
        for part in ("memory", "disk", "unexplained")
        for end in ("", "_low", "_high")
    ]
    assert numbers(_loss(shares))[:9] == expected


def test_the_null_model_stands_beside_the_means_of_the_papers_machines() -> None:
    agreement = pd.read_csv(LOCKED / "paper/fitted/tables/agreement.csv")
    rows = agreement[agreement["table"] == "all"].set_index("engine")
    told = _sentence(agreement[agreement["engine"].isin(["rvsim", "null_model"])], is_period=False)
    for engine, text in zip(
        ("rvsim", "null_model"), told.split("A model that simulates nothing"), strict=True
    ):
        assert {round(rows.loc[engine, name], 2) for name in ("ratio", "spearman")} <= set(
            numbers(text)
        )


def test_machines_with_the_costs_of_1990_stand_beside_a_model_that_knows_them() -> None:
    agreement = pd.read_csv(LOCKED / "paper/period/tables/agreement.csv")
    rows = agreement[agreement["table"] == "all"].set_index("engine")
    own = agreement[agreement["engine"].isin(["rvsim_period", "null_model", "informed_null"])]
    _, last = _sentence(own, is_period=True).split("With the same facts as these machines")
    informed = rows.loc["informed_null"]
    assert numbers(last) == [round(informed[name], 2) for name in ("ratio", "spearman")]


def _comparison(differences: list[float]) -> dict[str, pd.DataFrame]:
    means = pd.DataFrame(
        [("figure1", "fixed", 640.0, 0.22, 0.25)],
        columns=["set", "series", "clock_mhz", "geomean_a", "geomean_b"],
    )
    names = ["getpid", "cswitch", "read"][: len(differences)]
    rows = pd.DataFrame(
        {"benchmark": names, "fs": "none", "series": "fixed", "clock_mhz": 640.0}
    ).assign(relative_difference=differences)
    sides = pd.DataFrame({"side": ["a", "b"], "label": ["rvsim", "gem5"]})
    return {"sides": sides, "means": means, "compared": rows}


def test_the_verdict_names_the_rows_that_differ() -> None:
    near = verdict(_comparison([0.0, -0.1, FAR]))
    assert near.startswith("gem5 agrees with rvsim: at 640 MHz (clock only) the mean R is 0.25 on")
    assert near.endswith("R of none of the 3 benchmarks differs by more than 0.15.")
    far = verdict(_comparison([0.0, -0.2, 0.3]))
    assert far.startswith("gem5 does not agree with rvsim")
    assert f"{benchmark_name('cswitch')}; {benchmark_name('read')}." in far


def test_intervals_of_the_page_and_of_the_figure_begin_with_the_reference() -> None:
    layouts = read_tables(LOCKED / "curve/default" / "tables", ["layouts"])["layouts"]
    rows = mean_intervals(layouts, "figure1", OF_ONE)
    own = rows[rows["series"] == "fixed"]
    assert own.iloc[0].tolist() == ["fixed", 20.0, 1.0, 1.0]
    last = layouts[(layouts["set"] == "figure1") & (layouts["series"] == "fixed")]
    last = last[last["clock_mhz"] == 640].iloc[0]
    assert own.iloc[-1][["low", "high"]].tolist() == [last["one_low"], last["one_high"]]
    assert mean_intervals(None, "figure1").empty


def test_warnings_say_what_they_change(written_tables: dict[str, pd.DataFrame]) -> None:
    samples = written_tables["samples"].assign(flagged="no")
    samples.loc[samples.index[0], "flagged"] = "yes"
    told = " ".join(warnings({**written_tables, "samples": samples}))
    assert f"In 1 of {len(samples)} timed regions" in told and "No result changes" in told
    assert "--table" not in told
    told = " ".join(warnings({**written_tables, "samples": samples.assign(flagged="yes")}))
    assert "Times may be off by as much for" in told


def test_a_set_without_any_row_is_no_warning(written_tables: dict[str, pd.DataFrame]) -> None:
    means = written_tables["geomean"].assign(n=0, not_run="getpid read")
    assert "leaves out" not in " ".join(warnings({**written_tables, "geomean": means}))


@pytest.mark.slow
def test_the_mean_of_compilers_is_that_of_its_rows() -> None:
    rows = load_runs([LOCKED / "publications/raveling" / "rvsim"])
    (told,) = compilers_beside(rows)
    for choice, digits in (("compiler", 1), ("kernel", 2)):
        mean = geometric_mean(told.rows[told.rows["choice"] == choice]["ratio"])
        assert f"{mean:.{digits}f} times (rvsim)" in told.headline


@pytest.mark.slow
def test_layouts_of_a_kernel_are_no_other_kernels() -> None:
    boards = load_runs([LOCKED / "boards/distribution-gem5"])
    assert len({run.variant for run in boards}) == 5
    assert compilers_beside(boards) == []


def test_guides_of_charts_have_their_values() -> None:
    spec = lines("x", "y", [1, 2, 4], spare_looks(["none"]), 5)
    assert "datasets" not in spec
    assert {"x": 4, "y": 4} in spec["layer"][0]["data"]["values"]


def test_networks_are_curves_and_no_table_of_memories(tmp_path: Path) -> None:
    """Four series and more of other figures, none of which is memory's."""
    keys = {"fs": ("nfs",), "clock_mhz": (20, 80), "network_mbit_s": ("x1", 20, 40, 80, 160)}
    run = make_run(tmp_path / "run", tmp_path, {**keys, "network_delay_us": (0, 50)})
    made = section(page_views(load(run)))
    assert made is not None and made.title == "How far the operating system keeps up"
    means = next(block for block in made.blocks if getattr(block, "id", "") == "scaling-chart")
    series = {row["series"] for row in means.data["means"]}  # type: ignore[attr-defined]
    assert len(series) == 10 and {"fixed", "fixed-net160-delay50"} <= series


@pytest.mark.slow
def test_other_latencies_and_bandwidths_are_a_table_of_r() -> None:
    run = LOCKED / "prediction" / "latency-bandwidth" / "rvsim"
    made = section(page_views(load(run)))
    assert made is not None
    (chart,) = made.blocks
    cells = chart.data["cells"]  # type: ignore[attr-defined]
    places = {(cell["latency"], cell["bandwidth"]) for cell in cells}
    assert len(cells) == len(places) == 9
    rows = read_tables(run / "tables", ["geomean"])["geomean"]
    last = rows[(rows["set"] == "figure1") & (rows["clock_mhz"] == rows["clock_mhz"].max())]
    assert {round(cell["value"], 4) for cell in cells} <= set(last["geomean"].round(4))
