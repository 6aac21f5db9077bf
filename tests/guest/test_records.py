# SPDX-License-Identifier: BSD-3-Clause
"""A guest record is declared once: console, files, frames, replay and documentation follow."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import pytest
from synthetic import complete

from osgap.base.paths import project_root
from osgap.engines.contract import Outcome
from osgap.guest import protocol, records
from osgap.guest.records import ColumnSpec, RegionRecord
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.files import PointFiles
from osgap.rundir.load import load_point
from osgap.rundir.point import Spec
from osgap.rundir.pointfiles import write_done, write_point
from osgap.sweep.replay import compare, values

DOCUMENT = project_root() / "docs" / "reference" / "run-directory.md"


@dataclass(frozen=True)
class QueueLength(RegionRecord):
    """A made-up record."""

    verb: ClassVar[str] = "queue"
    name: ClassVar[str] = "queues"
    unique: ClassVar[tuple[str, ...]] = ("queue",)

    queue: Annotated[str, ColumnSpec("which", key="name")]
    longest: Annotated[int, ColumnSpec("the most that waited", unit="request")]


CONSOLE = """@osgap ready protocol=2
@osgap bench name=getpid fs=none metric=us bytes=0 count=400 batches=1
@osgap sample region=0 name=getpid fs=none batch=0 ns=9133820 irqs=4
@osgap queue region=0 name=run longest={}
@osgap queue region=0 name=disk longest=2
@osgap end status=ok regions=1
"""


@pytest.fixture
def with_queues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "RECORDS", (*records.RECORDS, QueueLength))


def _point(directory: Path, longest: int = 7) -> PointFiles:
    """A finished point whose guest told of its queues."""
    directory.mkdir()
    console = CONSOLE.format(longest)
    spec = Spec.model_validate(
        {
            "key": "20mhz-x",
            "engine": "qemu",
            "engine_version": "0",
            "machine": "base",
            "image_digest": "none",
            "timeout_s": 1,
            "resolved": complete({}),
            "axes": {"clock_mhz": 20, "memory": "fixed", "disk": "fixed"},
            "orders": {"run": ["checks"], "fs": ["unix"], "seed": 0},
        }
    )
    outcome = Outcome(console, protocol.parse(console), "", 1.0)
    write_point(directory, spec, outcome)
    write_done(directory)
    return PointFiles(directory)


@pytest.mark.usefixtures("with_queues")
def test_a_new_record_needs_its_declaration_alone(tmp_path: Path) -> None:
    files = _point(tmp_path / "one")
    assert (tmp_path / "one" / "queues.csv").read_text() == (
        "region,benchmark,fs,batch,queue,longest\n0,getpid,none,0,run,7\n0,getpid,none,0,disk,2\n"
    )
    frame = load_point(files, "20mhz-x").records["queues"]
    assert frame["longest"].tolist() == [7, 2] and frame["queue"].tolist() == ["run", "disk"]
    same, other = _point(tmp_path / "same"), _point(tmp_path / "other", longest=14)
    assert compare("x", files, same).differing == 0
    different = compare("x", files, other)
    assert (different.differing, different.worst) == (1, 0.5)
    assert different.name == "queues.csv row 1 longest"
    assert "| queues.csv | region | int |  |" in markdown_table()
    assert "|  | longest | int | request | the most that waited |" in markdown_table()


@pytest.mark.usefixtures("with_queues")
def test_a_new_record_is_checked_like_the_others(tmp_path: Path) -> None:
    repeated = CONSOLE.format(7).replace("name=disk", "name=run")
    elsewhere = CONSOLE.format(7).replace("queue region=0", "queue region=1")
    for console in (repeated, elsewhere, CONSOLE.format("x")):
        with pytest.raises(protocol.GuestError):
            protocol.parse(console)
    files = _point(tmp_path / "point")
    table = tmp_path / "point" / "queues.csv"
    table.write_text(table.read_text().replace("0,getpid,none,0,disk", "5,getpid,none,0,disk"))
    with pytest.raises(ResultsError, match=r"queues\.csv: has regions that are not in samples"):
        load_point(files, "20mhz-x")


def test_a_record_that_is_not_declared_is_refused() -> None:
    with pytest.raises(protocol.GuestError, match="unknown line"):
        protocol.parse(CONSOLE.format(7))


def test_a_replay_compares_every_number_of_every_record(run_directory: Path) -> None:
    point = PointFiles(run_directory / "points" / "fixed-80")
    found = values(point)
    rows = len((point.path / "samples.csv").read_text().splitlines()) - 1
    numbers = [c.name for c in records.columns(records.Sample) if c.kind is int]
    assert {f"samples.csv row {rows} {name}" for name in numbers} <= set(found)
    assert "stats.txt region 0 simInsts" in found


def markdown_table() -> str:
    """The table of all records' columns for docs/reference/run-directory.md."""
    lines = ["| File | Column | Type | Unit | What |", "|---|---|---|---|---|"]
    for record in records.RECORDS:
        for position, column in enumerate(records.columns(record)):
            file = records.file_name(record) if position == 0 else ""
            words = (file, column.name, column.kind.__name__, column.spec.unit, column.spec.text)
            lines.append("| " + " | ".join(words) + " |")
    return "\n".join(lines) + "\n"


def test_the_documents_table_is_of_the_declarations() -> None:
    _, mark, rest = DOCUMENT.read_text(encoding="utf-8").partition("<!-- records -->\n")
    if not mark:
        pytest.skip("docs/reference/run-directory.md has no table of records")
    assert rest.partition("<!-- /records -->")[0].strip() == markdown_table().strip()
