# SPDX-License-Identifier: BSD-3-Clause
"""What the contract (osgap/engines/contract.py) asks of every engine, as checks of one engine.

Each raises AssertionError for an engine that does not keep it; tests/engines/test_conformance.py
runs them over all engines, and over broken ones.
"""

import os
import re
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from osgap.base import processes
from osgap.engines import checkpoints
from osgap.engines.contract import Engine, EngineError, Failed, Job, Outcome, PointTimeout
from osgap.gem5stats.gem5text import parse
from osgap.guest import protocol
from osgap.machines.system import System

_PATIENCE_S = 5.0


@dataclass(frozen=True)
class Stand:
    """An engine with work for it.

    `job` is short; `endless` does not end within its time limit. `refused` are systems that the
    engine says it cannot represent, with a word of its sentence.
    """

    engine: Engine
    module: str
    job: Job
    endless: Job
    refused: tuple[tuple[System, str], ...] = ()


def attributes(stand: Stand) -> None:
    """They are there, and agree with each other and with the module's name."""
    engine = stand.engine
    assert engine.name == stand.module and re.fullmatch(r"[a-z0-9]+", engine.name)
    assert engine.description and "\n" not in engine.description
    assert engine.marks in protocol.MARKS
    assert isinstance(engine.boots_image, bool) and isinstance(engine.has_timing, bool)
    is_marked = engine.marks != "none"
    assert engine.has_timing == is_marked or not engine.boots_image
    words = [word for pair in engine.environment().items() for word in pair]
    assert all(isinstance(word, str) and "\0" not in word for word in words)


def version(stand: Stand) -> None:
    """One line, the same each time; and one of the build, which may be empty."""
    told = stand.engine.version()
    assert told.strip() == told != "" and "\n" not in told
    assert stand.engine.version() == told
    build = stand.engine.build()
    assert build.strip() == build == stand.engine.build() and "\n" not in build


def refusals(stand: Stand) -> None:
    """A system that can be simulated passes; one that cannot is refused in a sentence."""
    stand.engine.check(stand.job.system)
    for system, word in stand.refused:
        try:
            stand.engine.check(system)
        except EngineError as error:
            assert word in str(error) and "\n" not in str(error)
        except Exception as error:
            raise AssertionError(f"refused by {error!r}, which is no EngineError") from error
        else:
            raise AssertionError(f"a system with another {word} is not refused")


def preparation(stand: Stand) -> None:
    """Done once: the second time nothing is said or changed."""
    first, _ = _prepared(stand)
    before = _times(stand)
    again, said = _prepared(stand)
    assert (again, said) == (first, [])
    # The cache is shared: others may add what is theirs meanwhile.
    assert before.items() <= _times(stand).items()


def damaged_checkpoint(stand: Stand) -> None:
    """Made again, and told so; the cache must be the test's own.

    Of a guest's checkpoint only the largest file is cut, the simulator's state: each cut costs a
    boot. tests/sweep/test_damage.py cuts the others.
    """
    first, _ = _prepared(stand)
    files = [path for path in sorted(stand.job.cache.rglob("*")) if path.is_file()]
    kept = [path for path in files if path.suffix != ".lock"]
    assert bool(kept) == bool(first), "a digest is that of a checkpoint"
    if stand.engine.boots_image:
        kept = sorted(kept, key=lambda path: path.stat().st_size)[-1:]
    for path in kept:
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        _, said = _prepared(stand)
        assert said, f"{path.name} was cut, and nothing was made again"
    stand.engine.run(stand.job)


def with_cache(stand: Stand, cache: Path) -> Stand:
    """Returns the stand with a cache of its own that has a copy of its checkpoint: a boot less."""
    digest, _ = _prepared(stand)
    for path in checkpoints.directory(stand.job.cache, "x").parent.glob(f"{stand.engine.name}-*"):
        if path.is_dir() and checkpoints.digest(path) == digest:
            shutil.copytree(path, checkpoints.directory(cache, path.name))
    return replace(stand, job=replace(stand.job, cache=cache))


def outcome(stand: Stand) -> None:
    """The console is a whole one, and its regions are those of the statistics."""
    _prepared(stand)
    found = stand.engine.run(stand.job)
    assert isinstance(found, Outcome)
    assert found.transcript == protocol.parse(found.console) and found.transcript.samples
    assert found.simulator_s > 0
    if not stand.engine.has_timing:
        assert found.stats == ""
        return
    dumps = list(parse(found.stats.splitlines(), "stats.txt"))
    assert len(dumps) == len(found.transcript.samples)
    assert all(dump.scalars()["simSeconds"] > 0 for dump in dumps)


def repetition(stand: Stand) -> None:
    """The same job gives the same bytes, from an engine with timing."""
    _prepared(stand)
    first, second = (stand.engine.run(job) for job in (stand.job, _elsewhere(stand.job)))
    if stand.engine.has_timing:
        assert (first.console, first.stats) == (second.console, second.stats)
        assert first.files == second.files


def time_limit(stand: Stand) -> None:
    """A point that does not end is broken off, with what its guest has said so far."""
    _prepared(stand)
    try:
        stand.engine.run(stand.endless)
    except Failed as failure:
        assert isinstance(failure.reason, PointTimeout)
        assert protocol.PREFIX in failure.console
        assert "\n" not in str(failure.reason)
    except BaseException as error:
        raise AssertionError(f"broken off by {error!r}, which is no Failed") from error
    else:
        raise AssertionError("an endless point has ended")


def leftovers(stand: Stand) -> None:
    """Nothing is written beside the scratch directory, and no process is left."""
    _prepared(stand)
    beside, children = _names(stand.job.scratch.parent), set(processes.tree(os.getpid()))
    stand.engine.run(stand.job)
    assert _names(stand.job.scratch.parent) == beside
    until = time.monotonic() + _PATIENCE_S
    while (left := set(processes.tree(os.getpid())) - children) and time.monotonic() < until:
        time.sleep(0.05)
    assert not left, [processes.command_line(one) for one in left]


CHECKS: Mapping[str, Callable[[Stand], None]] = {
    check.__name__: check
    for check in (
        attributes,
        version,
        refusals,
        preparation,
        outcome,
        repetition,
        time_limit,
        leftovers,
    )
}
"""Those that change nothing in a cache that is shared; `damaged_checkpoint` is not among them."""


def _prepared(stand: Stand) -> tuple[str, list[str]]:
    said: list[str] = []
    job = stand.job
    return stand.engine.prepare(job.image, job.system, job.cache, said.append), said


def _elsewhere(job: Job) -> Job:
    scratch = job.scratch.with_name("again")
    scratch.mkdir()
    return replace(job, scratch=scratch)


def _times(stand: Stand) -> dict[Path, int]:
    """When each file of the engine's checkpoints was last written."""
    own = checkpoints.directory(stand.job.cache, "x").parent.glob(f"{stand.engine.name}-*")
    files = [file for one in own if one.suffix != ".lock" for file in one.rglob("*")]
    return {file: file.stat().st_mtime_ns for file in files}


def _names(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}
