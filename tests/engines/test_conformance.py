# SPDX-License-Identifier: BSD-3-Clause
"""Every engine that is found keeps the contract; broken ones are seen not to."""

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import conformance
import pytest
from conformance import CHECKS, Stand

from osgap import engines
from osgap.base.paths import cache_directory, project_root
from osgap.engines.contract import Engine, EngineError, Failed, Job, Outcome
from osgap.engines.fake import Fake
from osgap.guest.protocol import Orders
from osgap.guest.records import Sample
from osgap.image.files import Image
from osgap.machines.machine import load_machine
from osgap.machines.system import System, system

BASE = system(load_machine(project_root() / "configs" / "machines" / "base.toml"))
REFUSED: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "fake": ({"clock_mhz": 20000.0}, "clock 20000 MHz"),
    "rvsim": ({"clock_mhz": 33.0}, "clock 33 MHz"),
    "gem5": ({"width": 2}, "cpu.width: found 2"),
}
"""A change to the base machine that the engine refuses, and how."""
SHORT: Mapping[str, Any] = {"run": ("checks/empty_loop", "ousterhout/getpid")}
ENDLESS: Mapping[str, Any] = {
    "run": ("ousterhout/getpid",),
    "sets": {"getpid.count": 900000000},
}
COMPUTED_ENDLESS: Mapping[str, Any] = {"run": ("hang",)}
"""For an engine without a guest: the fake one's word for it."""


_RUNS = ("leftovers", "outcome", "repetition")
"""Checks that run the short job, the last one twice."""


def _marks(name: str) -> tuple[pytest.MarkDecorator, ...]:
    """The markers of an engine that boots the image."""
    marks = {"rvsim": pytest.mark.rvsim, "qemu": pytest.mark.qemu, "gem5": pytest.mark.gem5}
    return (marks.get(name, pytest.mark.image),)


_LEVELS = {"time_limit": (pytest.mark.long,)}
"""Checks that keep a processor busy, of engines that boot the image."""


def _cases() -> list[Any]:
    """Engine and check; those that boot the image have their markers."""
    cases = []
    for name in engines.names():
        boots = engines.load(name).boots_image
        own = _marks(name) if boots else ()
        cases += [
            pytest.param(
                name,
                check,
                id=f"{name}-{check}",
                marks=[*own, *_LEVELS.get(check, ())] if boots else (),
            )
            for check in CHECKS
            # test_attributes does without an image, and _RUNS are checked in one test.
            if check != "attributes" and not (boots and check in _RUNS)
        ]
    return cases


def _stand(engine: Engine, image: Image, cache: Path, directory: Path, module: str) -> Stand:
    numbers = count()

    def job(changes: Mapping[str, Any], timeout_s: float) -> Job:
        scratch = directory / f"job-{next(numbers)}" / "scratch"
        scratch.mkdir(parents=True)
        orders = Orders(engine.marks, fs=("unix",), disk=BASE.disk.model_dump(), **changes)
        return Job(image, BASE, orders, cache, scratch, timeout_s)

    endless = ENDLESS if engine.boots_image else COMPUTED_ENDLESS
    change, word = REFUSED.get(module, ({}, ""))
    refused = ((BASE.model_copy(update=dict(change)), word),) if word else ()
    # On a busy host even QEMU boots for seconds; rvsim goes on where the guest has booted.
    limit_s = {"fake": 3, "rvsim": 5}.get(module, 10.0)
    return Stand(engine, module, job(SHORT, 600), job(endless, limit_s), refused)


MakeStand = Callable[[str], Stand]


@pytest.fixture
def stand(request: pytest.FixtureRequest, tmp_path: Path) -> MakeStand:
    """stand(name): the engine of that name, on this checkout's image if it boots one."""

    def make(name: str) -> Stand:
        engine = engines.load(name)
        if name == "gem5":
            request.getfixturevalue("real_gem5")
        if not engine.boots_image:
            return _stand(engine, engine.image(tmp_path), tmp_path / "cache", tmp_path, name)
        image = request.getfixturevalue("image")
        return _stand(engine, image, cache_directory(), tmp_path, name)

    return make


def test_the_engines_are_those_that_have_a_module() -> None:
    assert {"fake", "gem5", "qemu", "rvsim"} <= set(engines.names())
    assert all(isinstance(engines.load(name), Engine) for name in engines.names())
    with pytest.raises(EngineError, match="there is no engine 'rvsin'; did you mean rvsim"):
        engines.load("rvsin")


@pytest.mark.parametrize("name", engines.names())
def test_attributes(name: str, tmp_path: Path) -> None:
    engine = engines.load(name)
    nothing = Image(tmp_path, tmp_path, "none")
    conformance.attributes(_stand(engine, nothing, tmp_path, tmp_path, name))


@pytest.mark.parametrize(("name", "check"), _cases())
def test_an_engine_keeps_the_contract(stand: MakeStand, name: str, check: str) -> None:
    CHECKS[check](stand(name))


