# SPDX-License-Identifier: BSD-3-Clause
"""Image variants and ways of system calls as axes: runs, their names, the image that each boots."""

import json
from pathlib import Path

import pytest
from stderr import sentences
from sweeping import done, sweep, tell

from osgap import engines
from osgap.base import durable
from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.image import variants
from osgap.image.files import IMAGE_FILES, Image, ImageError, load_image
from osgap.machines.machine import load_machine
from osgap.rundir import manifest
from osgap.rundir.archive import lock
from osgap.rundir.image_copy import copy_image
from osgap.rundir.point import Spec, key_of, parse_spec
from osgap.sweep import replay
from osgap.sweep.host import Host
from osgap.sweep.plan import make_plan
from osgap.sweep.run import _image
from osgap.sweep.spec import RunSpec, SweepFile, each_run, load_sweep

BEFORE_AXES = {
    "description": "a record of a sweep from before machines and image variants were axes",
    "machine": "base",
    "clock_mhz": [20.0, 640.0],
    "memory": ["fixed", "scaled"],
    "disk": ["fixed"],
    "fs": ["unix", "sprite"],
    "run": ["checks", "ousterhout"],
    "seeds": [0],
    "sets": {},
    "timeout_s": 1800.0,
    "engine": "rvsim",
}
RUN = {"description": "x", "machine": "base"}


def _names(**axes: object) -> list[str]:
    return list(each_run(SweepFile.model_validate({**RUN, **axes})))


def test_a_run_is_named_by_the_axes_that_have_several_values() -> None:
    two = {"variant": ["default", "clang-O2"], "calls": ["direct", "sud-first"]}
    assert _names() == [""]
    assert _names(variant="musl", calls="sud-first") == [""]
    assert _names(machine=["base", "paper/Sun3"]) == ["base", "Sun3"]
    assert _names(variant=two["variant"]) == ["default", "clang-O2"]
    assert _names(**two) == [
        "default.direct",
        "default.sud-first",
        "clang-O2.direct",
        "clang-O2.sud-first",
    ]
    assert _names(machine=["base", "paper/Sun3"], calls=two["calls"])[-1] == "Sun3.sud-first"
    with pytest.raises(ConfigError, match=r"found base, paper/base; allowed: names that differ"):
        _names(machine=["base", "paper/base"], variant=two["variant"])


@pytest.mark.parametrize(
    "name", ["layouts", "layouts-ends", "another-kernel", "drawn", "drawn-anew", "thousand"]
)
def test_what_is_compared_with_layouts_runs_what_the_quick_study_runs(name: str) -> None:
    sweeps = project_root() / "configs" / "sweeps"
    own, quick = (load_sweep(sweeps / f"{one}.toml") for one in (name, "quick"))
    (asked,) = each_run(quick).values()
    assert {each.run for each in each_run(own).values()} == {asked.run}


def test_a_name_that_ends_in_the_number_of_harts_is_each_machines_own(tmp_path: Path) -> None:
    path = tmp_path / "harts.toml"
    path.write_text(
        'description = "x"\nmachine = ["smp-1", "smp-4"]\nengine = "fake"\n'
        'run = ["x/getpid", "x/read_1", "x/read_{harts}"]\n'
    )
    found = {}
    for run, asked in each_run(load_sweep(path)).items():
        machine = load_machine(project_root() / "configs" / "machines" / f"{run}.toml")
        fake = engines.load("fake")
        (spec,) = make_plan(asked, machine, fake, Image(path, path, "none")).specs
        found[run] = spec.orders.run
    assert found == {
        "smp-1": ("x/getpid", "x/read_1"),
        "smp-4": ("x/getpid", "x/read_1", "x/read_4"),
    }
    with pytest.raises(ValueError, match=r"run\.0"):
        SweepFile.model_validate({**RUN, "run": ["x/{harts}"]})


