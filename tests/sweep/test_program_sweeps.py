# SPDX-License-Identifier: BSD-3-Clause
"""`osgap sweep --program`: what it makes of its options, and a program run from start to end."""

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
from streams import streams

from osgap import engines
from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.engines.contract import Failed, Job
from osgap.guest.protocol import Orders
from osgap.image import programrecipe
from osgap.image.benchmarks import benchmarks
from osgap.image.files import load_image
from osgap.machines.machine import load_machine
from osgap.machines.system import system
from osgap.sweep import programs
from osgap.sweep.programs import absolute_programs, with_programs
from osgap.sweep.spec import SweepFile, each_run, load_sweep

PROGRAM = """\
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
\tchar here[64], inside[64] = "";
\tFILE *file = fopen("data/words.txt", "r");
\tfor (int i = 0; i < 1000; i++)
\t\tgetppid();
\tif (file && fgets(inside, sizeof inside, file))
\t\tprintf("data: %s\\n", inside);
\tprintf("loops: 1000 in %s\\n", getcwd(here, sizeof here));
\tfflush(stdout);
\tfprintf(stderr, "args %d [%s]\\t100%%\\n", argc - 1, argc > 1 ? argv[argc - 1] : "");
\tif (argc > 1 && !strcmp(argv[1], "fail"))
\t\treturn 3;
\tif (argc > 1 && !strcmp(argv[1], "crash"))
\t\t__builtin_trap();
\tif (argc > 1 && !strcmp(argv[1], "illegal"))
\t\t__asm__ volatile(".word 0x0200007f");
\treturn 0;
}
"""
PROGRAMS = pytest.mark.xdist_group("programs")
"""In one process: one sweep at a time may build."""
RUNS = ("timed", "edited", "faulty")
ILLEGAL = r"illegal instruction at 0x[0-9a-f]+ \(SIGILL\); the guest's ISA is rv64imafdc"
VARIANTS = ["musl", "layout-1"]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "my-bench.c"
    path.write_text(PROGRAM)
    return path


def asked(source: Path, **given: object) -> SweepFile:
    return SweepFile.model_validate(
        {"description": "mine", "machine": "base", "program": str(source), **given}
    )


@pytest.mark.usefixtures("recipes")
def test_a_program_is_a_benchmark_of_a_variant_of_its_own(source: Path) -> None:
    sweep = asked(source, run=["checks"], pattern=["a=(.)"])
    made = with_programs(sweep, VARIANTS, ["ousterhout/getpid"])
    assert made.run == ("checks", "program/my_bench")
    (variant,) = made.variant
    assert variant.startswith("program-") and programrecipe.load_recipe(variant)
    (run,) = each_run(made).values()
    assert (run.variant, run.pattern) == (variant, ("a=(.)",))
    assert not {"program", "args"} & set(run.model_dump())
    plain = SweepFile.model_validate({"description": "mine", "machine": "base"})
    assert "pattern" not in next(iter(each_run(plain).values())).model_dump()


@pytest.mark.usefixtures("recipes")
def test_each_variant_asked_for_gets_the_programs(source: Path) -> None:
    made = with_programs(asked(source, variant=["default", "layout-1"]), VARIANTS, [])
    assert [programrecipe.load_recipe(name).extends for name in made.variant] == [
        "default",
        "layout-1",
    ]
    assert set(each_run(made)) == set(made.variant)
    with pytest.raises(ConfigError, match="there is no variant 'nothing'"):
        with_programs(asked(source, variant="nothing"), VARIANTS, [])


@pytest.mark.usefixtures("recipes")
def test_the_name_of_a_benchmark_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "execl.c"
    path.write_text(PROGRAM)
    with pytest.raises(ConfigError, match="found execl, which is the benchmark byte/execl"):
        with_programs(asked(path), VARIANTS, [*benchmarks()])


def test_a_sweep_file_may_say_the_same(tmp_path: Path, source: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'description = "mine"\nmachine = "base"\nprogram = ["my-bench.c", "/other"]\n'
        'args = "-N 1"\npattern = ["a:us=(.)"]\n'
    )
    data = absolute_programs(load_sweep(path).model_dump(exclude_unset=True), tmp_path)
    assert data["program"] == [str(source), "/other"] and data["args"] == ("-N 1",)
    path.write_text('description = "mine"\nmachine = "base"\npattern = ["a=("]\n')
    with pytest.raises(
        ConfigError, match=r"mine\.toml: pattern\.0: found 'a=\('; allowed: a regular"
    ):
        load_sweep(path)


def told(*words: str) -> str:
    with streams() as (_, err):
        assert main(["sweep", "--dry-run", *words]) == 2
    return err.text()


def test_what_is_asked_wrongly_is_one_sentence(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "write_recipe", lambda *_: pytest.fail("wrote"))
    mine = ("--program", str(source))
    for words, sentence in (
        (("--args", "a"), "--args: found without --program"),
        (("--pattern", "a=(.)"), "--pattern: found without --program"),
        ((*mine, "--engine", "fake"), "--program: found with the engine fake, which"),
        ((*mine, "--image", "x"), "--image: found beside programs"),
        ((*mine, "--pattern", "a=."), "allowed: one group, around the number"),
        (("--program", str(tmp_path / "none")), "none: cannot be read: No such file"),
        (("--program", str(tmp_path)), "found no program called run or "),
        ((*mine, "--variant", "nothing"), "there is no variant 'nothing'"),
    ):
        said = told(*words)
        assert sentence in said and len(said.splitlines()) == 1, said


@pytest.mark.usefixtures("recipes")
def test_another_program_in_run_is_one_sentence(source: Path) -> None:
    said = told("--program", str(source), "--run", "program/other")
    assert "there is no benchmark or suite 'program/other'" in said


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
