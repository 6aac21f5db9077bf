# SPDX-License-Identifier: BSD-3-Clause
"""Loading a run: all of it, or a sentence that names the file."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from synthetic import seal, write_run

from osgap.base.errors import OsgapError
from osgap.rundir.archive import lock
from osgap.rundir.load import load_run


def test_loads_every_point(few_directory: Path) -> None:
    run = load_run(few_directory)
    assert len(run.points) == len(run.keys) == 9
    assert run.unfinished == ()
    assert dict(run.series["fixed"]) == {20.0: "base-20", 80.0: "fixed-80", 320.0: "fixed-320"}
    point = run.points["memory-80"]
    assert point.record.resolved.memory.latency_ns == 50
    getpid = point.samples[point.samples["benchmark"] == "getpid"]
    assert getpid["guest_ns"].tolist() == [751875, 501250, 501250]
    assert getpid["cycles"].tolist() == [60150, 40100, 40100]


def test_an_archive_is_read_in_place_and_says_the_same(few_directory: Path, tmp_path: Path) -> None:
    plain = load_run(few_directory)
    locked = tmp_path / "locked"
    lock(few_directory, locked)
    before = sorted(tmp_path.rglob("*"))
    packed = load_run(locked)
    assert list(packed.points) == list(plain.points) and not packed.unfinished
    for key, point in plain.points.items():
        assert packed.points[key].record == point.record
        assert packed.points[key].samples.equals(point.samples)
        assert packed.points[key].disk.equals(point.disk)
    assert sorted(tmp_path.rglob("*")) == before, "nothing was unpacked"


def test_unfinished_points_are_listed(tmp_path: Path) -> None:
    run = load_run(write_run(tmp_path / "run", unfinished=("disk-320", "both-80")))
    assert run.unfinished == ("both-80", "disk-320")
    assert "disk-320" in run.keys
    assert "disk-320" not in run.points


def test_a_point_not_begun_is_unfinished(few_directory: Path) -> None:
    (few_directory / "points" / "disk-80").rename(few_directory / "elsewhere")
    assert load_run(few_directory).unfinished == ("disk-80",)


@pytest.mark.parametrize(
    "name", ["point.json", "samples.csv", "regions.csv", "disk.csv", "stats.txt"]
)
def test_a_missing_file_is_named(few_directory: Path, name: str) -> None:
    (few_directory / "points" / "fixed-80" / name).unlink()
    with pytest.raises(OsgapError, match=rf"fixed-80.*{name}") as caught:
        load_run(few_directory)
    assert "\n" not in str(caught.value)


def test_a_missing_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(OsgapError, match="none: no such directory"):
        load_run(tmp_path / "none")


@pytest.mark.parametrize(
    "name", ["point.json", "samples.csv", "regions.csv", "disk.csv", "stats.txt", "done.json"]
)
def test_a_cut_file_is_named(few_directory: Path, name: str) -> None:
    file = few_directory / "points" / "fixed-80" / name
    text = file.read_text()
    file.write_text(text[: len(text) * 2 // 3])
    with pytest.raises(OsgapError, match=rf"fixed-80/{name}"):
        load_run(few_directory)


def _edit(change: Callable[[str], str], name: str) -> Callable[[Path], None]:
    def edit(run: Path) -> None:
        file = run / "points" / "fixed-80" / name
        text = file.read_text()
        changed = change(text)
        assert changed != text
        file.write_text(changed)

    return edit


def _json(file: str, **changes: object) -> Callable[[Path], None]:
    def edit(run: Path) -> None:
        path = run / file
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))

    return edit


POINT = "points/fixed-80/point.json"


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (_json("run.json", format=2), r"run\.json: has format 2, this program reads 1"),
        (_json("run.json", points="x"), r"run\.json: points: "),
        (
            _json("run.json", series={"fixed": {"fast": "base-20"}}),
            r"n: series fixed: found 'fast', a text",
        ),
        (_json("run.json", series={"fixed": {"20": "none"}}), r"n: series fixed: found 'none'"),
        (_json(POINT, key="other"), r"json: key: found 'other'; allowed: 'fixed-80'"),
        (_json(POINT, axes={"clock_mhz": 0}), r"point\.json: axes\.clock_mhz: "),
        (_edit(lambda t: t.replace("guest_ns", "ns", 1), "samples.csv"), r"samples\.csv:1: "),
        (_edit(lambda t: t.replace("751875", "x", 1), "samples.csv"), r"guest_ns is 'x', not a"),
        (_edit(lambda t: t.replace("751875", "0", 1), "samples.csv"), r"guest_ns is not above 0"),
        (_edit(lambda t: t.replace(",751875", "", 1), "samples.csv"), r":\d+: has 8 cells, not 9"),
        (_edit(lambda t: t.splitlines()[0] + "\n", "samples.csv"), r"samples\.csv: has no samples"),
        (_edit(lambda t: t.replace("getpid", "getpod"), "regions.csv"), r"regions\.csv: its regio"),
        (_edit(lambda t: t.replace("simInsts", "simOps"), "stats.txt"), r"txt:2: .* no .*simInsts"),
        (_edit(lambda t: t + t, "stats.txt"), r"stats\.txt: has \d+ dumps for \d+ rows"),
    ],
)
def test_malformed_and_contradicting_files(
    few_directory: Path, edit: Callable[[Path], None], message: str
) -> None:
    edit(few_directory)
    with pytest.raises(OsgapError, match=message):
        load_run(few_directory)


def test_a_table_cut_at_the_end_of_a_line_is_found(run_directory: Path) -> None:
    file = run_directory / "points" / "fixed-80" / "disk.csv"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(OsgapError, match=r"fixed-80/disk\.csv: is not the file that done\.json"):
        load_run(run_directory)


def test_a_file_that_only_done_json_knows_must_be_there(few_directory: Path) -> None:
    point = few_directory / "points" / "fixed-80"
    (point / "console.txt").write_text("booted\n")
    seal(point)
    (point / "console.txt").unlink()
    with pytest.raises(OsgapError, match=r"console\.txt: cannot be read"):
        load_run(few_directory)


def test_a_batch_given_twice_is_refused(few_directory: Path) -> None:
    def repeat(text: str) -> str:
        return text.replace("getpid,none,1", "getpid,none,0")

    _edit(repeat, "samples.csv")(few_directory)
    with pytest.raises(OsgapError, match="a batch of a benchmark twice"):
        load_run(few_directory)


def test_an_engine_without_timing_has_no_statistics(few_directory: Path) -> None:
    point = few_directory / "points" / "fixed-80"
    (point / "stats.txt").unlink()
    regions = point / "regions.csv"
    regions.write_text(regions.read_text().splitlines()[0] + "\n")
    seal(point)
    assert load_run(few_directory).points["fixed-80"].samples["cycles"].isna().all()