@pytest.mark.parametrize(
    ("machine", "run", "order"),
    [
        ("base", "checks", 0),
        ("smp-1", "checks", 2 << 20),
        ("smp-1", "kennaway", 0),
        ("hohmuth", "mcvoy", 0),
        ("hohmuth", "ousterhout/read", 1 << 20),
    ],
)
def test_a_point_has_an_order_where_its_machine_needs_larger_working_sets(
    machine: str, run: str, order: int
) -> None:
    path = project_root() / "configs" / "machines" / f"{machine}.toml"
    asked = RunSpec.model_validate({**RUN, "machine": machine, "engine": "fake", "run": [run]})
    image, fake = Image(path, path, "none"), engines.load("fake")
    (spec,) = make_plan(asked, load_machine(path), fake, image).specs
    assert spec.orders.model_dump().get("uncached", 0) == order
    assert (f"\nuncached {order}\n" in spec.guest_orders("none").text()) == bool(order)
    again = parse_spec(spec.model_dump_json().encode(), spec.key, "f", planned=True)
    assert again == spec
    without = spec.orders.model_copy(update={"uncached": 0})
    parts = (spec.engine, spec.engine_version, spec.image_digest, spec.axes, spec.resolved)
    assert (key_of(*parts, without) == spec.key) == (not order)


def test_a_machine_whose_last_cache_no_working_set_exceeds_is_refused(tmp_path: Path) -> None:
    base, smp = (project_root() / "configs" / "machines" / f"{n}.toml" for n in ("base", "smp-1"))
    (tmp_path / "base.toml").write_text(base.read_text())
    text = smp.read_text()
    assert "value = 512," in text
    (tmp_path / "board.toml").write_text(text.replace("value = 512,", "value = 4096,"))
    asked = RunSpec.model_validate({**RUN, "machine": "board", "run": ["ousterhout"]})
    machine, fake = load_machine(tmp_path / "board.toml"), engines.load("fake")
    with pytest.raises(
        ConfigError, match=r"^machine board: last cache: found 4096 KiB; allowed: 2"
    ):
        make_plan(asked, machine, fake, Image(tmp_path, tmp_path, "none"))


@pytest.mark.long
def test_each_variant_and_way_of_calls_is_a_run_that_says_what_it_is(tmp_path: Path) -> None:
    run = tmp_path / "run"
    axes = ("--variant", "default,clang-O2", "--calls", "direct,patch-first")
    made = sweep(run, *axes, "--cpu-mhz", "20")
    assert made.returncode == 0, made.stderr
    assert len(list(run.glob("[!.]*"))) == 4
    asked, keys = {}, {}
    for path in run.glob("[!.]*"):
        record = json.loads((path / "run.json").read_text())
        asked[path.name], keys[path.name] = record["sweep"], tuple(record["points"])
        assert done(path) == record["points"] and len(record["points"]) == 1
    assert not {"variant", "calls"} & set(asked["default.direct"])
    assert "calls" not in asked["clang-O2.direct"]
    both = asked["clang-O2.patch-first"]
    assert (both["machine"], both["variant"], both["calls"]) == (
        ["base"],
        ["clang-O2"],
        ["patch-first"],
    )
    # The fake engine boots no image; the orders differ.
    assert keys["default.direct"] == keys["clang-O2.direct"]
    assert not set(keys["default.direct"]) & set(keys["default.patch-first"])
    point = next((run / "default.patch-first" / "points").glob("20mhz-*"))
    assert json.loads((point / "point.json").read_text())["orders"]["calls"] == "patch-first"


@pytest.mark.long
def test_such_runs_are_resumed_and_told_of_like_others(tmp_path: Path) -> None:
    run = tmp_path / "run"
    failing = ("--variant", "default,musl", "--run", "checks,hang")
    assert sweep(run, *failing).returncode == 2
    before = (run / "musl" / "run.json").read_bytes()
    told = tell("retry", run, "--failed")
    assert told.returncode == 2 and "musl: 0 of 1 point " in told.stderr
    after = json.loads((run / "musl" / "run.json").read_text())
    assert after["sweep"] == json.loads(before)["sweep"] and after["sweep"]["variant"] == ["musl"]
    assert sweep(run, *failing[:2]).returncode == 0
    assert "finished before" in sweep(run, *failing[:2]).stdout
    assert manifest.variant(run / "musl") == "musl"
    assert manifest.variant(run / "default") == "default"
    record = json.loads((run / "musl" / "run.json").read_text())
    record["sweep"]["variant"] = ["../../etc"]
    (run / "musl" / "run.json").write_text(json.dumps(record))
    with pytest.raises(ConfigError, match=r"sweep: variant: found '\.\./\.\./etc'"):
        manifest.variant(run / "musl")


