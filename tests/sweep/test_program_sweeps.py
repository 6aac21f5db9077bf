# SPDX-License-Identifier: BSD-3-Clause
"""`osgap sweep --program`: what it makes of its options, and a program run from start to end."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from shared import Once
from streams import streams

from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.image import programrecipe
from osgap.image.benchmarks import benchmarks
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
NAMES = ("first", "second", "third")
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
        (("--args", "a"), "args: found without program"),
        (("--pattern", "a=(.)"), "pattern: found without program"),
        ((*mine, "--engine", "fake"), "found with the engine fake, which boots no image"),
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


def osgap(*words: object) -> subprocess.CompletedProcess[str]:
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
    )


@pytest.mark.long
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
@pytest.mark.build
@pytest.mark.rvsim
@pytest.mark.usefixtures("image")
def test_an_edited_program_boots_nothing_again(once: Once, source: Path, tmp_path: Path) -> None:
    """On rvsim: after the first run's boot, an edit and an illegal instruction cost their runs."""

    def sweep(name: str, *words: str) -> subprocess.CompletedProcess[str]:
        with once.building():
            given = ("--program", source, "--run", "checks/empty_loop", "--cpu-mhz", "80", *words)
            return osgap("sweep", *given, "--output", tmp_path / name)

    first = sweep("first")
    source.write_text(PROGRAM.replace("1000", "2000"))
    second, third = sweep("second"), sweep("third", "--args", "illegal")
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert "booting" not in second.stderr + third.stderr
    assert third.returncode == 2 and re.search(ILLEGAL, third.stderr)
    points = [next((tmp_path / name / "points").iterdir()) for name in ("first", "second")]
    assert points[0].name != points[1].name
    texts = [(point / "output.txt").read_text().splitlines()[0] for point in points]
    assert texts == [f"loops: {n} in /program/my_bench" for n in (1000, 2000)]
    starts = [json.loads((tmp_path / n / "run.json").read_text())["starts"] for n in NAMES]
    assert len({start["checkpoint"] for (start,) in starts}) == 1
