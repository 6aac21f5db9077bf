# SPDX-License-Identifier: BSD-3-Clause
"""gem5's JSON statistics: read as its text of the same simulation, and refused in a sentence."""

import json
import lzma
import math
from pathlib import Path

import pytest
from json_stats import figures, scalar, stats_file

from osgap.gem5stats import gem5text
from osgap.gem5stats.distribution import distribution
from osgap.gem5stats.gem5json import parse, read_dumps
from osgap.gem5stats.tree import load

FIXTURES = Path(__file__).parent / "fixtures"
# gem5 24.0.0.1 wrote text and JSON in one simulation: three dumps of an O3 CPU, and one of two
# blocking cores. SE mode, a small program, two caches a core, a shared one and DDR3.
WRITTEN = ("gem5-24.0.0.1-o3-dumps", "gem5-24.0.0.1-two-cores")
# The value at the dump in JSON, the average over time in the text.
AVERAGES = ("tags.tagsInUse", "tags.occupancies", "QLen")


def _last_text(name: str) -> tuple[dict[str, float], dict[str, float]]:
    """Values of the last dump, and half a step of the last digit that each is printed with."""
    file = FIXTURES / f"{name}.stats.txt.xz"
    values = list(gem5text.read_dumps(file))[-1].scalars()
    lines = lzma.decompress(file.read_bytes()).decode().split(gem5text.BEGIN)[-1].splitlines()
    words = [line.split() for line in lines if len(line.split()) > 1]
    return values, {one[0]: 0.51 * 10 ** -len(one[1].partition(".")[2]) for one in words}


def _json(name: str) -> dict[str, float]:
    (dump,) = read_dumps(FIXTURES / f"{name}.stats.json.xz")
    return dump.scalars()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), list(zip(WRITTEN, (530, 420), strict=True)))
def test_the_same_names_have_the_same_values_in_both(name: str, least: int) -> None:
    text, step = _last_text(name)
    written = _json(name)
    shared = [one for one in text if one in written and not one.startswith("host")]
    differ = {
        one
        for one in shared
        if not (abs(text[one] - written[one]) <= step[one] or text[one] is written[one])
        and not (math.isnan(text[one]) and math.isnan(written[one]))
    }
    assert all(any(word in one for word in AVERAGES) for one in differ), sorted(differ)
    assert len(shared) - len(differ) >= least


@pytest.mark.slow
def test_what_json_lacks_are_formulas_and_groups_that_are_no_objects() -> None:
    text, _ = _last_text(WRITTEN[0])
    lacking = set(text) - set(_json(WRITTEN[0]))
    assert {"system.cpu.ipc", "system.cpu.commitStats0.numInsts"} <= lacking
    # The formulas that every file has, and the members of groups, are most of it.
    assert "simSeconds" not in lacking and "simTicks" not in lacking
    assert len(lacking) < len(text) * 2 / 3


@pytest.mark.slow
def test_names_of_objects_vectors_and_distributions_are_the_texts() -> None:
    written = _json(WRITTEN[0])
    assert written["system.cpu.numIssuedDist::8"] > 0
    assert "system.cpu.numIssuedDist::min_value" in written
    total = written["system.mem_ctrl.dram.bytesRead::total"]
    parts = ("cpu.inst", "cpu.data")
    assert total == sum(written[f"system.mem_ctrl.dram.bytesRead::{one}"] for one in parts) > 0
    assert written["system.mem_ctrl.dram.bytesPerActivate::0-127"] > 0
    two = _json(WRITTEN[1])
    assert two["system.cpu0.numCycles"] > 0 and "system.cpu.numCycles" not in two


@pytest.mark.slow
def test_a_row_has_the_texts_unit() -> None:
    text = list(gem5text.read_dumps(FIXTURES / f"{WRITTEN[0]}.stats.txt.xz"))[-1]
    (dump,) = read_dumps(FIXTURES / f"{WRITTEN[0]}.stats.json.xz")
    units = {row.name: row.unit for row in dump.rows}
    known = {row.name: row.unit for row in text.rows if row.name in units}
    assert {"Tick", "Count", "(Tick/Second)"} <= set(known.values())
    assert {name: unit for name, unit in known.items() if units[name] != unit} == {}


def _read(data: object) -> dict[str, float]:
    (dump,) = parse(json.dumps(data).encode(), "stats.json")
    return dump.scalars()


def test_a_value_without_a_type_is_ascalar() -> None:
    """As in gem5's tests/gem5/traffic_gen/trusted_stats."""
    text = '{"simulated_begin_time": 0, "system": {"generator": {"latency": {"value": 4.5}}}}'
    (dump,) = parse(text.encode(), "f")
    assert dump.scalars()["system.generator.latency"] == 4.5


def test_lists_of_objects_are_numbered_where_there_are_several() -> None:
    one = {"type": "SimObject", "x": scalar(1.0)}
    several = {"type": "SimObjectVector", "value": [one, one]}
    alone = {"type": "SimObjectVector", "value": [one]}
    assert list(_read(stats_file(cpu=several, isa=alone))) == ["cpu0.x", "cpu1.x", "isa.x"]


