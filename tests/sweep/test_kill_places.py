# SPDX-License-Identifier: BSD-3-Clause
"""Killed between the last write and the rename, at every place of osgap that renames anything.

Places are found in the code: a new one fails the first test until it is tried here too.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from kills import results
from naming_places import places
from sweeping import command, sweep

from osgap.analysis.tables import write_tables
from osgap.base import durable
from osgap.base.paths import project_root
from osgap.base.processes import osgap_command
from osgap.native.bundle import BUILT
from osgap.rundir.load import load_run
from osgap.suites import analyze

# Those of the fixture fake_run.
AXES = ("--cpu-mhz", "20,40", "--memory", "fixed,scaled")
PANIC = ("--cpu-mhz", "20", "--run", "checks,panic")
IMPORTS = "import sys; from pathlib import Path; here = Path(sys.argv[1]);"


@dataclass(frozen=True)
class Step:
    """What reaches a place: a command on a directory that `before` has made ready.

    `before` gets a finished run of the fake engine too, to copy.
    """

    command: Callable[[Path], Sequence[str]]
    before: Callable[[Path, Path], object] = lambda here, run: None
    kept: Callable[[Path], Mapping[str, str]] = durable.digests
    status: int = 0


def code(text: str) -> Callable[[Path], Sequence[str]]:
    return lambda here: [sys.executable, "-c", IMPORTS + text, str(here)]


def points(here: Path) -> Mapping[str, str]:
    return results(here / "run")


def finished(here: Path, run: Path) -> None:
    shutil.copytree(run, here / "run")


def explorable(here: Path, run: Path) -> None:
    """A simulated run, which has an explorer."""
    shutil.copytree(
        project_root() / "results" / "locked" / "curve/quick" / "rvsim", here / "runs" / "run"
    )


def analysed(here: Path, run: Path) -> None:
    finished(here, run)
    write_tables(analyze(load_run(run)), here / "run" / "tables")


def failed(here: Path, run: Path) -> None:
    assert sweep(here / "run", *PANIC).returncode == 2


def damaged(here: Path, run: Path) -> None:
    finished(here, run)
    for file in (here / "run" / "points").glob("*/samples.csv"):
        file.write_text("")


def of_osgap(*words: str) -> Callable[[Path], Sequence[str]]:
    return lambda here: [*osgap_command("osgap"), *words, str(here / "run")]


def tables(here: Path) -> Mapping[str, str]:
    run = here / "run"
    return {**durable.digests(run / "tables"), **durable.digests(run / "figures")}


def pages(here: Path) -> Mapping[str, str]:
    return {str(file.relative_to(here)): durable.sha256(file) for file in here.rglob("*.html")}


def linux(here: Path, run: Path) -> None:
    (here / "linux").mkdir()
    (here / "linux" / "Makefile").write_text("VERSION = 6\nPATCHLEVEL = 1\nmrproper:\n\t@true\n")
    (here / "fragment").touch()


def twin(here: Path, run: Path) -> None:
    linux(here, run)
    other = here / "home" / "build-other"
    other.mkdir(parents=True)
    (other / ".config").write_text("CONFIG_A=y\n")
    (other / "object.o").write_text("compiled")
    for mark in ("configured", "built"):
        (other / mark).touch()


def package(here: Path, run: Path) -> None:
    (here / "tcc.dsc").write_text("Version: 1\n")
    (here / "tcc.tar").write_text("source")


def buildroot(here: Path, run: Path) -> None:
    (here / "out" / "images").mkdir(parents=True)
    (here / "image").mkdir()
    (here / "tree").mkdir()
    for name in ("Image", "vmlinux", "fw_jump.bin", "fw_jump.elf", "rootfs.cpio"):
        (here / "out" / "images" / name).write_text(name)


def machine(here: Path, run: Path) -> None:
    shutil.copy(project_root() / "configs/machines/paper/SS1.toml", here / "machine.toml")


def bundled(here: Path, run: Path) -> None:
    scripts = [f"workloads/native/{name}.sh" for name in ("measure", "facts")]
    for path in (*(f"build/bundle/arm64/{name}" for name in BUILT), *scripts):
        (here / path).parent.mkdir(parents=True, exist_ok=True)
        (here / path).write_text(path)


def image(here: Path, run: Path) -> None:
    (here / "image").mkdir()
    for name in ("Image", "vmlinux", "fw_jump.bin", "fw_jump.elf", "image.json"):
        (here / "image" / name).write_text(name)


def program(here: Path, run: Path) -> None:
    (here / "mine.c").write_text("int main(void) { return 0; }\n")


CONFIGURE = """
from osgap.image.builder import kernel
def configure(tree):
    if not (tree.build / "configured").exists():
        tree.build.mkdir(parents=True)
        (tree.build / ".config").write_text("CONFIG_A=y\\n")
        (tree.build / "configured").touch()
