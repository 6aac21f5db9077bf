# SPDX-License-Identifier: BSD-3-Clause
"""Whatever osgap is given to read: what is no file, or too much, is one bounded sentence, soon."""

import ast
import lzma
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from files import BOUND, NO_FILES, ODD_FILES
from trees import SOURCES, nodes

from osgap.analysis.ministat import read_values
from osgap.base import inputs, packed
from osgap.base.digest import damaged
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.engines.gem5 import read_stats
from osgap.gem5stats import gem5json
from osgap.gem5stats.gem5text import read_dumps
from osgap.gem5stats.tree import load
from osgap.image.files import IMAGE_FILES, load_image
from osgap.machines.machine import load_machine
from osgap.points.jobs import read_jobs
from osgap.points.planned import read_plan
from osgap.rundir import manifest
from osgap.rundir.csvfile import read_table
from osgap.rundir.files import PointFiles
from osgap.rundir.load import load_point
from osgap.rundir.point import read_done
from osgap.sweep.profile import load_profile
from osgap.sweep.spec import load_sweep

ROOT = project_root()
Reader = Callable[[Path], object]
READERS: dict[str, tuple[str, Reader]] = {
    "machine": ("m.toml", load_machine),
    "sweep": ("s.toml", load_sweep),
    "profile": ("config.yaml", lambda path: load_profile(path.parent)),
    "run": ("run.json", lambda path: manifest.read(path.parent)),
    "plan": ("plan/a.json", lambda path: read_plan(path.parents[1], "a")),
    "jobs": (".jobs/jobs.json", lambda path: read_jobs(path.parents[1])),
    "point": ("a/point.json", lambda path: load_point(PointFiles(path.parent), "a")),
    "done": ("a/done.json", lambda path: read_done(PointFiles(path.parent))),
    "table": ("t.csv", read_table),
    "stats": ("stats.txt", lambda path: list(read_dumps(path))),
    "packed stats": ("stats.txt.xz", lambda path: list(read_dumps(path))),
    "gem5's stats": ("g/stats.txt", lambda path: read_stats(path, 1)),
    "JSON stats": ("stats.json", lambda path: list(gem5json.read_dumps(path))),
    "packed JSON stats": ("stats.json.xz", lambda path: list(gem5json.read_dumps(path))),
    "any JSON": ("g/any.json", lambda path: load(path, ".")),
    "any stats": ("g/stats.txt", lambda path: load(path.parent, ".")),
    "archive": ("run.tar.xz", lambda path: list(packed.read_archive(path))),
    "ministat": ("column.txt", read_values),
    "image": ("image.json", lambda path: load_image(path.parent)),
}


@contextmanager
def one_sentence(path: Path) -> Iterator[None]:
    """An error of osgap's own, or of the system with its reason: of one bounded line, soon.

    Soon is in CPU time, as other tests run beside it; the minute bounds waiting.
    """
    began, worked = time.monotonic(), time.process_time()
    with pytest.raises((OsgapError, OSError)) as caught:
        yield
    assert time.process_time() - worked < 20 and time.monotonic() - began < 60
    error = caught.value
    known = isinstance(error, OsgapError)
    told = str(error) if known else f"{error.filename}: {error.strerror}"
    assert path.parent.name in told or path.name in told
    assert "\n" not in told and "\x1b" not in told and "None" not in told
    assert len(told.replace(str(path.parent), "")) < BOUND


def _place(tmp_path: Path, name: str) -> Path:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    for file in IMAGE_FILES if name == "image.json" else ():
        (path.parent / file).write_text(file)
    return path


@pytest.mark.parametrize("kind", NO_FILES)
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_refused_and_never_waited_for(
    tmp_path: Path, reader: str, kind: str
) -> None:
    name, read = READERS[reader]
    path = _place(tmp_path, name)
    NO_FILES[kind](path)
    with one_sentence(path):
        read(path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ODD_FILES)
@pytest.mark.parametrize("reader", READERS)
def test_too_much_or_no_text_is_refused(tmp_path: Path, reader: str, kind: str) -> None:
    name, read = READERS[reader]
    path = _place(tmp_path, name)
    ODD_FILES[kind](path)
    with one_sentence(path):
        read(path)


