# SPDX-License-Identifier: BSD-3-Clause
"""What scripts/sweep.py does, once its arguments are a `Sweep`, or a run to go on with."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from osgap import durable, engines
from osgap.engines.base import Engine, Failed, Image, image_for
from osgap.machine import Frozen, fitted, load_machine
from osgap.points import files, record
from osgap.points.record import State
from osgap.points.spec import Spec, read_plan
from osgap.stages import say
from osgap.sweep import manifest
from osgap.sweep.drive import Busy, Interrupted, SweepError, drive, locked, unfinished
from osgap.sweep.host import Host
from osgap.sweep.plan import Plan, make_plan, write_plan
from osgap.sweep.progress import keys_of
from osgap.sweep.spec import Sweep, each_run


def run_sweeps(sweep: Sweep, run: Path, machines: Path, host: Host, console: Console) -> None:
    """Runs a sweep into `run`, or into a run below it for each machine, variant and way of calls.

    Raises OsgapError, for an image that is not built before anything runs.
    """
    parts = each_run(sweep)
    here = {name: host.with_variant(sweep.engine, part.variant[0]) for name, part in parts.items()}
    works = [
        partial(run_sweep, part, run / name, machines, here[name], console)
        for name, part in parts.items()
    ]
    do_all(works)


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


def run_sweep(sweep: Sweep, run: Path, machines: Path, host: Host, console: Console) -> None:
    """Plans, boots once and runs a sweep of one machine and the host's image into `run`.

    Raises OsgapError.
    """
    engine = engines.load(sweep.engine)
    (name,) = sweep.machine
    machine = load_machine(machines / f"{name}.toml")
    reference = machine.reference and load_machine(machines / f"{machine.reference}.toml")
    with locked(run):
        image = image_for(engine.name, host.image)
        plan = make_plan(
            sweep,
            fitted(machine, engine.name),
            engine,
            image,
            fitted(reference, engine.name) if reference else None,
        )
        names = [name, *([machine.reference] if machine.reference else [])]
        inputs = {f"machines/{n}.toml": machines / f"{n}.toml" for n in names}
        run_plan(run, sweep, plan, engine, host, console, inputs)


def run_plan(
    run: Path,
    asked: Frozen,
    plan: Plan,
    engine: Engine,
    host: Host,
    console: Console,
    inputs: Mapping[str, Path],
) -> None:
    """Runs what is unfinished of `plan` into `run`, which the caller has locked.

    Keeps the image and the files `inputs` (name -> source) in RUN/inputs, and what was `asked` in
    RUN/run.json. Raises OsgapError.
    """
    image, directory = manifest.keep_image(run, engine, host.image)
    manifest.keep_files(run, inputs)
    keys = [spec.key for spec in plan.specs]
    todo = unfinished(run, keys, console)
    starts = manifest.starts(run)
    if todo:
        checkpoint = _boot(engine, image, plan.specs[0], host)
        starts.append(manifest.start(host.command, checkpoint))
    write_plan(run, asked, plan, {**manifest.describe(run, engine, image), "starts": starts})
    if not todo:
        console.print(f"{run.name}: all {len(keys)} points were finished before")
        return
    drive(run, plan.specs, directory, host, console)


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
    if any((run / "points").glob("*/*.xz")):
        raise SweepError(f"{run}: is an accepted run, which is not run again; see replay.py")
    with locked(run):
        keys = keys_of(run)
        damaged = {key for key in keys if files.is_done(run, key)}
        damaged &= set(unfinished(run, keys, console))
        states_now = {key: record.current(run, key).state for key in keys}
        chosen = [key for key in keys if states_now[key] in states or key in damaged]
        if not chosen:
            told = ", ".join(states)
            console.print(f"{run.name}: none of its {len(keys)} points is {told}")
            return
        specs = [_limited(run, key, limits) for key in chosen]
        engine = engines.load(specs[0].engine)
        image, directory = manifest.keep_image(run, engine, _image(run, engine, host))
        checkpoint = _boot(engine, image, specs[0], host)
        _note_start(run, manifest.start(host.command, checkpoint))
        drive(run, specs, directory, host, console)


def _image(run: Path, engine: Engine, host: Host) -> Path:
    """The run's own image; the host's of the same variant where it was archived without."""
    own = run / "inputs" / "image"
    if own.is_dir():
        return own
    return host.with_variant(engine.name, manifest.variant(run)).image


def _limited(run: Path, key: str, limits: Mapping[str, float | int]) -> Spec:
    path = run / "plan" / f"{key}.json"
    spec = read_plan(run, key).model_copy(update=dict(limits))
    durable.write_json(path, spec.model_dump(mode="json"))
    return spec


def _note_start(run: Path, start: manifest.Manifest) -> None:
    path = run / "run.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    durable.write_json(path, {**known, "starts": [*known.get("starts", []), start]})


def _boot(engine: Engine, image: Image, spec: Spec, host: Host) -> str:
    try:
        return engine.prepare(image, spec.resolved, host.cache, say)
    except Failed as failure:
        raise SweepError(f"the guest did not get ready: {failure.reason}") from None