def test_what_was_run_before_there_were_such_axes_keeps_its_record() -> None:
    again = RunSpec.model_validate(BEFORE_AXES).model_dump(mode="json")
    assert set(again) - set(BEFORE_AXES) <= {"memory_limit_mib"}
    assert again == {**again, **BEFORE_AXES, "machine": ["base"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--variant", "../base"), "variant"),
        (("--variant", "musl,musl"), "each value once"),
        (("--calls", "trap"), "allowed: direct, patch-first, patch-optimised, sud-first"),
        (("--calls", "direct,direct"), "each value once"),
        (
            ("--engine", "qemu", "--variant", "default,nothere"),
            "there is no variant 'nothere'; known: default, ",
        ),
    ],
)
def test_bad_input_is_one_sentence(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = sweep(tmp_path / "run", *arguments)
    assert result.returncode == 2 and not (tmp_path / "run").exists()
    assert words in result.stderr and len(sentences(result.stderr)) == 1


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with two images of a few bytes: the default one and the variant `mine`."""
    monkeypatch.setattr(variants, "project_root", lambda: tmp_path)
    for name in ("default", "mine"):
        directory = variants.image_directory(name)
        directory.mkdir(parents=True)
        for file in IMAGE_FILES:
            (directory / file).write_text(f"{file} of {name}")
        record = {
            "files": {file: durable.sha256(directory / file) for file in IMAGE_FILES},
            **({} if name == "default" else {"variant": {"name": name}}),
        }
        (directory / "image.json").write_text(json.dumps(record))
    return tmp_path


def _run_of(built: Path, name: str) -> tuple[Path, Host, Image]:
    """A run that keeps the image of variant `name`, as its sweep says."""
    host = Host(None, variants.image_directory("default"), built)
    run = built / f"run-{name}"
    qemu = engines.load("qemu")
    image = copy_image(run, qemu.image(host.with_variant(qemu, name).image), {})
    asked = RunSpec.model_validate({**RUN, "variant": name}).model_dump(mode="json")
    record = {"format": 1, "name": run.name, "sweep": asked, "points": [], "series": {}}
    (run / "run.json").write_text(json.dumps(record))
    return run, host, image


@pytest.mark.parametrize("name", ["default", "mine"])
def test_a_run_keeps_and_finds_the_image_of_its_variant(built: Path, name: str) -> None:
    run, host, image = _run_of(built, name)
    qemu = engines.load("qemu")
    assert image == load_image(run / "inputs" / "image")
    assert image.kernel.read_text() == f"Image of {name}"
    described = manifest.describe(run, engines.load("fake"), image)["image"]
    assert described.get("variant", {"name": "default"}) == {"name": name}
    assert _image(run, qemu, host, {}).directory == run / "inputs" / "image"
    spec = Spec.model_construct(image_digest=image.digest)
    assert replay._image(run, qemu, spec, host.image).directory == run / "inputs" / "image"
    # Archived without its image, it finds the one that was built.
    for path in [*(run / "inputs" / "image").iterdir(), run / "inputs" / "image"]:
        path.rmdir() if path.is_dir() else path.unlink()
    assert _image(run, qemu, host, {}).directory == variants.image_directory(name)
    assert replay._image(run, qemu, spec, host.image).directory == variants.image_directory(name)


def test_a_variant_that_is_not_there_or_not_whole_says_how_to_build_it(built: Path) -> None:
    run, host, _ = _run_of(built, "mine")
    qemu = engines.load("qemu")
    with pytest.raises(ConfigError, match=r"not there; build it with: scons image variant=other$"):
        host.with_variant(qemu, "other")
    assert host.with_variant(engines.load("fake"), "other").jobs is None
    (run / "inputs" / "image" / "vmlinux").write_text("another")
    with pytest.raises(ImageError, match=r"build it with: scons image variant=mine$"):
        load_image(run / "inputs" / "image")
    (variants.image_directory("mine") / "image.json").unlink()
    with pytest.raises(ConfigError, match="not there"):
        host.with_variant(qemu, "mine")


@pytest.mark.slow
def test_an_accepted_run_of_a_variant_still_says_so(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert sweep(run, "--variant", "musl", "--calls", "sud-first").returncode == 0
    lock(run, tmp_path / "locked")
    asked = json.loads((tmp_path / "locked" / "run.json").read_text())["sweep"]
    assert (asked["variant"], asked["calls"]) == (["musl"], ["sud-first"])
    assert manifest.variant(tmp_path / "locked") == "musl"