@pytest.mark.parametrize("kind", NO_FILES)
def test_a_digest_of_no_file_is_another(tmp_path: Path, kind: str) -> None:
    NO_FILES[kind](tmp_path / "x")
    assert damaged(tmp_path, {"x": "0"}) == ["x"]


def test_a_byte_order_mark_is_named(tmp_path: Path) -> None:
    for content, words in ((b"\xef\xbb\xbfa = 1\n", "BOM"), ("a = 1".encode("utf-16"), "UTF-16")):
        (tmp_path / "m.toml").write_bytes(content)
        with pytest.raises(OsgapError, match=words):
            load_machine(tmp_path / "m.toml")


@pytest.mark.slow
def test_a_bomb_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "stats.txt.xz"
    path.write_bytes(lzma.compress(b"x" * (256 << 20), preset=0))
    tracemalloc.start()
    with pytest.raises(OsgapError, match="a line of"):
        list(read_dumps(path))
    assert tracemalloc.get_traced_memory()[1] < 64 << 20
    tracemalloc.stop()


def test_what_an_archive_unpacks_to_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "LARGEST_STREAM", 4 << 20)
    path = tmp_path / "run.tar.xz"
    packed.write_archive(path, [("points/a/x", b"x" * (5 << 20))])
    with pytest.raises(OsgapError, match=r"has more than 4 MiB, which is the most"):
        list(packed.read_archive(path))


@pytest.mark.slow
def test_a_pipe_that_the_shell_hands_over_is_read() -> None:
    """ministat is used so; a FIFO by its own name is not waited for."""
    words = [sys.executable, "-m", "osgap", "ministat", "-n"]
    done = subprocess.run(
        ["bash", "-c", 'seq 1 9 | "$@" - <(seq 2 10)', "bash", *words],
        capture_output=True,
        text=True,
        timeout=100,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert "ifference" in done.stdout


def test_a_file_that_is_exchanged_for_a_fifo_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look and the opening: it is opened so that it cannot block, and seen again."""
    path, looked = tmp_path / "x", os.stat(__file__)
    os.mkfifo(path)
    monkeypatch.setattr(inputs, "_stat", lambda path: looked)
    with pytest.raises(OSError, match="it is a FIFO; allowed: a regular file"):
        inputs.read_bytes(path)


# Files that read what the user cannot exchange: the checkout's own, /proc, what a build has just
# made, the cache; or that write.
_OWN = {
    "base/inputs.py",
    "base/durable.py",
    "base/processes.py",
    "base/cgroups.py",
    "sweep/locking.py",
    "sweep/snakemake.py",
    "points/supervise.py",
    "points/jobs.py",
    "image/benchmarks.py",
    "cli/catalogue.py",
    "cli/guard.py",
    "bench/costs.py",
    "engines/rvsim.py",
    "engines/gem5.py",
    "engines/gem5_program.py",
    "engines/checkpoints.py",
    "engines/qemu.py",
    "rundir/manifest.py",
}
_OWN_FOLDERS = ("image/builder/", "image/provision/")


def _opening(path: Path) -> list[int]:
    """The lines of a module that open a file otherwise than by osgap.base.inputs."""
    found = []
    for node in nodes(path.read_text()):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        method = name.rpartition(".")[2] if "." in name else ""
        ours = name.startswith(("inputs.", "self.", "files.", "point.", "packed."))
        by_path = method in ("read_text", "read_bytes", "open") and not ours
        if (name in ("open", "os.open", "io.open") or by_path) and name != "tarfile.open":
            found.append(node.lineno)
    return found


@SOURCES
def test_user_files_are_opened_in_one_place() -> None:
    for path in sorted((ROOT / "osgap").rglob("*.py")):
        name = path.relative_to(ROOT / "osgap").as_posix()
        if name in _OWN or name.startswith(_OWN_FOLDERS):
            continue
        # What they open is new, a directory, /dev/null, or a part of osgap.
        allowed = {
            "report/document.py": 1,
            "base/output.py": 2,
            "base/packed.py": 1,
            "rundir/output.py": 1,
        }.get(name, 0)
        assert len(_opening(path)) <= allowed, (name, _opening(path))
