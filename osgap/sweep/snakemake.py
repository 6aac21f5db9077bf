# SPDX-License-Identifier: BSD-3-Clause
"""Runs planned points through Snakemake, shows their progress and reports failures."""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from osgap.base import durable, processes
from osgap.base.processes import die_with
from osgap.base.progress import say
from osgap.base.quoting import counted, quoted
from osgap.base.signals import ignore_end_signals
from osgap.engines import load
from osgap.image.files import Image
from osgap.points.jobs import Jobs, write_jobs
from osgap.points.parent import VARIABLE as OWNER_VARIABLE
from osgap.points.parent import owner
from osgap.points.record import Record, State
from osgap.rundir.directory import POINTS
from osgap.rundir.files import PointFiles, is_done
from osgap.rundir.point import Spec, damage
from osgap.sweep import slurm
from osgap.sweep.host import Host, SweepContext
from osgap.sweep.jobs import (
    advice,
    all_attempted,
    bundles,
    longest_first,
    queue,
    update_records,
    useful_size,
)
from osgap.sweep.locking import SweepError
from osgap.sweep.place import Place
from osgap.sweep.profile import Profile, load_profile
from osgap.sweep.progress import Progress, mean_cost, survey
from osgap.sweep.status import Bar

_POLL_S = 0.2
# Statuses of a watch that ended before Snakemake; those of a killed Snakemake are negative too.
_INTERRUPTED = -1000
_LOST = -1001
_STOP_S = 60.0
# Failed points that the last message names.
_NAMED_FAILURES = 3
# Paths that Snakemake's executors can put into a shell's command line safely.
_PLAIN = re.compile(r"[\w./+@%,:= -]*")
# Snakemake keeps notes on jobs for reports of its own, and imports pandas to write them.
_LOCAL = ("--profile", "none", "--drop-metadata")
# Memory of the worker and Snakemake on a cluster's node. (Slurm's megabytes are MiB.)
_WORKER_MIB = 512
_START_S = 60.0


class Interrupted(SweepError):
    """Interruption of a sweep by the user."""


def unfinished(run: Path, keys: Sequence[str], console: Console) -> tuple[str, ...]:
    """The points of `keys` still to run; moves damaged ones to RUN/damaged first."""
    for key in keys:
        if not is_done(run, key):
            continue
        if problem := damage(PointFiles(run / POINTS / key)):
            console.print(f"{problem}; the point runs again")
            _move_aside(run, key)
    return tuple(key for key in keys if not is_done(run, key))


def drive(context: SweepContext, specs: Sequence[Spec], image: Image) -> None:
    """Runs the unfinished points among `specs`; the caller has locked the context's directory.

    Raises SweepError naming those that failed.
    """
    run, host = context.run, context.host
    keys = [spec.key for spec in specs]
    todo = [spec for spec in specs if not is_done(run, spec.key)]
    profile = load_profile(host.profile) if host.profile else None
    if profile:
        _check_plain(run, profile.directory, Path(__file__), Path(sys.executable))
    if profile and profile.executor == "slurm" and (jobs := slurm.leftovers(run)):
        context.console.print(f"{run.name}: cancelled {counted(jobs, 'job')} of an earlier sweep")
    _clear(run)
    queue(run, todo)
    slots = profile.jobs if profile else host.points_at_once(_memory_mib(todo))
    before = survey(run, keys)
    write_jobs(run, _jobs(todo, image, host, slots if profile else None, before))
    say(f"{run.name}: {len(todo)} of {counted(len(keys), 'point')} to run, {slots} at a time")
    mean_s = mean_cost(before.records)
    if not profile and (hint := advice(load(specs[0].engine), len(todo), slots, mean_s)):
        say(f"{run.name}: this takes over an hour: {hint}")
    with durable.directory(run) as same:
        place = Place(run, same)
        process = _start(run, slots, profile)
        try:
            status = _watch(place, before, slots, process, profile is None)
        except KeyboardInterrupt:
            ignore_end_signals()  # a second Ctrl-C changes nothing
            status = _INTERRUPTED
        if status < 0:
            # A killed Snakemake may leave workers: they are ended before their records are read.
            _stop(process, run, profile)
        if place.is_lost():
            raise place.error(host, keys)
    if status == _INTERRUPTED:
        update_records(run, keys)
        raise Interrupted(_interrupted(survey(run, keys), host))
    update_records(run, keys, never_started="its job ended before it began; see logs/snakemake.log")
    progress = survey(run, keys)
    left = [r for r in progress.records if r.state is not State.DONE]
    if left or status:
        raise SweepError(_report(progress, left))


