# SPDX-License-Identifier: BSD-3-Clause
"""gem5's JSON statistics: read as its text of the same simulation, and refused in a sentence."""

import gzip
import json
import lzma
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from examples import examples
from files import BOUND, changed, damaged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from osgap.base.errors import OsgapError
from osgap.gem5stats import gem5json, gem5text
from osgap.gem5stats.distribution import distribution
from osgap.gem5stats.gem5json import parse, read_dumps
from osgap.gem5stats.textrow import StatLine
from osgap.gem5stats.tree import collect, load

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


def _scalar(value: object, **more: object) -> dict[str, object]:
    return {"type": "Scalar", "value": value, "unit": "Count", "description": "d", **more}


def _file(**more: object) -> dict[str, Any]:
    return {"type": "SimObject", "simulated_begin_time": 0, "simulated_end_time": 9, **more}


def _read(data: object) -> dict[str, float]:
    (dump,) = parse(json.dumps(data).encode(), "stats.json")
    return dump.scalars()


def test_a_value_without_a_type_is_a_scalar() -> None:
    """As in gem5's tests/gem5/traffic_gen/trusted_stats."""
    text = '{"simulated_begin_time": 0, "system": {"generator": {"latency": {"value": 4.5}}}}'
    (dump,) = parse(text.encode(), "f")
    assert dump.scalars()["system.generator.latency"] == 4.5


def test_lists_of_objects_are_numbered_where_there_are_several() -> None:
    one = {"type": "SimObject", "x": _scalar(1.0)}
    several = {"type": "SimObjectVector", "value": [one, one]}
    alone = {"type": "SimObjectVector", "value": [one]}
    assert list(_read(_file(cpu=several, isa=alone))) == ["cpu0.x", "cpu1.x", "isa.x"]


