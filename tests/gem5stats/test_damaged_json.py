# SPDX-License-Identifier: BSD-3-Clause
"""gem5's JSON statistics that are cut off, damaged or of nobody's making: refused in a sentence."""

import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from examples import examples
from files import BOUND, changed, damaged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from json_stats import figures, scalar, stats_file

from osgap.base.errors import OsgapError
from osgap.gem5stats import gem5json
from osgap.gem5stats.gem5json import parse, read_dumps
from osgap.gem5stats.textrow import StatLine
from osgap.gem5stats.tree import load


def _nested(depth: int) -> str:
    return '{"simulated_begin_time": 0, "a": ' + '{"a": ' * depth + "1" + "}" * (depth + 1)


BAD = {
    "empty": ("", "not readable as JSON"),
    "cut short": (json.dumps(stats_file(x=scalar(1)))[:30], "not readable as JSON"),
    "a list": ("[[[[]]]]", "found a list"),
    "a text": ('"' + "x" * 5000 + '"', "simulated_begin_time"),
    "another file": ('{"system": {}}', "simulated_begin_time"),
    "lists in lists": ("[" * 1_000_000, "not readable as JSON"),
    "objects in objects": (_nested(500), "allowed: 100"),
    "a large number": (json.dumps(stats_file(x=scalar(10**400))), "64-bit"),
    "a larger number": (json.dumps(stats_file(x=scalar(1))).replace(" 1,", " 1e999,"), "finite"),
    "too many digits": (json.dumps(stats_file()).replace("9", "9" * 5000), "digit"),
    "a text for a number": (json.dumps(stats_file(x=scalar("1"))), "allowed: a number"),
    "true for a number": (json.dumps(stats_file(x=scalar(True))), "allowed: a number"),
    "a deep value": (json.dumps(stats_file(x=scalar([[[1]]]))), "found a list"),
    "a vector of numbers": (json.dumps(stats_file(x={"type": "Vector", "value": [1]})), "entries"),
    "a distribution without figures": (
        json.dumps(stats_file(x={"type": "Distribution", "value": {"0": scalar(1)}})),
        "min: found null",
    ),
    "objects in no list": (
        json.dumps(stats_file(x={"type": "SimObjectVector", "value": 1})),
        "a list",
    ),
    "a name that acts": (json.dumps(stats_file(**{"\x1b[2J": scalar(1)})), "plain characters"),
    "a long name": (json.dumps(stats_file(**{"x" * 5000: scalar(1)})), "plain characters"),
    "a key twice": (json.dumps(stats_file(x=1))[:-1] + ', "x": 2}', "there twice"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_one_sentence_that_names_it(kind: str, tmp_path: Path) -> None:
    text, told = BAD[kind]
    file = tmp_path / "stats.json"
    file.write_text(text)
    with pytest.raises(OsgapError, match=told) as caught:
        load(tmp_path, ".")
    said = str(caught.value)
    assert str(file) in said and "\n" not in said and "\x1b" not in said
    assert len(said.replace(str(file), "")) < BOUND


def test_more_values_or_rows_than_memory_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps(stats_file(**{f"x{at}": scalar(1) for at in range(9)})).encode()
    monkeypatch.setattr(gem5json, "MOST_ROWS", 8)
    with pytest.raises(OsgapError, match="allowed: 8"):
        list(parse(text, "stats.json"))
    monkeypatch.setattr(gem5json, "MOST_VALUES", 30)
    with pytest.raises(OsgapError, match="more than 30 values"):
        list(parse(text, "stats.json"))


def test_statistics_that_cannot_be_read_are_counted_and_the_others_kept(tmp_path: Path) -> None:
    bad = {f"b{at}": scalar("1") for at in range(5)}
    (tmp_path / "stats.json").write_text(json.dumps(stats_file(x=scalar(1), **bad, y=scalar(2))))
    found = load(tmp_path, ".")
    assert found.table.iloc[0].to_dict() == {"file": "stats.json", "dump": 0, "x": 1, "y": 2}
    (fault,) = found.faults
    assert "5 statistics cannot be read, left out: 'b0': value: found '1'" in fault
    assert fault.endswith("; and 2 more")


def test_statistics_of_an_unknown_type_are_told_and_the_others_kept(tmp_path: Path) -> None:
    later = stats_file(x=scalar(1), y={"type": "Vector9d", "value": 1})
    (tmp_path / "stats.json").write_text(json.dumps(later))
    found = load(tmp_path, ".")
    assert found.table.iloc[0].to_dict() == {"file": "stats.json", "dump": 0, "x": 1}
    assert len(found.faults) == 1 and "'Vector9d'" in found.faults[0]


def _small() -> dict[str, Any]:
    entries = {str(at): scalar(float(at)) for at in range(3)}
    given = figures(min=0.0, max=2.0, bin_size=1.0, sum=5.0, sum_squared=9.0)
    return stats_file(
        x=scalar(1.5),
        v={"type": "Vector", "value": entries},
        m={"type": "Vector2d", "value": {"0": {"type": "Vector", "value": entries}}},
        d={"type": "Distribution", "value": entries, **given},
        s={"type": "SparseHist", "value": entries},
        o={"type": "SimObjectVector", "value": [{"type": "SimObject", "y": scalar(1)}] * 2},
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
    content = json.dumps({**_small(), "z": {"type": "Group", "last": scalar(12345)}}).encode()
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
    text = json.dumps(stats_file(x=scalar(1), y=scalar(2)), indent=1)
    file = tmp_path / "stats.json"
    file.write_text(text[: text.index('"value": 2') + 9])
    found = load(tmp_path, ".")
    assert found.table.iloc[0].to_dict() == {"file": "stats.json", "dump": 0, "x": 1}
    (fault,) = found.faults
    assert fault.startswith(f"{file}: not readable as JSON: Expecting value: line 13 column 12")
    assert fault.endswith("; read until there")


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_cut_packed_file_is_read_until_there(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    content = json.dumps(stats_file(**{f"x{at}": scalar(at) for at in range(9000)})).encode()
    file = tmp_path / "stats.json"
    packed = pack(content)
    for length in (len(packed) // 2, len(packed) - 1):
        file.write_bytes(packed[:length])
        found = load(tmp_path, ".")
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
