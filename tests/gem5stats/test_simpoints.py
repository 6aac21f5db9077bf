# SPDX-License-Identifier: BSD-3-Clause
"""Estimates of whole programs from their SimPoints; right values by hand."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stats_texts import write_stats
from streams import streams

from osgap.base.errors import OsgapError
from osgap.cli.main import main
from osgap.gem5stats.derived import COUNTERS, Derived
from osgap.gem5stats.simpoints import estimated, read_points
from osgap.gem5stats.trees import load_trees

SIMPOINT = r"l2_(?P<l2>\d+)/(?P<app>\w+)/sp(?P<simpoint>\d+)"


def _dump(cpi: float, misses: int = 0) -> Mapping[str, float]:
    """Counters of 1,000 instructions at 1 GHz."""
    return {
        "simSeconds": cpi * 1e-6,
        "system.cpu.numCycles": int(cpi * 1000),
        "system.cpu.commitStats0.numInsts": 1000,
        "system.l2.overallMisses::total": misses,
    }


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Two programs of two SimPoints on two machines; the labels are 4 and 7."""
    cpis = {"256/mcf": (2, 6), "256/lbm": (1, 1), "512/mcf": (1, 4), "512/lbm": (1, 0.5)}
    for name, (fourth, seventh) in cpis.items():
        write_stats(tmp_path / f"l2_{name}/sp4/stats.txt", _dump(fourth, misses=8))
        write_stats(tmp_path / f"l2_{name}/sp7/stats.txt", _dump(seventh, misses=4))
    (tmp_path / "mcf.weights").write_text("0.75 4\n0.25 7\n")
    (tmp_path / "lbm.weights").write_text("0.5 7\n0.5 4\n")
    return tmp_path


def _estimated(
    study: Path, *files: str, names: str | None = SIMPOINT, base: Sequence[str] = ()
) -> Derived:
    trees, _ = load_trees([study], COUNTERS, names)
    return estimated(trees, [study / file for file in files], base, 10**9)


def _column(result: Derived, name: str) -> list[Any]:
    return result.table[name].tolist()


def test_cpi_mpki_and_time_are_weighted_by_instructions(study: Path) -> None:
    result = _estimated(study, "{app}.weights", base=["l2=256"])
    assert result.table[["l2", "app"]].to_numpy().tolist() == [
        ["256", "lbm"],
        ["256", "mcf"],
        ["512", "lbm"],
        ["512", "mcf"],
        ["256", "geomean"],
        ["512", "geomean"],
    ]
    assert _column(result, "tree")[1] == "l2=256, app=mcf"
    assert _column(result, "cpi")[:4] == [1, 3, 0.75, 1.75]
    assert _column(result, "ipc")[:4] == pytest.approx([1, 1 / 3, 4 / 3, 4 / 7])
    assert _column(result, "l2_mpki")[:4] == [6, 7, 6, 7]
    assert _column(result, "ns_per_instruction")[:4] == pytest.approx([1, 3, 0.75, 1.75])
    assert _column(result, "seconds")[:4] == pytest.approx([1, 3, 0.75, 1.75])
    speedups = [1, 1, 4 / 3, 12 / 7, 1, (4 / 3 * 12 / 7) ** 0.5]
    assert _column(result, "speedup") == pytest.approx(speedups)


@pytest.mark.parametrize(
    ("files", "cpi"), [(["w"], 0.75 * 2 + 0.25 * 6), (["w", "s"], 0.25 * 2 + 0.75 * 6)]
)
def test_dumps_are_simpoints_in_order_of_the_intervals(
    tmp_path: Path, files: list[str], cpi: float
) -> None:
    write_stats(tmp_path / "stats.txt", _dump(2), _dump(6))
    (tmp_path / "w").write_text("0.75 0\n0.25 1\n")
    (tmp_path / "s").write_text("90 0\n10 1\n")
    assert _column(_estimated(tmp_path, *files, names=None), "cpi") == [cpi]


