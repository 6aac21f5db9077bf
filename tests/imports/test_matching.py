# SPDX-License-Identifier: BSD-3-Clause
"""Which metrics are matched to benchmarks of ours: by both files, in the benchmark's own unit."""

import math
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.image.benchmarks import metrics
from osgap.imports.matching import Match, Matches, load_matches
from osgap.imports.program_text import ProgramText, Reading, TextSubject
from osgap.imports.samples import matched_readings, samples_of
from osgap.suites.boards.rows import load_rows
from osgap.suites.boards.units import UNITS, time_ns

REFERENCE = project_root() / "results" / "reference"
UNIT_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6}


@pytest.fixture(scope="module")
def matches() -> Matches:
    return load_matches()


def _one(metric: str, unit: str, *values: float) -> ProgramText:
    return ProgramText(TextSubject("x"), tuple(Reading(metric, v, unit, metric) for v in values))


def test_each_match_is_a_benchmark_whose_unit_fits(matches: Matches) -> None:
    names = {match.benchmark for match in matches.by_metric.values() if match.benchmark}
    units = metrics({name.partition("/")[0] for name in names})
    measured = {row.metrics[0]: row.measured.unit for row in load_rows()}
    assert len(names) >= 40
    for metric, match in matches.by_metric.items():
        if match.benchmark:
            is_rate = UNITS[measured[metric]].is_of_bytes if metric in measured else "MB" in metric
            assert (units[match.benchmark] == "MB/s") == is_rate, metric


def test_no_benchmark_has_two_metrics(matches: Matches) -> None:
    names = [match.benchmark for match in matches.by_metric.values() if match.benchmark]
    assert len(set(names)) == len(names)


def test_what_has_no_match_says_why(matches: Matches) -> None:
    assert all(match.benchmark or match.why for match in matches.by_metric.values())
    difference = matches.of("sig_handler_us", is_one_core=True)
    assert difference.why.startswith("of several benchmarks: 1 x boards/signal_catch -1 x")
    assert matches.of("tmb_cfill_MBps", is_one_core=True).why.startswith("ours stores 4 bytes")
    assert matches.of("coffee_us", is_one_core=True).why.startswith("no benchmark of ours")
    assert matches.of("ub_pipe_lps_x4", is_one_core=True).why == "of several copies at once"
    # The published values were of a program without optimisation; a text does not say.
    assert "how the program was compiled" in matches.of("dhry2_lps", is_one_core=True).why


def test_processes_that_wait_for_each_other_need_one_core(matches: Matches) -> None:
    assert matches.of("pipe_lat_us", is_one_core=True).benchmark == "mcvoy/pipe_latency"
    assert "on several cores" in matches.of("pipe_lat_us", is_one_core=False).why
    assert all(matches.by_metric[metric].benchmark for metric in matches.one_core)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('metric = "l2_ns"', 'metric = "tcp_lat_us"', "imports.toml: tcp_lat_us: is there twice"),
        ('benchmark = "mcvoy/latency_l2"', 'benchmark = "latency_l2"', "benchmark"),
        ("[[unmatched]]\nmetrics", "[[unknown]]\nmetrics", "unknown"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    for name in ("boards.toml", "board_values.csv"):
        shutil.copy(REFERENCE / name, tmp_path)
    text = (REFERENCE / "imports.toml").read_text()
    assert old in text
    (tmp_path / "imports.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(ConfigError) as error:
        load_matches(tmp_path)
    assert told in str(error.value)


@given(st.floats(0.01, 1e9), st.sampled_from(["loops/s", "us", "ns"]))
def test_a_sample_has_the_values_time(value: float, unit: str) -> None:
    matches = Matches({"x": Match("byte/pipe_throughput", "", 2.0)}, frozenset())
    rows = matched_readings(_one("x", unit, value, value), matches, is_one_core=True)
    samples = list(samples_of(rows))
    assert [sample.batch for sample in samples] == [0, 1]
    for sample in samples:
        ns = sample.guest_ns / sample.count
        assert math.isclose(ns, time_ns(value, unit) / 2, rel_tol=1e-5)
        assert (sample.benchmark, sample.metric, sample.bytes) == ("pipe_throughput", "us", 0)


def test_a_rate_of_bytes_keeps_its_value(matches: Matches) -> None:
    rows = matched_readings(_one("bw_tcp_MBps", "MB/s", 182.0), matches, is_one_core=True)
    (sample,) = samples_of(rows)
    rate = sample.bytes * sample.count / sample.guest_ns * 1e3
    assert math.isclose(rate, 182.0, rel_tol=1e-9)


def test_a_second_metric_of_a_benchmark_is_kept_apart() -> None:
    match = Match("byte/spawn", "")
    matches = Matches({"a": match, "b": match}, frozenset())
    text = ProgramText(TextSubject("x"), tuple(Reading(name, 1.0, "us", "") for name in "ab"))
    rows = matched_readings(text, matches, is_one_core=True)
    assert [row.match.why for row in rows] == ["", "byte/spawn has the values of a"]
    many = matched_readings(_one("a", "us", *[1.0] * 130), matches, is_one_core=True)
    assert len(list(samples_of(many))) == 128