class RunsOnce:
    """An engine that has run a job in some directory, and remembers the outcome."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.outcomes: dict[Path, Outcome] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def run(self, job: Job) -> Outcome:
        if job.scratch not in self.outcomes:
            self.outcomes[job.scratch] = self.engine.run(job)
        return self.outcomes[job.scratch]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=_marks(name))
        for name in engines.names()
        if engines.load(name).boots_image
    ],
)
def test_an_engine_that_boots_keeps_the_contract_in_its_runs(stand: MakeStand, name: str) -> None:
    """Two runs of the short job serve all checks of it."""
    own = stand(name)
    engine = RunsOnce(own.engine)
    for check in _RUNS:
        CHECKS[check](replace(own, engine=engine))
    assert len(engine.outcomes) == 2


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=(*_marks(n), pytest.mark.long) if engines.load(n).boots_image else ())
        for n in engines.names()
    ],
)
def test_a_damaged_checkpoint_is_made_again(stand: MakeStand, name: str, tmp_path: Path) -> None:
    apart = conformance.with_cache(stand(name), tmp_path / "own")
    conformance.damaged_checkpoint(apart)


class LosesADump(Fake):
    def run(self, job: Job) -> Outcome:
        found = super().run(job)
        mark = "---------- Begin"
        return replace(found, stats=found.stats[: found.stats.rindex(mark)])


class NeverTheSame(Fake):
    runs = count(1)

    def run(self, job: Job) -> Outcome:
        found = super().run(job)
        return replace(found, console=found.console.replace("irqs=0", f"irqs={next(self.runs)}"))


class AnotherTranscript(Fake):
    def run(self, job: Job) -> Outcome:
        found = super().run(job)
        return replace(
            found, transcript=replace(found.transcript, rows={**found.transcript.rows, Sample: ()})
        )


class BreaksOffItsOwnWay(Fake):
    def run(self, job: Job) -> Outcome:
        try:
            return super().run(job)
        except Failed as failure:
            raise TimeoutError(str(failure)) from None


class SaysNothingOfTheGuest(Fake):
    def run(self, job: Job) -> Outcome:
        try:
            return super().run(job)
        except Failed as failure:
            raise Failed(failure.reason, "") from None


class RefusesItsOwnWay(Fake):
    def check(self, system: System) -> None:
        assert system.clock_mhz < 10000


class RefusesNothing(Fake):
    def check(self, system: System) -> None:
        pass


class CalledOtherwise(Fake):
    name = "other"


class TellsTheGuestNonsense(Fake):
    marks = "fake"


class LeavesAProcess(Fake):
    def run(self, job: Job) -> Outcome:
        self.left = subprocess.Popen(["sleep", "30"])
        return super().run(job)


class LeavesAFile(Fake):
    def run(self, job: Job) -> Outcome:
        (job.scratch.parent / "left").touch()
        return super().run(job)


class BootsEachTime(Fake):
    def prepare(self, image: Image, system: System, cache: Path, say: Any) -> str:
        say("booting")
        return super().prepare(image, system, cache, say)


class TrustsItsCache(Fake):
    def prepare(self, image: Image, system: System, cache: Path, say: Any) -> str:
        (cache / "state").parent.mkdir(exist_ok=True)
        if not (cache / "state").exists():
            (cache / "state").write_text("ready")
        return "digest"


class VersionOfTheMoment(Fake):
    moments = count()

    def version(self) -> str:
        return str(next(self.moments))


class PreloadsANumber(Fake):
    def environment(self) -> Mapping[str, Any]:
        return {"OSGAP_LEVEL": 2}


class BuildOfTheMoment(Fake):
    moments = count()

    def build(self) -> str:
        return str(next(self.moments))


BROKEN: Mapping[str, tuple[type[Fake], ...]] = {
    "attributes": (CalledOtherwise, TellsTheGuestNonsense, PreloadsANumber),
    "version": (VersionOfTheMoment, BuildOfTheMoment),
    "refusals": (RefusesItsOwnWay, RefusesNothing),
    "preparation": (BootsEachTime,),
    "damaged_checkpoint": (TrustsItsCache,),
    "outcome": (LosesADump, AnotherTranscript),
    "repetition": (NeverTheSame,),
    "time_limit": (BreaksOffItsOwnWay, SaysNothingOfTheGuest),
    "leftovers": (LeavesAProcess, LeavesAFile),
}


@pytest.mark.parametrize(
    ("check", "engine"),
    [(check, engine) for check, broken in BROKEN.items() for engine in broken],
)
def test_a_broken_engine_is_seen(
    check: str, engine: type[Fake], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conformance, "_PATIENCE_S", 0.1)
    broken = engine()
    own = _stand(broken, broken.image(tmp_path), tmp_path / "cache", tmp_path, "fake")
    with pytest.raises(AssertionError):
        getattr(conformance, check)(own)
    if isinstance(broken, LeavesAProcess):
        broken.left.kill()
        broken.left.wait()


def test_every_check_has_a_broken_engine() -> None:
    assert set(BROKEN) == {*CHECKS, "damaged_checkpoint"}