@pytest.mark.parametrize(
    ("group", "folders"), [("interval", ("90", "10")), ("position", ("01", "00"))]
)
def test_a_tree_may_be_named_by_its_interval_or_position(
    tmp_path: Path, group: str, folders: Sequence[str]
) -> None:
    for folder, cpi in zip(folders, (2, 6), strict=True):
        write_stats(tmp_path / folder / "stats.txt", _dump(cpi))
    (tmp_path / "w").write_text("0.75 0\n0.25 1\n")
    (tmp_path / "s").write_text("90 0\n10 1\n")
    names = rf"/(?P<{group}>\d+)$"
    assert _column(_estimated(tmp_path, "w", "s", names=names), "cpi") == [3]


@settings(max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(st.integers(1, 1000), min_size=1, max_size=8), cpi=st.sampled_from([0.5, 3]))
def test_simpoints_that_are_alike_give_their_rates_whatever_their_weights(
    tmp_path: Path, parts: list[int], cpi: float
) -> None:
    write_stats(tmp_path / "stats.txt", *[_dump(cpi, misses=5)] * len(parts))
    lines = (f"{part / sum(parts):.6f} {label}\n" for label, part in enumerate(parts))
    (tmp_path / "w").write_text("".join(lines))
    result = _estimated(tmp_path, "w", names=None)
    found = [_column(result, name)[0] for name in ("cpi", "ns_per_instruction", "l2_mpki")]
    assert found == pytest.approx([cpi, cpi, 5])


def test_weights_are_one_together_but_for_rounding(tmp_path: Path) -> None:
    (tmp_path / "w").write_text(".3333 0\n0.3333 1\n3.333e-1 2\n")
    assert read_points(tmp_path / "w")["weight"].tolist() == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ("0.75 4\n0.2 7\n", "mcf.weights: found weights whose sum is 0.95; allowed: 1"),
        ("1 4\n", "l2=256, app=mcf: simpoint: found 7, which has no weight"),
        ("0.5 4\n0.3 7\n0.2 9\n", "l2=256, app=mcf: no tree of simpoint 9"),
        ("0.5 4\n0.5 4\n", "mcf.weights: label 4: found twice; allowed: once"),
        ("0.5\n0.5 4\n", "mcf.weights: line 1: found '0.5'; allowed: WEIGHT LABEL"),
        ("", "sum is 0; allowed: 1"),
    ],
)
def test_a_program_whose_weights_are_wrong_is_left_out_and_told(
    study: Path, weights: str, words: str
) -> None:
    (study / "mcf.weights").write_text(weights)
    result = _estimated(study, "{app}.weights")
    assert _column(result, "app") == ["lbm", "lbm"]
    assert len(result.faults) == 2 and words in result.faults[0]


@pytest.mark.parametrize(
    ("files", "names", "words"),
    [
        (["nowhere"], SIMPOINT, "nowhere: cannot be read: No such file"),
        (["{who}"], SIMPOINT, "--weights: found {who}; allowed: {l2}, {app}"),
        (["w", "w", "w"], SIMPOINT, "--weights: found 3 files; allowed: one or two"),
        (["w", "s"], SIMPOINT, "w, .*s: found in one alone: label 7, 8"),
        (["w"], None, "l2_256/lbm/sp4: found 1 dump; allowed: 2, as weights"),
        (["w"], r"(?P<l2>256)/(?P<simpoint>\w+)/sp4", "simpoint: found 'lbm'; allowed: a whole"),
        (["w"], r"256/mcf/sp(?P<interval>\d)", "a group interval; allowed: with a file of sim"),
        (["w"], r"256/.*/sp(?P<simpoint>\d)", "simpoint 4: found several dumps; allowed: one"),
    ],
)
def test_nothing_to_estimate_is_an_error(
    study: Path, files: list[str], names: str | None, words: str
) -> None:
    (study / "w").write_text("0.75 4\n0.25 7\n")
    (study / "s").write_text("1 4\n2 8\n")
    with pytest.raises(OsgapError, match=words):
        _estimated(study, *files, names=names)


def test_the_command_tells_what_is_left_out(study: Path) -> None:
    (study / "lbm.weights").unlink()
    command = ["analyze", "--stats", str(study), "--names", SIMPOINT]
    with streams() as (out, err):
        assert main([*command, "--weights", f"{study}/{{app}}.weights"]) == 2
    assert err.text().count("lbm.weights: cannot be read") == 2
    assert "| 512 | mcf |               1.75 | 0.5714 | 1.75 |       7 |   1.714 |" in out.text()