def test_vectors_have_the_texts_names() -> None:
    two = {"type": "Vector", "value": {"a": _scalar(1.0), "1": _scalar(2.5)}}
    one = {"type": "Vector", "value": {"a": _scalar(4.0)}}
    sparse = {"type": "SparseHist", "value": {"3.0": _scalar(2.0), "7.0": _scalar(1.0)}}
    matrix = {"type": "Vector2d", "value": {"0": two, "1": one}}
    assert _read(_file(v=two, w=one, s=sparse, m=matrix)) == {
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
    read = _read(_file(x=_scalar(math.nan), y=_scalar(-math.inf)))
    assert math.isnan(read["x"]) and read["y"] == -math.inf


def _figures(**given: float) -> dict[str, float]:
    zero = dict.fromkeys(("sum", "sum_squared", "underflow", "overflow", "logs"), 0.0)
    return {**zero, **given}


def test_a_histograms_buckets_are_named_by_its_bounds() -> None:
    """What it never sets, `underflow` here, may be anything."""
    given = _figures(min=0.0, max=30.0, bin_size=10.0, underflow=7e223, sum=50.0, logs=4.0)
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
    given = _figures(min=least, max=most, bin_size=1.0, underflow=under, overflow=over, sum=11.0)
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


def _nested(depth: int) -> str:
    return '{"simulated_begin_time": 0, "a": ' + '{"a": ' * depth + "1" + "}" * (depth + 1)


BAD = {
    "empty": ("", "not readable as JSON"),
    "cut short": (json.dumps(_file(x=_scalar(1)))[:30], "not readable as JSON"),
    "a list": ("[[[[]]]]", "found a list"),
    "a text": ('"' + "x" * 5000 + '"', "simulated_begin_time"),
    "another file": ('{"system": {}}', "simulated_begin_time"),
    "lists in lists": ("[" * 1_000_000, "not readable as JSON"),
    "objects in objects": (_nested(500), "allowed: 100"),
    "a large number": (json.dumps(_file(x=_scalar(10**400))), "64-bit"),
    "a larger number": (json.dumps(_file(x=_scalar(1))).replace(" 1,", " 1e999,"), "finite"),
    "too many digits": (json.dumps(_file()).replace("9", "9" * 5000), "digit"),
    "a text for a number": (json.dumps(_file(x=_scalar("1"))), "allowed: a number"),
    "true for a number": (json.dumps(_file(x=_scalar(True))), "allowed: a number"),
    "a deep value": (json.dumps(_file(x=_scalar([[[1]]]))), "found a list"),
    "a vector of numbers": (json.dumps(_file(x={"type": "Vector", "value": [1]})), "entries"),
    "a distribution without figures": (
        json.dumps(_file(x={"type": "Distribution", "value": {"0": _scalar(1)}})),
        "min: found null",
    ),
    "objects in no list": (json.dumps(_file(x={"type": "SimObjectVector", "value": 1})), "a list"),
    "a name that acts": (json.dumps(_file(**{"\x1b[2J": _scalar(1)})), "plain characters"),
    "a long name": (json.dumps(_file(**{"x" * 5000: _scalar(1)})), "plain characters"),
    "a key twice": (json.dumps(_file(x=1))[:-1] + ', "x": 2}', "there twice"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_one_sentence_that_names_it(kind: str, tmp_path: Path) -> None:
    text, told = BAD[kind]
    file = tmp_path / "stats.json"
    file.write_text(text)
    with pytest.raises(OsgapError, match=told) as caught:
        collect(tmp_path, ".")
    said = str(caught.value)
    assert str(file) in said and "\n" not in said and "\x1b" not in said
    assert len(said.replace(str(file), "")) < BOUND


def test_more_values_or_rows_than_memory_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps(_file(**{f"x{at}": _scalar(1) for at in range(9)})).encode()
    monkeypatch.setattr(gem5json, "MOST_ROWS", 8)
    with pytest.raises(OsgapError, match="allowed: 8"):
        list(parse(text, "stats.json"))
    monkeypatch.setattr(gem5json, "MOST_VALUES", 30)
    with pytest.raises(OsgapError, match="more than 30 values"):
        list(parse(text, "stats.json"))


def test_json_of_any_version_since_21() -> None:
    """21.0 to 23.0 wrote groups, a vector's entries beside its type, counts as a list."""
    counts = {
        "type": "Distribution",
        "value": [2, 1],
        "unit": "Count",
        **_figures(min=0.0, max=1.0, bin_size=1.0, sum=1.0, sum_squared=1.0),
    }
    group = {
        "type": "Group",
        "time_conversion": None,
        "d": counts,
        "v": {"type": "Vector", "time_conversion": None, "a": _scalar(1.0), "b": _scalar(2.0)},
    }
    read = _read(_file(system=group))
    assert read["system.v::a"] == 1 and read["system.v::total"] == 3
    assert read["system.d::0"] == 2 and read["system.d::samples"] == 3
    # 25.1 names groups of an object; a list of objects stands alone or in a SimObjectVector.
    groups = {"type": "Group", "name": "commitStats0", "numInsts": _scalar(1300)}
    cores = [{"type": "Group", "n": _scalar(at)} for at in range(2)]
    assert _read(_file(cpu={"type": "SimObject", "commitStats0": groups, "cores": cores})) == {
        "cpu.commitStats0.numInsts": 1300,
        "cpu.cores0.n": 0,
        "cpu.cores1.n": 1,
    }


def test_statistics_that_cannot_be_read_are_counted_and_the_others_kept(tmp_path: Path) -> None:
    bad = {f"b{at}": _scalar("1") for at in range(5)}
    (tmp_path / "stats.json").write_text(json.dumps(_file(x=_scalar(1), **bad, y=_scalar(2))))
    found = collect(tmp_path, ".")
    assert found.table.iloc[0].to_dict() == {"file": "stats.json", "dump": 0, "x": 1, "y": 2}
    (fault,) = found.faults
    assert "5 statistics cannot be read, left out: 'b0': value: found '1'" in fault
    assert fault.endswith("; and 2 more")


def test_statistics_of_an_unknown_type_are_told_and_the_others_kept(tmp_path: Path) -> None:
    later = _file(x=_scalar(1), y={"type": "Vector9d", "value": 1})
    (tmp_path / "stats.json").write_text(json.dumps(later))
    found = collect(tmp_path, ".")
    assert found.table.iloc[0].to_dict() == {"file": "stats.json", "dump": 0, "x": 1}
    assert len(found.faults) == 1 and "'Vector9d'" in found.faults[0]


def test_a_tree_has_json_of_any_name_beside_text_and_no_other_json(tmp_path: Path) -> None:
    """config.json lies in every folder that gem5 writes to."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "config.json").write_text('{"name": null, "system": {}}')
    (tmp_path / "a" / "stats.txt").write_text(
        f"{gem5text.BEGIN}\nx 1 # d (Count)\n{gem5text.END}\n"
    )
    text = json.dumps(_file(x=_scalar(2)))
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


def _small() -> dict[str, Any]:
    entries = {str(at): _scalar(float(at)) for at in range(3)}
    given = _figures(min=0.0, max=2.0, bin_size=1.0, sum=5.0, sum_squared=9.0)
    return _file(
        x=_scalar(1.5),
        v={"type": "Vector", "value": entries},
        m={"type": "Vector2d", "value": {"0": {"type": "Vector", "value": entries}}},
        d={"type": "Distribution", "value": entries, **given},
        s={"type": "SparseHist", "value": entries},
        o={"type": "SimObjectVector", "value": [{"type": "SimObject", "y": _scalar(1)}] * 2},
    )


def _kept(content: bytes) -> tuple[dict[str, StatLine], str]:
    rows: dict[str, StatLine] = {}
    try:
        for dump in parse(content, "f"):
            rows = {row.name: row for row in dump.rows}
    except OsgapError as error:
        return rows, str(error)
    return rows, ""


@settings(deadline=None, max_examples=examples(300))
@given(st.data())
def test_of_a_cut_file_all_before_is_kept_and_nothing_else_is_read(data: st.DataObject) -> None:
    """Nor is a number without its last digits, or a part of a vector."""
    content = json.dumps({**_small(), "z": {"type": "Group", "last": _scalar(12345)}}).encode()
    whole, fault = _kept(content)
    assert whole["z.last"].value == 12345 and fault == ""
    cut = data.draw(st.integers(0, len(content) - 1))
    damage = data.draw(st.sampled_from([b"", b"\xff", b"\0", b'"', b"}x", b"]"]))
    rows, fault = _kept(content[:cut] + damage)
    assert rows.items() <= whole.items() and fault.startswith("f: ")
    assert set(rows) >= {name for name in whole if _end(content, name) < cut}


def _end(content: bytes, name: str) -> int:
    """Returns the place behind the top-level statistic of `_small()` that has this row."""
    place = content.index(f'"{name[0]}": {{'.encode())
    _, end = json.JSONDecoder().raw_decode(content.decode(), content.index(b"{", place))
    return end


def test_the_end_of_a_file_that_is_cut_is_named(tmp_path: Path) -> None:
    text = json.dumps(_file(x=_scalar(1), y=_scalar(2)), indent=1)
    file = tmp_path / "stats.json"
    file.write_text(text[: text.index('"value": 2') + 9])
    found = collect(tmp_path, ".")
    assert found.table.iloc[0].to_dict() == {"file": "stats.json", "dump": 0, "x": 1}
    (fault,) = found.faults
    assert fault.startswith(f"{file}: not readable as JSON: Expecting value: line 13 column 12")
    assert fault.endswith("; read until there")


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_cut_packed_file_is_read_until_there(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    content = json.dumps(_file(**{f"x{at}": _scalar(at) for at in range(9000)})).encode()
    file = tmp_path / "stats.json"
    packed = pack(content)
    for length in (len(packed) // 2, len(packed) - 1):
        file.write_bytes(packed[:length])
        found = collect(tmp_path, ".")
        values = found.table.iloc[0, 2:].to_dict()
        assert values == {f"x{at}": at for at in range(len(values))} and len(values) > 1000
        assert found.faults[0].startswith(f"{file}: cannot be read: damage (Compressed file ended")


foreign = settings(
    deadline=None,
    max_examples=examples(200),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@foreign
@given(text=changed(_small()) | damaged(json.dumps(_small())) | st.text(max_size=99))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        rows = [
            row for dump in parse(text.encode("utf-8", "surrogatepass"), "f") for row in dump.rows
        ]
    except OsgapError as error:
        assert "\n" not in str(error) and len(str(error)) < BOUND
    else:
        assert all(row.name and isinstance(row.value, int | float) for row in rows)


@pytest.mark.parametrize("make", [lambda: b"", lambda: b"\xfd7zXZ\x00", lambda: b"\xff" * 99])
def test_any_bytes_are_refused(make: Callable[[], bytes], tmp_path: Path) -> None:
    for name in ("stats.json", "stats.json.xz"):
        (tmp_path / name).write_bytes(make())
        with pytest.raises(OsgapError, match=name):
            list(read_dumps(tmp_path / name))