def make(tree, *targets):
    for name in (kernel.LINKER_SCRIPT, kernel.LINKER_MAP):
        (tree.build / name).parent.mkdir(parents=True, exist_ok=True)
        (tree.build / name).write_text("the linker's own")
kernel.configure, kernel.make = configure, make
"""
TREE = (
    "from osgap.image.builder import kernel;"
    "kernel.KernelTree.home = property(lambda tree: here / 'home');"
    "kernel.KernelTree.build = property(lambda tree: here / 'home' / 'build-mine');"
    "tree = kernel.KernelTree(here / 'linux', '', (), here / 'fragment', here, 1);\n"
    "with kernel.locked(tree): "
)
BUILDROOT = (
    "from osgap.image.builder import buildroot as b;"
    "from osgap.image.builder import cpio, contents;"
    "b.version = lambda checkout: '2024.02'; b._check = lambda *given: None;"
    "b._origins = lambda given: {}; cpio.read = lambda data: ();"
    "cpio.contents = lambda entries: []; contents.load = lambda listed: [];"
    "one = b.Buildroot(here, here / 'tree', here / 'out', None, None);"
)
SOURCES = (
    "from osgap.image.provision import sources as s; s.Apt = lambda home: None;"
    "s._fetch = lambda cache, apt, roles: {'tcc': s._keep("
    "cache, 'tcc', '1', [here / 'tcc.dsc', here / 'tcc.tar'])};"
    "s.resolve(here / 'cache', ['tcc'])"
)
FIT = (
    "from osgap.suites.ousterhout.calibration.calibrate import write_fit;"
    "from osgap.machines.figure import Figure; from osgap.machines.machine import Fit;"
    "one = Figure(value=1.0, source='x');"
    "write_fit(here / 'machine.toml', 'rvsim', Fit(time_scale=1.0, line_bytes=64, clock_mhz=one,"
    "latency_ns=one, bandwidth_mb_s=one))"
)
KEEP = (
    "from osgap.rundir.image_copy import copy_image; from osgap.base.durable import sha256;"
    "from osgap.image.files import FileStamp, Image, IMAGE_FILES; own = here / 'image';\n"
    "def stamp(path): info = path.stat(); return FileStamp("
    "size=info.st_size, mtime_ns=info.st_mtime_ns, sha256=sha256(path))\n"
    "copy_image(here / 'run', Image(own / 'Image', own / 'fw_jump.bin', 'digest',"
    "{name: stamp(own / name) for name in IMAGE_FILES}), {})"
)
RECIPE = (
    "from osgap.image import programrecipe as p; from osgap.image.programs import read_programs;"
    "p.image_directory = lambda variant: here / variant / 'image';"
    "programs, contents = read_programs([here / 'mine.c'], []);"
    "p.write_recipe(p.Recipe(program=programs), contents)"
)
LOCK = "from osgap.rundir.archive import lock; lock(here / 'run', here / 'locked')"


def swept(*axes: str) -> Callable[[Path], Sequence[str]]:
    return lambda here: command(here / "run", *(axes or AXES))


SWEPT = Step(swept(), kept=points)
SITE = Step(
    lambda here: [
        *osgap_command("osgap"),
        "site",
        str(here / "runs"),
        "--output",
        str(here / "site"),
    ],
    lambda here, run: finished(here / "runs", run),
    pages,
)


STEPS: dict[str, Step] = {
    "osgap.drawing.figure:save": Step(of_osgap("plot", "--figure", "scaling"), analysed, tables),
    "osgap.report.target:write": Step(of_osgap("report"), analysed, pages),
    "osgap.report.site:write_site": SITE,
    "osgap.report.site_pages:make_page": SITE,
    "osgap.report.site_pages:make_pages": SITE,
    "osgap.report.site_pages:_explorer": replace(SITE, before=explorable),
    "osgap.rundir.csvfile:write_table": Step(of_osgap("analyze"), finished, tables),
    "osgap.rundir.archive:lock": Step(
        code(LOCK), finished, lambda here: durable.digests(here / "locked")
    ),
    "osgap.engines.checkpoints:ensure": SWEPT,
    "osgap.engines.fake:Fake.prepare": SWEPT,
    "osgap.points.jobs:write_jobs": SWEPT,
    "osgap.points.record:write": SWEPT,
    "osgap.rundir.manifest:copy_inputs": SWEPT,
    "osgap.rundir.manifest:write": SWEPT,
    "osgap.rundir.pointfiles:publish": SWEPT,
    "osgap.sweep.plan:write_plan": SWEPT,
    "osgap.points.work:_failed": Step(
        swept(*PANIC),
        status=2,
        kept=lambda here: {p.name: durable.sha256(p) for p in here.glob("run/logs/*.console.txt")},
    ),
    "osgap.sweep.snakemake:_move_aside": Step(swept(), damaged, points),
    "osgap.sweep.run:_limited": Step(
        of_osgap("retry", "--timeout", "77"),
        failed,
        lambda here: durable.digests(here / "run" / "plan"),
        status=2,
    ),
    "osgap.image.builder.kernel:unpack": Step(
        code(TREE + "kernel.unpack(tree)"),
        linux,
        lambda here: durable.digests(here / "home" / "src"),
    ),
    "osgap.image.builder.kernel:start_from_twin": Step(
        code(CONFIGURE + TREE + "kernel.ensure(tree)"),
        twin,
        lambda here: durable.digests(here / "home" / "build-mine"),
    ),
    "osgap.image.builder.buildroot:_changed_patches": Step(
        code(BUILDROOT + "b._changed_patches(one)"), buildroot
    ),
    "osgap.image.builder.buildroot:collect": Step(
        code(BUILDROOT + "b.collect(one, here, here / 'image')"), buildroot
    ),
    "osgap.image.provision.sources:_keep": Step(code(SOURCES), package),
    "osgap.image.provision.sources:resolve": Step(code(SOURCES), package),
    "osgap.suites.ousterhout.calibration.calibrate:write_fit": Step(code(FIT), machine),
    "osgap.rundir.image_copy:_copy": Step(code(KEEP), image),
    "osgap.image.programrecipe:write_recipe": Step(code(RECIPE), program),
    "osgap.native.bundle:write_bundle": Step(
        code("from osgap.native.bundle import write_bundle; write_bundle(here, 'arm64')"), bundled
    ),
}


# Reached on the way to others, or much like others: with all tests.
LATER = {place for place, step in STEPS.items() if step is SWEPT or step is SITE} - {
    "osgap.points.record:write",
    "osgap.rundir.pointfiles:publish",
    "osgap.report.site:write_site",
} | {
    "osgap.drawing.figure:save",
    "osgap.points.work:_failed",
    "osgap.report.site_pages:_explorer",
    "osgap.report.target:write",
    "osgap.sweep.run:_limited",
}


def test_every_place_is_tried() -> None:
    assert sorted(STEPS) == places()


def start(words: Sequence[str], here: Path, fault: str = "") -> subprocess.CompletedProcess[str]:
    own = {"OSGAP_CACHE": str(here / "cache"), durable.FAULT: fault}
    return subprocess.run(
        words, env={**os.environ, **own}, capture_output=True, text=True, timeout=120
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "place",
    [pytest.param(p, marks=pytest.mark.long) if p in LATER else p for p in STEPS],
)
def test_killed_there_nothing_is_torn_and_the_repeated_command_does_it(
    tmp_path: Path, fake_run: Path, place: str
) -> None:
    step, whole, here = STEPS[place], tmp_path / "whole", tmp_path / "here"
    whole.mkdir()
    step.before(whole, fake_run)
    shutil.copytree(whole, here)
    before = step.kept(here)
    told = start(step.command(whole), whole)
    assert told.returncode == step.status, told.stderr
    wanted = step.kept(whole)
    killed = start(step.command(here), here, place)
    in_worker = place in ("osgap.rundir.pointfiles:publish", "osgap.points.work:_failed")
    assert killed.returncode == (2 if in_worker else -signal.SIGKILL), killed.stderr
    now = {name: digest for name, digest in step.kept(here).items() if ".partial" not in name}
    torn = [name for name, digest in now.items() if digest not in (before.get(name), wanted[name])]
    assert torn == []
    told = start(step.command(here), here)
    assert told.returncode == step.status, told.stderr
    assert step.kept(here) == wanted != {}
    assert list(here.rglob("*.partial")) == []