def test_vectors_have_the_texts_names() -> None:
    two = {"type": "Vector", "value": {"a": scalar(1.0), "1": scalar(2.5)}}
    one = {"type": "Vector", "value": {"a": scalar(4.0)}}
    sparse = {"type": "SparseHist", "value": {"3.0": scalar(2.0), "7.0": scalar(1.0)}}
    matrix = {"type": "Vector2d", "value": {"0": two, "1": one}}
    assert _read(stats_file(v=two, w=one, s=sparse, m=matrix)) == {
        "v::a": 1,
        "v::1": 2.5,
        "v::total": 3.5,
        "w": 4,
        "s::samples": 3,
        "s::3": 2,
        "s::7": 1,
        "m_0::a": 1,
        "m_0::1": 2.5,
        "m_0::total": 3.5,
        "m_1::a": 4,
        "m::total": 7.5,
    }


def test_nan_and_infinity_are_numbers_as_gem5_writes_them() -> None:
    read = _read(stats_file(x=scalar(math.nan), y=scalar(-math.inf)))
    assert math.isnan(read["x"]) and read["y"] == -math.inf


def test_a_histograms_buckets_are_named_by_its_bounds() -> None:
    """What it never sets, `underflow` here, may be anything."""
    given = figures(min=0.0, max=30.0, bin_size=10.0, underflow=7e223, sum=50.0, logs=4.0)
    rows = distribution([2.0, 0.0, 0.0, 0.0], given)
    assert list(rows) == [
        "samples",
        "mean",
        "gmean",
        "stdev",
        "0-9",
        "10-19",
        "20-29",
        "30-39",
        "total",
    ]
    assert rows["mean"] == 25 and rows["gmean"] == pytest.approx(math.exp(2))


@pytest.mark.parametrize(
    ("least", "most", "under", "over", "names"),
    [
        (5.0, 6.0, 0.0, 0.0, ["4", "5", "6", "7"]),
        (1.0, 6.0, 1.0, 0.0, ["4", "5", "6", "7"]),
        (5.0, 9.0, 0.0, 1.0, ["4", "5", "6", "7"]),
        (1.0, 9.0, 1.0, 1.0, ["bucket0", "bucket1", "bucket2", "bucket3"]),
    ],
)
def test_a_distributions_buckets_are_named_where_their_bounds_follow(
    least: float, most: float, under: float, over: float, names: list[str]
) -> None:
    """Samples 5 and 6, and one below or above, of buckets that begin at 4."""
    given = figures(min=least, max=most, bin_size=1.0, underflow=under, overflow=over, sum=11.0)
    rows = distribution([0.0, 1.0, 1.0, 0.0], given)
    assert list(rows) == [
        "samples",
        "mean",
        "stdev",
        "underflows",
        *names,
        "overflows",
        "min_value",
        "max_value",
        "total",
    ]
    assert rows["total"] == rows["samples"] == 2 + under + over


def test_json_of_any_version_since_21() -> None:
    """21.0 to 23.0 wrote groups, a vector's entries beside its type, counts as a list."""
    counts = {
        "type": "Distribution",
        "value": [2, 1],
        "unit": "Count",
        **figures(min=0.0, max=1.0, bin_size=1.0, sum=1.0, sum_squared=1.0),
    }
    group = {
        "type": "Group",
        "time_conversion": None,
        "d": counts,
        "v": {"type": "Vector", "time_conversion": None, "a": scalar(1.0), "b": scalar(2.0)},
    }
    read = _read(stats_file(system=group))
    assert read["system.v::a"] == 1 and read["system.v::total"] == 3
    assert read["system.d::0"] == 2 and read["system.d::samples"] == 3
    # 25.1 names groups of an object; a list of objects stands alone or in a SimObjectVector.
    groups = {"type": "Group", "name": "commitStats0", "numInsts": scalar(1300)}
    cores = [{"type": "Group", "n": scalar(at)} for at in range(2)]
    assert _read(stats_file(cpu={"type": "SimObject", "commitStats0": groups, "cores": cores})) == {
        "cpu.commitStats0.numInsts": 1300,
        "cpu.cores0.n": 0,
        "cpu.cores1.n": 1,
    }


def test_a_tree_has_json_of_any_name_beside_text_and_no_other_json(tmp_path: Path) -> None:
    """config.json lies in every folder that gem5 writes to."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "config.json").write_text('{"name": null, "system": {}}')
    (tmp_path / "a" / "stats.txt").write_text(
        f"{gem5text.BEGIN}\nx 1 # d (Count)\n{gem5text.END}\n"
    )
    text = json.dumps(stats_file(x=scalar(2)))
    (tmp_path / "b" / "mine.json").write_text(text)
    (tmp_path / "b" / "other.json.xz").write_bytes(lzma.compress(text.encode()))
    (tmp_path / "b" / "damaged.json.xz").write_bytes(b"no xz")
    tree = load(tmp_path, "^x$")
    assert [(one.file, one.values["x"], one.units["x"]) for one in tree.dumps] == [
        ("a/stats.txt", 1, "Count"),
        ("b/mine.json", 2, "Count"),
        ("b/other.json.xz", 2, "Count"),
    ]
    assert tree.faults == ()
