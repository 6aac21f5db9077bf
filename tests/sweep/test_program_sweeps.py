# SPDX-License-Identifier: BSD-3-Clause
"""`osgap sweep --program`: a program built, run and read."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from shared import Once

from osgap import engines
from osgap.base.paths import project_root
from osgap.engines.contract import Failed, Job
from osgap.guest.protocol import Orders
from osgap.image.files import load_image
from osgap.machines.machine import load_machine
from osgap.machines.system import system

PROGRAMS = pytest.mark.xdist_group("programs")
"""In one process: one sweep at a time may build."""
RUNS = ("timed", "edited", "faulty")
ILLEGAL = r"illegal instruction at 0x[0-9a-f]+ \(SIGILL\); the guest's ISA is rv64imafdc"


def osgap(*words: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-P",
            str(project_root() / "osgap" / "start.py"),
            "osgap",
            *map(str, words),
        ],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=cwd,
    )


@pytest.mark.long
@PROGRAMS
@pytest.mark.build
@pytest.mark.qemu
@pytest.mark.usefixtures("image")
def test_programs_are_built_run_and_read(once: Once, source: Path, tmp_path: Path) -> None:
    """A C file, and a folder with a script, a program and data, each with arguments of its own."""
    folder = tmp_path / "suite"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "words.txt").write_text("words")
    command = ["riscv64-linux-gnu-gcc", "-static", source, "-o", folder / "own"]
    subprocess.run(command, check=True)
    (folder / "run").write_text('#!/bin/sh\nexec ./own "$@" last\n')
    (folder / "run").chmod(0o755)
    run = tmp_path / "run"
    words = (
        "--program",
        f"{source},{folder}",
        "--args",
        "-N 'a  b'",
        "--args",
        "c",
        "--pattern",
        "loops:1=loops: ([0-9]+)",
        "--engine",
        "qemu",
    )
    with once.building():
        done = osgap("sweep", *words, "--run", "checks/empty_loop", "--output", run)
    assert done.returncode == 0, done.stderr
    (point,) = (run / "points").iterdir()
    assert (point / "my_bench.output.txt").read_text() == (
        "loops: 1000 in /program/my_bench\nargs 2 [a  b]\t100%\n"
    )
    assert (point / "suite.output.txt").read_text() == (
        "data: words\nloops: 1000 in /program/suite\nargs 2 [last]\t100%\n"
    )
    manifest = json.loads((run / "run.json").read_text())
    assert [one["name"] for one in manifest["image"]["variant"]["program"]] == ["my_bench", "suite"]
    assert "/program/suite/own" in manifest["workloads"]
    done = osgap("analyze", run, "--table", "program_numbers", "--format", "json")
    rows = json.loads(done.stdout)
    assert [(r["program"], r["line"], r["value"]) for r in rows] == [
        ("my_bench", 1, 1000),
        ("suite", 2, 1000),
    ]
    done = osgap("analyze", run, "--table", "times", "--format", "json")
    times = {row["benchmark"]: row for row in json.loads(done.stdout)}
    assert times["my_bench"]["metric"] == "ms" and times["my_bench"]["median"] > 0
    done = osgap("replay", run, "--output", tmp_path / "again")
    assert done.returncode in (0, 1) and (tmp_path / "again" / "points" / point.name).is_dir()


@pytest.mark.long
@PROGRAMS
@pytest.mark.build
@pytest.mark.qemu
@pytest.mark.usefixtures("image")
@pytest.mark.parametrize(
    ("word", "reason"), [("fail", "status-3"), ("crash", "signal-5"), ("illegal", ILLEGAL)]
)
def test_a_program_that_fails_is_a_failed_point_with_its_output(
    once: Once, source: Path, tmp_path: Path, word: str, reason: str
) -> None:
    run = tmp_path / "run"
    words = ("--program", source, "--args", word, "--engine", "qemu", "--output", run)
    with once.building():
        done = osgap("sweep", *words, "--run", "checks/empty_loop")
    assert done.returncode == 2
    (record,) = (run / "records").glob("*.json")
    ended = json.loads(record.read_text())
    assert ended["state"] == "guest-error"
    assert re.fullmatch(rf"my_bench \(none\): {reason}", ended["line"])
    (console,) = (run / "logs").glob("*.console.txt")
    assert f"args%201%20[{word}]" in console.read_text()


@pytest.mark.long
@PROGRAMS
@pytest.mark.build
@pytest.mark.qemu
@pytest.mark.usefixtures("image")
def test_a_guest_takes_programs_in_before_its_orders(once: Once, tmp_path: Path) -> None:
    """As gem5's does by m5 readfile; here a small archive is typed, behind the same line."""
    (tmp_path / "typed").mkdir()
    (tmp_path / "typed" / "run").write_text("#!/bin/sh\necho typed\n")
    (tmp_path / "typed" / "run").chmod(0o755)
    run, words = tmp_path / "run", ("--engine", "qemu", "--run", "checks/empty_loop")
    with once.building():
        assert (
            osgap("sweep", "--program", tmp_path / "typed", *words, "--output", run).returncode == 0
        )
    image = load_image(run / "inputs" / "image")
    assert image.programs
    archive = image.programs.read_bytes().rstrip(b"\0").decode() + 4 * "\0"
    booted = replace(image, stamps={})
    machine = load_machine(project_root() / "configs" / "machines" / "base.toml")

    def typed(archive: str) -> Mapping[str, str]:
        class Typed(Orders):
            def text(self) -> str:
                return f"programs {len(archive)}\n{archive}{super().text()}"

        orders = Typed("none", ("program/typed",), ("unix",), {})
        job = Job(booted, system(machine, 80), orders, tmp_path, tmp_path, 300)
        return engines.load("qemu").run(job).transcript.printed

    assert typed(archive) == {"typed": "typed\n"}
    with pytest.raises(Failed, match="bad-programs"):
        typed(archive.replace("TRAILER", "TRAILED"))
    with pytest.raises(Failed, match="unknown-benchmark"):
        typed(archive.replace("program/.list", "program/.last"))