def _jobs(
    todo: Sequence[Spec], image: Image, host: Host, slots: int | None, progress: Progress
) -> Jobs:
    """Jobs of one point each, or bundles of points for the `slots` of a cluster."""
    size = host.points_per_job or 1
    if slots is not None and host.points_per_job is None:
        size = useful_size(len(todo), slots, mean_cost(progress.records))
    longest = size * (max(spec.timeout_s for spec in todo) + _START_S)
    # Jobs of several points keep a mixture of long and short ones.
    ordered = longest_first(todo) if size == 1 else todo
    return Jobs(
        image=str(image.directory),
        stamps=dict(image.stamps),
        cache=str(host.cache),
        bundles=bundles([spec.key for spec in ordered], size),
        memory_mib=_memory_mib(todo) + _WORKER_MIB,
        minutes=math.ceil(longest / 60),
        slots=host.slots,
    )


def _memory_mib(specs: Sequence[Spec]) -> int:
    return max(spec.memory_limit_mib for spec in specs)


def _start(run: Path, slots: int, profile: Profile | None) -> subprocess.Popen[bytes]:
    local = processes.osgap_command("osgap.sweep.local_snakemake")
    arguments = [
        *([sys.executable, "-P", "-m", "snakemake"] if profile else local),
        *("--snakefile", str(Path(__file__).parent / "Snakefile")),
        *("--directory", str(run)),
        *("--keep-going", "--nolock", "--rerun-triggers", "mtime", "--scheduler", "greedy"),
        # The user's default profile is for other workflows.
        *("--workflow-profile", "none"),
        *(_cluster(run, profile) if profile else (*_LOCAL, "--cores", str(slots))),
    ]
    # Snakemake's output goes to a log; failures are reported from the points' records.
    (run / "logs").mkdir(exist_ok=True)
    log_flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with open(durable.open_regular(run / "logs" / "snakemake.log", log_flags), "wb") as log:
        return subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=processes.environment({OWNER_VARIABLE: owner(), **_homeless(run)}),
            start_new_session=True,
            preexec_fn=partial(die_with, os.getpid()),
        )


def _homeless(run: Path) -> dict[str, str]:
    """The variables with which Snakemake needs neither a home that can be written nor a user."""
    user = os.environ.get("LOGNAME") or os.environ.get("USER") or str(os.getuid())
    folders = dict.fromkeys(("XDG_CACHE_HOME", "XDG_CONFIG_HOME"), str(run / ".snakemake"))
    return {"LOGNAME": user, **folders}


def _cluster(run: Path, profile: Profile) -> tuple[str, ...]:
    further = slurm.arguments(run) if profile.executor == "slurm" else ()
    return ("--profile", str(profile.directory), *further)


def _check_plain(*paths: Path) -> None:
    """Raises SweepError for a path that a cluster's shell would misread.

    The executors quote paths such that `$(...)` in one is executed.
    """
    for path in paths:
        if not _PLAIN.fullmatch(str(path)):
            raise SweepError(
                f"a sweep on a cluster: found the path {quoted(str(path))}; allowed there: "
                "letters, digits, spaces and ./+@%,:=_-"
            )


