# SPDX-License-Identifier: BSD-3-Clause
"""The places of osgap that rename anything, and for each a command that reaches it."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import forks
from faults import NEVER_MADE
from kills import results
from sweeping import sweep

from osgap.analysis.tables import write_tables
from osgap.base import durable
from osgap.base.paths import project_root
from osgap.native.bundle import BUILT
from osgap.rundir.archive import lock
from osgap.rundir.load import load_run
from osgap.suites import analyze

# Those of the fixture fake_run.
AXES = ("--cpu-mhz", "20,40", "--memory", "fixed,scaled")
PANIC = ("--cpu-mhz", "20", "--run", "checks,panic")
Body = Callable[[], object]


@dataclass(frozen=True)
class Step:
    """A command that reaches a place, on a directory that `before` has made ready.

    The command runs in a fork. `before` gets a finished run of the fake engine too, to copy.
    """

    command: Callable[[Path], Body]
    before: Callable[[Path, Path], object] = lambda here, run: None
    kept: Callable[[Path], Mapping[str, str]] = durable.digests
    status: int = 0


def code(text: str) -> Callable[[Path], Body]:
    return lambda here: lambda: exec(text, {"here": here, "Path": Path})


def points(here: Path) -> Mapping[str, str]:
    return results(here / "run")


def finished(here: Path, run: Path) -> None:
    shutil.copytree(run, here / "run")


def accepted(here: Path, run: Path) -> None:
    lock(run, here / "locked")


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


def of_osgap(*words: str) -> Callable[[Path], Body]:
    return lambda here: forks.command(*words, str(here / "run"))


def tables(here: Path) -> Mapping[str, str]:
    run = here / "run"
    return {**durable.digests(run / "tables"), **durable.digests(run / "figures")}


def pages(here: Path) -> Mapping[str, str]:
    return {str(file.relative_to(here)): durable.sha256(file) for file in here.rglob("*.html")}


def linux(here: Path, run: Path) -> None:
    (here / "linux").mkdir()
    (here / "linux" / "Makefile").write_text("VERSION = 6\nPATCHLEVEL = 1\nmrproper:\n\t@true\n")
    (here / "fragment").touch()


def nearest(here: Path, run: Path) -> None:
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
AGAIN = "from osgap.rundir.archive import pack_again; pack_again(here / 'locked/run.tar.xz')"


MACHINE_FILE = f"""
import sys
sys.path.append({str(Path(__file__).parents[1] / "native")!r})
from board_trees import NEZHA
from machine_files import write
write(here / "board.toml", NEZHA)
"""


def swept(*axes: str) -> Callable[[Path], Body]:
    def words(here: Path) -> Body:
        fake = ("--engine", "fake", "--output", str(here / "run"))
        return forks.command("sweep", *fake, *(axes or AXES))

    return words


SWEPT = Step(swept(), kept=points)
RESOLVED = Step(code(SOURCES), package)
SITE = Step(
    lambda here: forks.command("site", str(here / "runs"), "--output", str(here / "site")),
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
    "osgap.cli.reproduce:command": Step(
        lambda here: forks.command("reproduce", NEVER_MADE, "--output", str(here / "again"))
    ),
    "osgap.rundir.csvfile:write_table": Step(of_osgap("analyze"), finished, tables),
    "osgap.rundir.archive:lock": Step(
        code(LOCK), finished, lambda here: durable.digests(here / "locked")
    ),
    "osgap.rundir.archive:pack_again": Step(
        code(AGAIN), accepted, lambda here: durable.digests(here / "locked")
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
    "osgap.image.builder.kernel:start_from_nearest": Step(
        code(CONFIGURE + TREE + "kernel.ensure(tree)"),
        nearest,
        lambda here: durable.digests(here / "home" / "build-mine"),
    ),
    "osgap.image.builder.buildroot:_changed_patches": Step(
        code(BUILDROOT + "b._changed_patches(one)"), buildroot
    ),
    "osgap.image.builder.buildroot:collect": Step(
        code(BUILDROOT + "b.collect(one, here, here / 'image')"), buildroot
    ),
    "osgap.image.provision.sources:_keep": RESOLVED,
    "osgap.image.provision.sources:resolve": RESOLVED,
    "osgap.suites.ousterhout.calibration.calibrate:write_fit": Step(code(FIT), machine),
    "osgap.rundir.image_copy:_copy": Step(code(KEEP), image),
    "osgap.image.recipefolder:write_folder": Step(code(RECIPE), program),
    "osgap.native.template.write:write_machine_file": Step(code(MACHINE_FILE)),
    "osgap.native.bundle:write_bundle": Step(
        code("from osgap.native.bundle import write_bundle; write_bundle(here, 'arm64')"), bundled
    ),
}
