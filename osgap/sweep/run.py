# SPDX-License-Identifier: BSD-3-Clause
"""Runs a `SweepFile`, or goes on with a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console

from osgap import engines
from osgap.base import durable
from osgap.base.config import ConfigError
from osgap.base.frozen import Frozen
from osgap.base.progress import say
from osgap.engines.contract import Engine, Failed
from osgap.image.files import Image, Stamps
from osgap.machines.machine import load_fitted, machine_files
from osgap.points import record
from osgap.points.jobs import known_stamps
from osgap.points.planned import read_plan
from osgap.points.record import State
from osgap.rundir import manifest, pointfiles
from osgap.rundir.directory import is_archived
from osgap.rundir.image_copy import keep_image
from osgap.rundir.output import claim
from osgap.rundir.point import Spec
from osgap.sweep.host import Host
from osgap.sweep.plan import Plan, make_plan, write_plan
from osgap.sweep.progress import keys_of
from osgap.sweep.snakemake import Busy, Interrupted, SweepError, drive, locked, unfinished
from osgap.sweep.spec import RunSpec, SweepFile, each_run


def run_sweeps(sweep: SweepFile, run: Path, machines: Path, host: Host, console: Console) -> None:
    """Runs a sweep into `run`, or into a run below it for each machine, variant and way of calls.

    Raises OsgapError, for an image that is not built before anything runs.
    """

    def work(asked: RunSpec, own: Path, here: Host) -> None:
        run_sweep(asked, own, machines, here, console)

    do_each_run(sweep, run, host, work)


def do_each_run(
    sweep: SweepFile, run: Path, host: Host, work: Callable[[RunSpec, Path, Host], None]
) -> None:
    """Does `work` with each of the sweep's runs, its directory, and the host with its image.

    Raises OsgapError, for an image that is not built before anything runs.
    """
    runs = each_run(sweep)
    engine = engines.load(sweep.engine)
    here = {name: host.with_variant(engine, asked.variant) for name, asked in runs.items()}
    run = claim(run)
    do_all([partial(work, asked, run / name, here[name]) for name, asked in runs.items()])


def do_all(works: Sequence[Callable[[], None]]) -> None:
    """Does each, though an earlier one failed. Raises SweepError with what all failed ones said."""
    failures = []
    for work in works:
        try:
            work()
        except (Interrupted, Busy):
            raise
        except SweepError as failure:
            failures.append(str(failure))
    if failures:
        raise SweepError("; ".join(failures))


def run_sweep(asked: RunSpec, run: Path, machines: Path, host: Host, console: Console) -> None:
    """Plans, boots once and runs what is asked, with the host's image, into `run`.

    Raises OsgapError.
    """
    run = claim(run)
    with locked(run):
        own = plan_for(asked, machines, host)
        run_plan(run, asked, own.plan, own.engine, own.image, host, console, own.inputs)


@dataclass(frozen=True)
class Planned:
    """A run's points, and what they are made from: `inputs` are files by their names in the run."""

    plan: Plan
    engine: Engine
    image: Image
    inputs: Mapping[str, Path]


def plan_for(asked: RunSpec, machines: Path, host: Host) -> Planned:
    """What `asked` comes to on the host's image; nothing is written. Raises OsgapError."""
    engine = engines.load(asked.engine)
    name = asked.machine
    machine, reference = load_fitted(machines / f"{name}.toml", engine.name, machines)
    image = engine.image(host.image)
    plan = make_plan(asked, machine, engine, image, reference)
    names = [name, *([machine.reference] if machine.reference else [])]
    inputs = {f"machines/{n}": path for n, path in _machine_files(names, machines).items()}
    return Planned(plan, engine, image, inputs)


def _machine_files(names: Sequence[str], machines: Path) -> dict[str, Path]:
    """The files that a run is to keep of its machines, those that they extend among them; by their
    names below `machines`.

    Raises ConfigError for one that is elsewhere.
    """
    files: dict[str, Path] = {}
    for one in names:
        for path in machine_files(machines / f"{one}.toml"):
            if not path.is_relative_to(machines):
                raise ConfigError(f"{path}: is extended from {machines}; allowed: files below it")
            files[path.relative_to(machines).as_posix()] = path
    return files


def run_plan(
    run: Path,
    asked: Frozen,
    plan: Plan,
    engine: Engine,
    image: Image,
    host: Host,
    console: Console,
    inputs: Mapping[str, Path],
    more: Mapping[str, object] | None = None,
) -> None:
    """Runs what is unfinished of `plan` into `run`, which the caller has locked.

    Keeps the image and the files `inputs` (name -> source) in RUN/inputs, and in RUN/run.json what
    was `asked` and what `more` says. Raises OsgapError.
    """
    image = keep_image(run, image, known_stamps(run))
    manifest.keep_files(run, inputs)
    keys = [spec.key for spec in plan.specs]
    todo = unfinished(run, keys, console)
    starts = manifest.starts(run)
    if todo:
        checkpoint = _boot(engine, image, plan.specs[0], host)
        starts = (*starts, manifest.start(host.command, checkpoint))
    described = {**manifest.describe(run, engine, image), **(more or {})}
    write_plan(run, asked, plan, {**described, "starts": starts})
    if not todo:
        console.print(f"{run.name}: all {len(keys)} points were finished before")
        return
    drive(run, plan.specs, image, host, console)


def go_on(
    run: Path,
    states: Collection[State],
    host: Host,
    console: Console,
    limits: Mapping[str, float | int],
) -> None:
    """Runs the points of `run` that are in `states`, from what the run directory itself holds.

    `limits` may give timeout_s and memory_limit_mib in place of the planned ones. Raises
    OsgapError, for an accepted run too.
    """
    if is_archived(run):
        raise SweepError(f"{run}: is an accepted run, which is not run again; see osgap replay")
    with locked(claim(run)):
        keys = keys_of(run)
        damaged = {key for key in keys if pointfiles.is_done(run, key)}
        damaged &= set(unfinished(run, keys, console))
        states_now = {key: record.current(run, key).state for key in keys}
        chosen = [key for key in keys if states_now[key] in states or key in damaged]
        if not chosen:
            told = ", ".join(states)
            console.print(f"{run.name}: none of its {len(keys)} points is {told}")
            return
        specs = [_limited(run, key, limits) for key in chosen]
        engine = engines.load(specs[0].engine)
        known = known_stamps(run)
        image = keep_image(run, _image(run, engine, host, known), known)
        checkpoint = _boot(engine, image, specs[0], host)
        manifest.note_start(run, manifest.start(host.command, checkpoint))
        drive(run, specs, image, host, console)


def _image(run: Path, engine: Engine, host: Host, known: Stamps) -> Image:
    """The run's own image; the host's of the same variant where it was archived without."""
    own = run / "inputs" / "image"
    if own.is_dir():
        return engine.image(own, known)
    return engine.image(host.with_variant(engine, manifest.variant(run)).image)


def _limited(run: Path, key: str, limits: Mapping[str, float | int]) -> Spec:
    path = run / "plan" / f"{key}.json"
    spec = read_plan(run, key).model_copy(update=dict(limits))
    durable.write_json(path, spec.model_dump(mode="json"))
    return spec


def _boot(engine: Engine, image: Image, spec: Spec, host: Host) -> str:
    try:
        return engine.prepare(image, spec.system, host.cache, say)
    except Failed as failure:
        raise SweepError(f"the guest did not get ready: {failure.reason}") from None
