# SPDX-License-Identifier: BSD-3-Clause
"""A run directory as a sweep leaves it, made without one, and then damaged in every way."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from files import NO_FILES, bom, changed, damaged, huge, long_line, wide
from hypothesis import strategies as st

from osgap import engines
from osgap.base.paths import project_root
from osgap.engines.contract import Job
from osgap.image.files import no_image
from osgap.machines.machine import load_machine
from osgap.points import record
from osgap.points.record import State
from osgap.rundir import manifest
from osgap.rundir.point import Spec
from osgap.rundir.pointfiles import write_done, write_point
from osgap.sweep.plan import make_plan, write_plan
from osgap.sweep.spec import RunSpec

_CLEAN = (bom, wide, long_line, huge)


CLOCKS_AND_MEMORY = {"clock_mhz": (20, 40), "memory": ("fixed", "scaled")}


def make_run(run: Path, scratch: Path, keys: Mapping[str, Any] = CLOCKS_AND_MEMORY) -> Path:
    """The points of the engine `fake` that a sweep with these keys has; by default three."""
    engine, image = engines.load("fake"), no_image(scratch)
    asked = RunSpec(description="made", engine="fake", machine="base", **keys)
    machine = load_machine(project_root() / "configs" / "machines" / "base.toml")
    plan = make_plan(asked, machine, engine, image)
    run.mkdir()
    write_plan(run, asked, plan, {"starts": (manifest.start(("osgap",), "none"),)})
    for spec in plan.specs:
        _finish(run, spec, scratch)
    return run


def _finish(run: Path, spec: Spec, scratch: Path) -> None:
    engine, image = engines.load("fake"), no_image(scratch)
    job = Job(image, spec.resolved, spec.guest_orders("none"), scratch, scratch, 10)
    point = run / "points" / spec.key
    point.mkdir()
    write_point(point, spec, engine.run(job))
    write_done(point)
    begun = record.begin(spec.key, 1, "")
    record.write(run, record.ended(begun, State.DONE, total_s=1.0, simulator_s=0.5, peak_mib=9))


def files_of(run: Path) -> list[Path]:
    return sorted(path for path in run.rglob("*") if path.is_file())


@st.composite
def damages(draw: Callable[..., Any], run: Path) -> list[tuple[str, str, Any]]:
    """Up to two of them, for `damage`: a file's path in the run, what is done to it, with what."""
    names = [str(path.relative_to(run)) for path in files_of(run)]
    made = []
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True)):
        ways = ["text", "gone", "other", "twice", "no file", "odd"]
        ways += ["value"] * 4 if name.endswith(".json") else ["cell"] * 2
        how = draw(st.sampled_from(ways))
        made.append((name, how, draw(_with(how, run / name, names))))
    return made


def _with(how: str, path: Path, names: list[str]) -> st.SearchStrategy[Any]:
    text = path.read_text()
    return {
        "text": lambda: damaged(text),
        "gone": st.none,
        "other": lambda: st.sampled_from(names),
        "twice": st.none,
        "no file": lambda: st.sampled_from(sorted(NO_FILES)),
        "odd": lambda: st.sampled_from(_CLEAN),
        "value": lambda: changed(json.loads(text)),
        "cell": lambda: _other_cell(text),
    }[how]()


@st.composite
def _other_cell(draw: Callable[..., Any], text: str) -> str:
    """A word of one line exchanged: numbers too large, negative, of other digits, empty."""
    lines = text.splitlines()
    at = draw(st.integers(0, len(lines) - 1))
    cells = lines[at].split(",")
    values = ["", "-1", "0", "nan", "inf", "1e3", "9" * 30, "²", "1_0", " 1", "x" * 2000, "\x1b[2J"]
    cells[draw(st.integers(0, len(cells) - 1))] = draw(st.sampled_from(values))
    return "\n".join([*lines[:at], ",".join(cells), *lines[at + 1 :], ""])


def damage(run: Path, what: list[tuple[str, str, Any]], *, sealed: bool) -> None:
    """Does it. `sealed`: each point's done.json is written again, so that the digests are right."""
    whole = {name: (run / name).read_bytes() for name in {one[0] for one in what}}
    for name, how, by in what:
        path = run / name
        content = whole[name]
        path.unlink()
        if how in ("text", "value", "cell"):
            path.write_bytes(by.encode("utf-8", "surrogatepass"))
        elif how == "other":
            path.write_bytes(whole.get(by) or (run / by).read_bytes())
        elif how == "twice":
            path.write_bytes(content * 2)
        elif how == "no file":
            NO_FILES[by](path)
        elif how == "odd":
            by(path)
    for point in (run / "points").iterdir():
        done = point / "done.json"
        # Of files that are small and files: others have no digest.
        if sealed and done.is_file() and all(p.stat().st_size < 1 << 24 for p in files_of(point)):
            done.unlink()
            write_done(point)


def copied(run: Path, target: Path) -> Path:
    return Path(shutil.copytree(run, target))
