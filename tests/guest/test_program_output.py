# SPDX-License-Identifier: BSD-3-Clause
"""What programs print: told by the guest, kept beside the point, read by patterns."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import finished

from osgap.guest import protocol
from osgap.guest.program_output import KEPT
from osgap.guest.protocol import GuestError
from osgap.rundir.load import load_run
from osgap.rundir.pointfiles import output_files, output_texts, write_done
from osgap.suites import analyze

BENCH = "@osgap bench name=mine fs=none metric=ms bytes=0 count=1 batches=1"
SAMPLE = "@osgap sample region=0 name=mine fs=none batch=0 ns=5 irqs=0"
END = "@osgap end status=ok regions=1"


def escaped(data: bytes) -> str:
    """As disk-images/program/program.c has it."""
    plain = set(range(33, 127)) - {ord("%")}
    return "".join(chr(one) if one in plain else f"%{one:02x}" for one in data)


def console(*told: str) -> str:
    return "\n".join(["@osgap ready protocol=2", BENCH, *told, SAMPLE, END]) + "\n"


def lines(data: bytes, size: int | None = None, piece: int = 1000) -> list[str]:
    pieces = [data[at : at + piece] for at in range(0, len(data), piece)]
    kept, size = len(data), len(data) if size is None else size
    return [
        *(f"@osgap output name=mine text={escaped(one)}" for one in pieces),
        f"@osgap printed name=mine kept={kept} bytes={size}",
    ]


@given(data=st.binary(max_size=300), piece=st.integers(1, 50))
def test_any_bytes_come_through(data: bytes, piece: int) -> None:
    told = protocol.parse(console(*lines(data, piece=piece)))
    assert told.printed == {"mine": data.decode("utf-8", "replace")}


def test_a_program_that_prints_nothing_has_an_empty_output() -> None:
    assert protocol.parse(console(*lines(b""))).printed == {"mine": ""}
    assert protocol.parse(console()).printed == {}


def test_what_is_over_the_bound_is_told_in_a_last_line() -> None:
    told = protocol.parse(console(*lines(b"x" * KEPT, KEPT + 7))).printed["mine"]
    assert told == "x" * KEPT + "\n[7 bytes more]\n"


@pytest.mark.parametrize(
    "told",
    [
        ["@osgap output name=other text=a"],
        ["@osgap output name=mine text=a"],
        ["@osgap output name=mine text=%0"],
        ["@osgap output name=mine text="],
        ["@osgap output name=mine text=é"],
        ["@osgap printed name=mine kept=1 bytes=1"],
        ["@osgap printed name=mine kept=0 bytes=1"],
        [*lines(b"a"), *lines(b"a")],
        [SAMPLE, *lines(b"a")],
        lines(b"a" * (KEPT + 1)),
        lines(b"a", 2),
    ],
)
def test_an_output_that_is_not_whole_is_refused(told: list[str]) -> None:
    with pytest.raises(GuestError):
        protocol.parse(console(*told))


def test_one_program_has_one_file_and_several_have_one_each() -> None:
    assert output_files(["checks", "program/a"]) == {"a": "output.txt"}
    both = ["program/a", "program/b"]
    assert output_texts(both, {"a": "1", "b": "2", "getpid": "3"}) == {
        "a.output.txt": "1",
        "b.output.txt": "2",
    }
    assert output_files(["checks", "ousterhout/getpid"]) == {}


@pytest.mark.slow
def test_numbers_are_read_from_what_a_finished_point_keeps(tmp_path: Path) -> None:
    """A run of the fake engine, given an output: what is printed is none of the engine's work."""
    run = tmp_path / "run"
    finished(run, "--cpu-mhz", "20", "--memory", "fixed,scaled", "--run", "checks,ousterhout")
    plain = load_run(run)
    assert "program_numbers" not in analyze(plain)
    manifest = json.loads((run / "run.json").read_text())
    manifest["sweep"]["pattern"] = ["null:us=null ([0-9.]+)", "gone=gone ([0-9]+)"]
    (run / "run.json").write_text(json.dumps(manifest))
    loaded = load_run(run)
    (key,) = loaded.keys
    printed = {"mine": "null 0.5\nnull 0.25\n"}
    point = replace(loaded.points[key], printed=printed)
    rows = analyze(replace(loaded, points={key: point}))["program_numbers"]
    assert set(rows["series"]) == set(loaded.series) and len(loaded.series) == 2
    first = rows[rows["series"] == "fixed"].drop(columns=["series"]).to_dict("records")
    assert [(r["program"], r["name"], r["unit"], r["line"]) for r in first] == [
        ("mine", "null", "us", 1),
        ("mine", "null", "us", 2),
        ("mine", "gone", "", 0),
    ]
    assert [r["value"] for r in first[:2]] == [0.5, 0.25] and first[2]["value"] != first[2]["value"]
    assert {r["clock_mhz"] for r in first} == {20} and {r["key"] for r in first} == {key}


@pytest.mark.slow
def test_an_output_is_read_from_a_points_folder(tmp_path: Path) -> None:
    run = tmp_path / "run"
    finished(run, "--cpu-mhz", "20")
    (folder,) = (run / "points").iterdir()
    (folder / "output.txt").write_text("said\n")
    (folder / "done.json").unlink()
    write_done(folder)
    # Its orders name no program, so it is a file as any other.
    assert load_run(run).points[folder.name].printed == {}
