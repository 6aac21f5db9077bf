# SPDX-License-Identifier: BSD-3-Clause
"""Runs a sweep's runs: plans the points, keeps their inputs, boots once and drives Snakemake.

A `SweepFile` makes one run or several. `resume_each` goes on with runs that are on the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from osgap import engines
from osgap.base import durable
from osgap.base.config import ConfigError
from osgap.base.frozen import Frozen
from osgap.base.progress import say
from osgap.base.quoting import counted
from osgap.engines.contract import Engine, Failed
from osgap.image.files import Image, Stamps
from osgap.machines.machine import load_fitted, machine_files
from osgap.points import record
from osgap.points.jobs import known_stamps
from osgap.points.planned import read_plan
from osgap.points.record import State
from osgap.points.slots import held_slot
from osgap.rundir import manifest
from osgap.rundir.directory import is_archived
from osgap.rundir.files import is_done
from osgap.rundir.image_copy import copy_image
from osgap.rundir.output import claim
from osgap.rundir.point import MEMORY_LIMIT_MIB, Spec
from osgap.sweep.host import Host, SweepContext
from osgap.sweep.locking import SweepError, locked
from osgap.sweep.parallel import RunWork, run_all
from osgap.sweep.place import Place
from osgap.sweep.plan import Plan, make_plan, write_plan
from osgap.sweep.progress import keys_of
from osgap.sweep.remote import check_remote
from osgap.sweep.snakemake import drive, unfinished
from osgap.sweep.spec import RunSpec, SweepFile, each_run
from osgap.sweep.suites import check_suites


@dataclass(frozen=True)
class PlannedRun:
    """A run's points, and the engine, image and files that they need.

    `request` becomes `sweep` in run.json: a RunSpec, or the description of a replay or calibration.
    `inputs` maps names in RUN/inputs to the files to copy there.
    """

    request: Frozen
    plan: Plan
    engine: Engine
    image: Image
    inputs: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class SweepRun:
    """One of a sweep's runs: what was asked, its plan, and its directory and host."""

    spec: RunSpec
    planned: PlannedRun
    context: SweepContext


def run_sweeps(sweep: SweepFile, machines: Path, context: SweepContext) -> None:
    """Runs a sweep into the context's directory; several runs get a directory each below it.

    `machines` is the folder of the machine files. Raises OsgapError; as `sweep_runs` does, before
    anything runs.
    """
    for_each_run(sweep, machines, context, _run)


def for_each_run(
    sweep: SweepFile, machines: Path, context: SweepContext, work: Callable[[SweepRun], None]
) -> None:
    """Calls `work` for each of the sweep's runs, for several at once, after all are planned.

    Raises OsgapError; as `sweep_runs` does, before the first call.
    """
    runs = sweep_runs(sweep, machines, context)
    claim(context.run)
    host = context.host

    def run_work(run: SweepRun) -> RunWork:
        keys = [spec.key for spec in run.planned.plan.specs]
        return RunWork(run.context, keys, lambda shared: work(replace(run, context=shared)))

    slots = None if host.profile else host.points_at_once(sweep.memory_limit_mib)
    run_all([run_work(run) for run in runs], slots, host.again)


def sweep_runs(sweep: SweepFile, machines: Path, context: SweepContext) -> list[SweepRun]:
    """Each of the sweep's runs, planned; writes nothing.

    Raises ConfigError for an image that is not built, for files on a server that the machine or the
    image of a run does not reach, for suites that the image does not have, and for a machine file
    that is wrong or that the engine does not simulate.
    """
    engine = engines.load(sweep.engine)
    runs = []
    for name, spec in each_run(sweep).items():
        host = context.host.with_variant(engine, spec.variant)
        check_remote(spec, machines, engine, host.image)
        check_suites(spec, engine, host.image)
        planned = _planned(spec, machines, host)
        runs.append(SweepRun(spec, planned, replace(context, run=context.run / name, host=host)))
    return runs


def _run(run: SweepRun) -> None:
    context = replace(run.context, run=claim(run.context.run))
    with locked(context.run):
        run_plan(context, run.planned)


def _planned(run_spec: RunSpec, machines: Path, host: Host) -> PlannedRun:
    """The points of `run_spec` on the host's image; writes nothing. Raises OsgapError."""
    engine = engines.load(run_spec.engine)
    name = run_spec.machine
    machine, reference = load_fitted(machines / f"{name}.toml", engine.name, machines)
    image = engine.image(host.image)
    plan = make_plan(run_spec, machine, engine, image, reference)
    names = [name, *([machine.reference] if machine.reference else [])]
    inputs = {f"machines/{n}": path for n, path in _machine_files(names, machines).items()}
    return PlannedRun(run_spec, plan, engine, image, inputs)


def _machine_files(names: Sequence[str], machines: Path) -> dict[str, Path]:
    """The files of the machines `names` and of those they extend, by their path below `machines`.

    Raises ConfigError for a file that is elsewhere.
    """
    files: dict[str, Path] = {}
    for name in names:
        for path in machine_files(machines / f"{name}.toml"):
            if not path.is_relative_to(machines):
                raise ConfigError(f"{path}: is extended from {machines}; allowed: files below it")
            files[path.relative_to(machines).as_posix()] = path
    return files