def _watch(
    place: Place,
    before: Progress,
    slots: int,
    process: subprocess.Popen[bytes],
    alone: bool,
) -> int:
    """Shows progress until Snakemake ends, has nothing left to do or lost its place; the status."""
    run = place.run
    keys = [record.key for record in before.records]
    progress = survey(run, keys, slots)
    with Bar(before) as bar:
        while process.poll() is None:
            looked = time.monotonic()
            if place.is_lost():
                process.kill()  # it would still write to the old place
                return _LOST
            progress = survey(run, keys, slots, progress)
            bar.show(progress)
            if alone and all_attempted(before.records, progress) and not _workers(process):
                # Snakemake would take another second to notice that all points have ended.
                processes.signal_group(process.pid, signal.SIGKILL)
                process.wait()
                status = 0
                break
            # A survey of thousands of points takes long: limit it to a twentieth of a core.
            time.sleep(max(_POLL_S, 20 * (time.monotonic() - looked)))
        else:
            status = process.returncode
        bar.show(survey(run, keys, slots, progress))
    return status


def _workers(process: subprocess.Popen[bytes]) -> list[int]:
    """The workers among Snakemake's processes, which still have records to write."""
    family = processes.tree(process.pid)
    return [pid for pid in family if "osgap.points" in processes.command_line(pid)]


def _stop(process: subprocess.Popen[bytes], run: Path, profile: Profile | None) -> None:
    """Ends Snakemake, its workers and their simulators."""
    if profile is None:
        # Snakemake would wait for its points, so the signal goes to them and their simulators too.
        processes.signal_group(process.pid, signal.SIGTERM)
        # Workers alone are waited for: Snakemake's handler may wait forever for its own lock.
        deadline = time.monotonic() + _STOP_S
        while process.poll() is None and _workers(process) and time.monotonic() < deadline:
            time.sleep(_POLL_S)
        if process.poll() is not None:
            processes.end_group(process.pid, _STOP_S)
    processes.signal_group(process.pid, signal.SIGKILL)
    process.wait()
    if profile and profile.executor == "slurm":
        slurm.cancel(run)


def _interrupted(progress: Progress, host: Host) -> str:
    done, total = progress.counts[State.DONE], len(progress.records)
    if not host.again:
        return f"{progress.run}: interrupted; {done} of {counted(total, 'point')} were finished"
    return (
        f"{progress.run}: interrupted; {done} of {counted(total, 'point')} are finished and kept; "
        f"go on with: {shlex.join(host.again)}"
    )


def _clear(run: Path) -> None:
    """Removes the temporary files of an earlier start, and half-written records."""
    for leftover in (".jobs", ".snakemake"):
        shutil.rmtree(run / leftover, ignore_errors=True)
    inputs = [path for path in (run / "inputs").rglob("*") if path.is_dir()]
    for folder in (run, run / "records", run / "plan", run / "inputs", *inputs):
        durable.clear_leftovers(folder)


def _report(progress: Progress, left: Sequence[Record]) -> str:
    done = progress.counts[State.DONE]
    logs = progress.run / "logs" / "snakemake.log"
    failures = [
        f"{r.key}: {r.state}: {r.line or f'see {r.log or logs}'}" for r in left[:_NAMED_FAILURES]
    ]
    if len(left) > _NAMED_FAILURES:
        failures.append(f"and {len(left) - _NAMED_FAILURES} more: osgap status {progress.run}")
    return (
        f"{progress.run}: {done} of {counted(len(progress.records), 'point')} finished, "
        f"{len(left)} failed: {'; '.join(failures) or f'see {logs}'}"
    )


def _move_aside(run: Path, key: str) -> None:
    target = run / "damaged"
    target.mkdir(exist_ok=True)
    number = 1
    while (target / f"{key}.{number}").exists():
        number += 1
    durable.rename(run / POINTS / key, target / f"{key}.{number}")