@pytest.mark.long
@PROGRAMS
@pytest.mark.build
@pytest.mark.rvsim
@pytest.mark.qemu
@pytest.mark.usefixtures("image")
def test_an_edit_of_the_guides_example_boots_nothing_again(once: Once, tmp_path: Path) -> None:
    """On QEMU, then on rvsim: after the first boot, an edit and a fault cost their runs alone."""
    page = (project_root() / "docs" / "guide" / "own-programs.md").read_text()
    _, code, shell = re.findall(r"```(?:c|sh)\n(.*?)```", page, re.DOTALL)[:3]
    try_, analyze, time_ = (shlex.split(line)[1:] for line in shell.splitlines())

    def run(words: list[str], source: str = code, *more: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "loops.c").write_text(source)
        with once.building():
            return osgap(*words, *more, cwd=tmp_path)

    time_ += ["--run", "checks/empty_loop"]
    tried, analysed, timed = run(try_), run([*analyze, "--format", "json"]), run(time_)
    assert tried.returncode == timed.returncode == 0, tried.stderr + timed.stderr
    assert [(row["program"], row["value"]) for row in json.loads(analysed.stdout)] == [
        ("loops", 1000)
    ]
    assert "--engine qemu runs it in seconds" in timed.stderr
    edited = run(time_, code.replace("1000", "2000"), "--output", "edited")
    illegal = '__asm__ volatile(".word 0x0200007f");'
    faulty = run(time_, code.replace("puts", f"{illegal} puts"), "--output", "faulty")
    assert edited.returncode == 0, edited.stderr
    assert faulty.returncode == 2 and re.search(ILLEGAL, faulty.stderr)
    assert "booting" not in edited.stderr + faulty.stderr
    (first,), (second,) = (list((tmp_path / n / "points").iterdir()) for n in ("timed", "edited"))
    assert first.name != second.name
    assert [(one / "output.txt").read_text() for one in (first, second)] == [
        "loops: 1000\n",
        "loops: 2000\n",
    ]
    runs = [json.loads((tmp_path / name / "run.json").read_text()) for name in RUNS]
    assert len({run["starts"][0]["checkpoint"] for run in runs}) == 1
    assert len({run["workloads"]["/program/loops/loops"] for run in runs}) == 3
