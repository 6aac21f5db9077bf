# SPDX-License-Identifier: BSD-3-Clause
"""`osgap sweep --program`: what it makes of its options, before anything is built."""

from pathlib import Path

import pytest
from streams import streams
from timed_program import PROGRAM

from osgap.base.config import ConfigError
from osgap.cli.main import main
from osgap.image import programrecipe
from osgap.image.benchmarks import benchmarks
from osgap.sweep import programs
from osgap.sweep.programs import absolute_programs, with_programs
from osgap.sweep.spec import SweepFile, each_run, load_sweep

VARIANTS = ["musl", "layout-1"]


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
