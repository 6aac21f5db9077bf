# SPDX-License-Identifier: BSD-3-Clause
"""Runs are found below a directory in which a sweep makes and removes folders."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from osgap.rundir.directory import MANIFEST, POINTS, runs_below


def _make_run(run: Path) -> Path:
    (run / POINTS).mkdir(parents=True)
    (run / MANIFEST).write_text("{}")
    return run


@contextmanager
def _changing(points: Path) -> Iterator[None]:
    """Meanwhile another thread makes and removes folders of `points`."""
    ended = threading.Event()
    folders = [points / name for name in ("20mhz", "40mhz", ".20mhz.out.partial")]

    def make_and_remove() -> None:
        while not ended.is_set():
            for folder in folders:
                folder.mkdir()
            for folder in folders:
                folder.rmdir()

    thread = threading.Thread(target=make_and_remove)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def test_a_folder_that_is_removed_meanwhile_is_passed_over(tmp_path: Path) -> None:
    run = _make_run(tmp_path / "run")
    with _changing(run / POINTS):
        assert all(runs_below(tmp_path) == [run] for _ in range(2000))


def test_runs_in_hidden_folders_are_not_found_and_those_within_a_run_are(tmp_path: Path) -> None:
    outer = _make_run(tmp_path / "b")
    inner = _make_run(outer / "again")
    first = _make_run(tmp_path / "a")
    _make_run(tmp_path / ".c.partial")
    assert runs_below(tmp_path) == [first, outer, inner]
    hidden = _make_run(tmp_path / ".hidden" / "d")
    assert runs_below(tmp_path / ".hidden") == [hidden]
    assert runs_below(tmp_path / "none") == []


def test_a_folder_with_the_manifests_name_is_left_to_the_reader(tmp_path: Path) -> None:
    (tmp_path / "run" / MANIFEST).mkdir(parents=True)
    assert runs_below(tmp_path) == [tmp_path / "run"]
