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
from osgap.engines.contract import Engine
from osgap.image.benchmarks import benchmarks, check_known, check_once
from osgap.image.scons import scons
from osgap.image.variants import DEFAULT
from osgap.image.variants import names as variant_names
from osgap.sweep.programs import ALONE, absolute_programs, with_programs
from osgap.sweep.spec import HARTS, SweepFile, find_sweep, load_sweep

_PROGRAM_KEYS = ("run", "program", "args", "pattern")


def prepare_sweep(
    name: str | None, values: Mapping[str, object], host_options: Collection[str], *, build: bool
) -> SweepFile:
    """The sweep file `name`, with `values` in place of its own, ready to run.

    `name` is a file's or its path; None is a sweep of the machine `base`. `host_options` are
    those of --gem5 and --image that the user typed. The images of programs are built if `build` is
    set. Raises OsgapError.
    """
    sweep = _read(name, values)
    keys = {key: f"--{key}" if key in values else f"{name}: {key}" for key in _PROGRAM_KEYS}
    check_once(sweep.run, keys["run"])
    engine = engines.load(sweep.engine)
    _check_host_options(sweep, engine, host_options)
    available = [*benchmarks(), *engine.benchmarks()]
    if not sweep.program:
        for further in ("args", "pattern"):
            if getattr(sweep, further):
                raise OsgapError(f"{keys[further]}: found without --program; allowed: beside it")
        _check_benchmarks(sweep.run, available, keys["run"])
        return sweep
    if not engine.boots_image:
        reason = f"found with the engine {engine.name}, which boots no image"
        raise OsgapError(f"{keys['program']}: {reason}")
    variants = variant_names(project_root() / "disk-images" / "variants")
    prepared = with_programs(sweep, variants, available)
    _check_benchmarks(prepared.run[: -len(sweep.program)], available, keys["run"])
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


def _check_host_options(sweep: SweepFile, engine: Engine, host_options: Collection[str]) -> None:
    """Raises OsgapError for an option that has no effect on this sweep."""
    if "--gem5" in host_options and engine.name != "gem5":
        raise OsgapError(f"--gem5: found with the engine {engine.name}; allowed: with gem5")
    if "--image" not in host_options:
        return
    if sweep.program:
        raise OsgapError("--image: found beside programs, whose images are built for them")
    if not engine.boots_image:
        raise OsgapError(f"--image: found with the engine {engine.name}, which boots no image")
    if DEFAULT not in sweep.variant:
        raise OsgapError(f"--image: found with the variant {sweep.variant[0]}, which has its image")


def _check_benchmarks(run: Collection[str], available: Collection[str], key: str) -> None:
    """Raises OsgapError for an unknown benchmark, which the guest would refuse minutes later."""
    check_known([name.replace(HARTS, "1") for name in run], available, key)
