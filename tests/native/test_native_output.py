# SPDX-License-Identifier: BSD-3-Clause
"""What a machine sends back is read, or refused in a sentence that says where it is wrong."""

from pathlib import Path

import measured
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.base.errors import OsgapError
from osgap.machines.host import HostMix
from osgap.native.facts import machine_of
from osgap.native.merge import merge
from osgap.native.output import NativeError, parse, read

CUTS = st.integers(0, len(measured.text()))


def test_everything_is_read(tmp_path: Path) -> None:
    found = read(measured.file(tmp_path, more=["left-out name=pt fs=none reason=signal-11"]))
    assert found.clock_khz == 1500123
    assert found.mix == (measured.MIX, "steps")
    assert found.facts == measured.FACTS
    assert found.left_out == {"pt": "signal-11"}
    assert found.rounds == measured.ROUNDS
    expected = [(n, fs) for n in range(measured.ROUNDS) for fs in ("unix", "sprite")]
    assert [(part.round, part.fs) for part in found.parts] == expected


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("osgap-native 1", "osgap-native 2", "f: found 'osgap-native 2'; allowed: 'osgap-nat"),
        ("clock 1500123", "clock fast", "f: clock: found 'fast'; allowed: one line with a number"),
        ("clock 1500123", "clock 0", "f: clock: found '0'"),
        ("clock 1500123\n", "", "f: clock: found ''"),
        ("done 6 31", "done 6\ndone 7", "f: done: found '6; 7'"),
        ("instructions 10000 steps", "instructions 10000 guess", "f: instructions: found '10000 g"),
        ("round 2 unix", "round two unix", "f: round: found 'two unix'; allowed: a number and"),
        ("round 2 unix", "round 2 vms", "f: round: found '2 vms'"),
        ("fact cpu 3", "fakt cpu 3", "f:3: found 'fakt cpu 3'; allowed: fact, clock"),
        ("fact cpu 3", "refused reason=no-fs", "f: the benchmarks were refused: 'reason=no-fs'"),
        ("fact cpu 3", "left-out everything", "f: left-out: found 'everything'"),
    ],
)
def test_what_is_wrong_is_told(old: str, new: str, sentence: str) -> None:
    assert old in measured.text()
    with pytest.raises(NativeError) as told:
        parse(measured.text().replace(old, new, 1), "f")
    assert str(told.value).startswith(sentence)


def as_sent(kind: str) -> bytes:
    """A measurement as another system or terminal leaves it."""
    text = measured.text()
    return {
        "CRLF": text.replace("\n", "\r\n").encode(),
        "terminal": text.replace("\n", "\r\r\n").encode(),
        "mark": b"\xef\xbb\xbf" + text.encode(),
        "UTF-16": text.replace("\n", "\r\n").encode("utf-16"),
        "banner": b"Welcome to board\n\nfact: rain\n$ sh measure.sh\n" + text.encode(),
        "prompt after": text.encode() + b"board$ exit\nlogout\n",
        "no last newline": text.rstrip("\n").encode(),
        "standard error": text.replace("round 1 unix", "round 2, 5 s\nround 1 unix").encode(),
    }[kind]


@pytest.mark.parametrize(
    "kind",
    [
        "CRLF",
        "terminal",
        "mark",
        "UTF-16",
        "banner",
        "prompt after",
        "no last newline",
        "standard error",
    ],
)
def test_other_systems_files_are_read_alike(tmp_path: Path, kind: str) -> None:
    (tmp_path / "f").write_bytes(as_sent(kind))
    found, plain = read(tmp_path / "f"), parse(measured.text(), "f")
    assert (found.facts, found.parts, found.rounds) == (plain.facts, plain.parts, plain.rounds)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.99])
def test_a_cut_file_is_called_cut(part: float) -> None:
    text = measured.text()
    with pytest.raises(NativeError, match=r"^f: is cut: found '.*' as its last line; allowed: the"):
        parse(text[: int(len(text) * part)], "f")


def test_two_measurements_in_a_file_are_refused() -> None:
    with pytest.raises(
        NativeError, match=r"found 'osgap-native 1; osgap-native 1'; allowed: .* onc"
    ):
        parse(2 * measured.text(), "f")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OsgapError, match=r"none: cannot be read: No such file"):
        read(tmp_path / "none")


@given(at=CUTS, replaced=st.binary(max_size=40), length=st.integers(0, 200))
def test_any_change_is_read_or_refused(at: int, replaced: bytes, length: int) -> None:
    whole = measured.text().encode()
    changed = whole[:at] + replaced + whole[at + length :]
    try:
        found = parse(changed.decode("utf-8", "replace"), "f")
        merged = merge(found, "f", measured.MIX)
        machine_of(found, HostMix(instructions=1, counted_by="steps"), "f")
    except NativeError as error:
        assert str(error).startswith("f:") and "\n" not in str(error)
    else:
        assert merged.transcript.samples
