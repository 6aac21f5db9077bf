# SPDX-License-Identifier: BSD-3-Clause
"""Makes a sweep ready to run: its file is read, its benchmarks checked, its programs built."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from osgap import engines
from osgap.base.config import validate
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.base.processes import program_path
from osgap.base.progress import say
from osgap.engines import qemu
from osgap.image.benchmarks import benchmarks, check_known, check_once
from osgap.image.scons import scons
from osgap.image.variants import names as variant_names
from osgap.sweep.programs import ALONE, absolute_programs, with_programs
from osgap.sweep.spec import HARTS, SweepFile, find_sweep, load_sweep


def prepare_sweep(
    name: str | None, values: Mapping[str, object], *, has_image: bool, build: bool
) -> SweepFile:
    """The sweep file `name`, with `values` in place of its own, ready to run.

    `name` is a file's or its path; None is a sweep of the machine `base`. `has_image`: the user
    named an image, which programs cannot have. The images of programs are built if `build` is set.
    Raises OsgapError.
    """
    sweep = _read(name, values)
    check_once(sweep.run)
    engine = engines.load(sweep.engine)
    boots_image = engine.boots_image
    if not sweep.program:
        for key in ("args", "pattern"):
            if getattr(sweep, key):
                raise OsgapError(f"{key}: found without program; allowed: beside it")
        if boots_image:
            _check_benchmarks(sweep.run, benchmarks())
        return sweep
    if not boots_image:
        raise OsgapError(f"program: found with the engine {sweep.engine}, which boots no image")
    if has_image:
        raise OsgapError("--image: found beside programs, whose images are built for them")
    available = benchmarks()
    variants = variant_names(project_root() / "disk-images" / "variants")
    prepared = with_programs(sweep, variants, [*available])
    _check_benchmarks(prepared.run[: -len(sweep.program)], available)
    if build:
        if engine.has_timing and program_path(qemu.PROGRAM):
            say("first try of a program: --engine qemu runs it in seconds, without timing")
        scons("image", f"variant={','.join(prepared.variant)}")
    return prepared


def _read(name: str | None, values: Mapping[str, object]) -> SweepFile:
    data: dict[str, object] = {"description": "from the command line", "machine": "base"}
    if name:
        path = find_sweep(name, project_root() / "configs" / "sweeps")
        sweep = load_sweep(path).model_dump(exclude_unset=True)
        data = absolute_programs(sweep, path.absolute().parent)
    data.update(values)
    if data.get("program"):
        data.setdefault("run", ALONE)
    return validate(data, SweepFile, "command line")


def _check_benchmarks(run: Collection[str], available: Collection[str]) -> None:
    """Raises OsgapError for an unknown benchmark, which the guest would refuse minutes later."""
    check_known([name.replace(HARTS, "1") for name in run], available)