def run_plan(
    context: SweepContext, planned: PlannedRun, provenance: Mapping[str, object] | None = None
) -> None:
    """Runs the unfinished points of `planned` into the context's directory, which is locked.

    Copies the image and the input files to RUN/inputs. Writes RUN/run.json, with further keys from
    `provenance`. Raises OsgapError.
    """
    run, host, specs = context.run, context.host, planned.plan.specs
    image = copy_image(run, planned.image, known_stamps(run))
    manifest.copy_inputs(run, planned.inputs)
    keys = [spec.key for spec in specs]
    todo = unfinished(run, keys, context.console)
    starts = manifest.starts(run)
    if todo:
        checkpoint = _boot(context, planned.engine, image, specs[0])
        starts = (*starts, manifest.start(host.command, checkpoint))
    described = {**manifest.describe(run, planned.engine, image), **(provenance or {})}
    write_plan(run, planned.request, planned.plan, {**described, "starts": starts})
    if not todo:
        context.console.print(f"{run.name}: finished before: {counted(len(keys), 'point')}, all")
        return
    drive(context, specs, image)


def resume_each(
    contexts: Sequence[SweepContext],
    states: Collection[State],
    limits: Mapping[str, float | int],
) -> None:
    """Goes on with each run, with several at once. Raises OsgapError."""
    host, slots = contexts[0].host, None
    if len(contexts) > 1 and not host.profile:
        limit_mib = max(_memory_limit_mib(context.run, limits) for context in contexts)
        slots = host.points_at_once(limit_mib)

    def action(context: SweepContext) -> None:
        _resume_run(context, states, limits)

    works = [RunWork(context, keys_of(context.run), action) for context in contexts]
    run_all(works, slots, host.again)


def _memory_limit_mib(run: Path, limits: Mapping[str, float | int]) -> int:
    """The limit of a run's points; all have the same, but for those that were retried with more."""
    if limit := limits.get("memory_limit_mib"):
        return int(limit)
    if is_archived(run):
        return MEMORY_LIMIT_MIB
    return max(read_plan(run, key).memory_limit_mib for key in keys_of(run))


def _resume_run(
    context: SweepContext, states: Collection[State], limits: Mapping[str, float | int]
) -> None:
    """Runs the run's points that are in `states` or damaged, from its own plan and inputs.

    `limits` may replace the planned timeout_s and memory_limit_mib. Raises OsgapError, also for an
    accepted run.
    """
    run, host = context.run, context.host
    if is_archived(run):
        raise SweepError(f"{run}: is an accepted run, which is not run again; see osgap replay")
    with locked(claim(run)):
        keys = keys_of(run)
        damaged = {key for key in keys if is_done(run, key)}
        damaged &= set(unfinished(run, keys, context.console))
        present = {key: record.current(run, key).state for key in keys}
        chosen = [key for key in keys if present[key] in states or key in damaged]
        if not chosen:
            context.console.print(
                f"{run.name}: of {counted(len(keys), 'point')} none is {', '.join(states)}"
            )
            return
        specs = [_limited(run, key, limits) for key in chosen]
        engine = engines.load(specs[0].engine)
        stamps = known_stamps(run)
        image = copy_image(run, _image(run, engine, host, stamps), stamps)
        checkpoint = _boot(context, engine, image, specs[0])
        manifest.add_start(run, manifest.start(host.command, checkpoint))
        drive(context, specs, image)


def _image(run: Path, engine: Engine, host: Host, stamps: Stamps) -> Image:
    """The run's own image; the host's of the same variant where it was archived without."""
    directory = run / "inputs" / "image"
    if directory.is_dir():
        return engine.image(directory, stamps)
    return engine.image(host.with_variant(engine, manifest.variant(run)).image)


def _limited(run: Path, key: str, limits: Mapping[str, float | int]) -> Spec:
    """The planned point with these limits, written to its plan."""
    path = run / "plan" / f"{key}.json"
    spec = read_plan(run, key).model_copy(update=dict(limits))
    durable.write_json(path, spec.model_dump(mode="json"))
    return spec


def _boot(context: SweepContext, engine: Engine, image: Image, spec: Spec) -> str:
    """Makes the checkpoint that points start from, unless it is there; its digest."""
    host = context.host
    with durable.directory(context.run) as same, held_slot(host.slots):
        try:
            checkpoint = engine.prepare(image, spec.system, host.cache, say)
        except Failed as failure:
            raise SweepError(f"the guest did not get ready: {failure.reason}") from None
        except OSError as error:
            raise SweepError(
                f"{error.filename or host.cache}: {error.strerror}: the cache is {host.cache}; "
                "give another directory for it in $OSGAP_CACHE"
            ) from None
        if (place := Place(context.run, same)).is_lost():
            raise place.error(host)
    return checkpoint
