# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps on the fake engine: what runs, what is kept, and how failures are told."""

import json
from pathlib import Path

import pytest
from stderr import sentences
from sweeping import sweep, tell

from osgap.base.paths import project_root
from osgap.rundir.point import Spec, key_of


def _finished(run: Path) -> dict[str, int]:
    return {p.parent.name: p.stat().st_mtime_ns for p in run.glob("points/*/done.json")}


@pytest.mark.slow
def test_axes_make_points_and_finished_ones_are_never_run_again(tmp_path: Path) -> None:
    run = tmp_path / "run"
    axes = ("--cpu-mhz", "20,80", "--memory", "fixed,scaled", "--disk", "fixed,scaled")
    first = sweep(run, *axes)
    assert first.returncode == 0, first.stderr
    points = _finished(run)
    assert len(points) == 5  # at the machine's own clock the four series are one point
    series = json.loads((run / "run.json").read_text())["series"]
    assert {name: len(clocks) for name, clocks in series.items()} == {
        "fixed": 2,
        "memory": 2,
        "disk": 2,
        "both": 2,
    }
    assert len({series[name]["20"] for name in series}) == 1

    again = sweep(run, *axes)
    assert again.returncode == 0 and "finished before" in again.stdout
    assert _finished(run) == points
    wider = sweep(run, *axes[2:], "--cpu-mhz", "20,80,160")
    assert wider.returncode == 0
    after = _finished(run)
    assert len(after) == 9 and points.items() <= after.items()


@pytest.mark.long
def test_a_changed_machine_reruns_what_depends_on_it(tmp_path: Path) -> None:
    machines = tmp_path / "machines"
    machines.mkdir()
    text = (project_root() / "configs" / "machines" / "base.toml").read_text()
    (machines / "base.toml").write_text(text)
    run = tmp_path / "run"
    options = ("--machines", str(machines), "--cpu-mhz", "20,80", "--memory", "fixed,scaled")
    assert sweep(run, *options).returncode == 0
    before = _finished(run)
    (machines / "base.toml").write_text(
        text.replace("rpm = { value = 3600", "rpm = { value = 5400")
    )
    assert sweep(run, *options).returncode == 0
    current = set(json.loads((run / "run.json").read_text())["points"])
    assert not current & set(before) and current <= set(_finished(run))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("benchmark", "failure"),
    [
        ("panic", "guest-panic"),
        pytest.param("hang", "timed-out", marks=pytest.mark.long),
        pytest.param("fail", "guest-error", marks=pytest.mark.long),
        ("silent", "guest-error"),
    ],
)
def test_failures_have_names_and_finished_points_stay(
    tmp_path: Path, benchmark: str, failure: str
) -> None:
    run = tmp_path / "run"
    assert sweep(run, "--cpu-mhz", "20").returncode == 0
    before = _finished(run)
    failed = sweep(run, "--cpu-mhz", "40", "--run", f"checks,{benchmark}")
    assert failed.returncode == 2
    assert failure in failed.stderr and "Traceback" not in failed.stderr
    assert len(sentences(failed.stderr)) == 1
    assert _finished(run) == before and not list(run.glob("points/.*"))
    record = json.loads(next((run / "records").glob("40mhz-*.json")).read_text())
    assert record["state"] == failure and (run / record["log"]).is_file()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--machine", "cray"), "there is no machine 'cray'; known: base, "),
        (("--cpu-mhz", "0"), "--cpu-mhz: found 0;"),
        (("--memory", "faster"), "memory"),
        (("--fs", "ntfs"), "unix, sprite"),
        (("--engine", "spim"), "rvsim"),
        (("--engine", "rvsim", "--image", "nowhere"), "scons image"),
        (("--sweep", "configs/sweeps/none.toml"), "no such file"),
        (("--machine", "../../etc"), "machine"),
        (("--machine", "validation/cray"), "there is no machine 'validation/cray'; did you mean"),
        (("--machine", "validation/../base"), "machine"),
        (("--run", "x;touch pwned"), "run"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    result = sweep(tmp_path / "run", *arguments)
    assert result.returncode == 2
    assert words in result.stderr and len(sentences(result.stderr)) == 1


def test_a_clock_that_rvsim_cannot_have_is_refused(tmp_path: Path) -> None:
    from osgap.engines import load
    from osgap.engines.contract import EngineError
    from osgap.machines.machine import load_machine
    from osgap.machines.system import system

    machine = load_machine(project_root() / "configs" / "machines" / "base.toml")
    with pytest.raises(EngineError, match=r"33 MHz.*multiples of 10 MHz"):
        load("rvsim").check(system(machine, 33))


def test_every_sweep_file_loads() -> None:
    from osgap.machines.machine import load_machine
    from osgap.sweep.spec import each_run, load_sweep

    machines = project_root() / "configs" / "machines"
    files = list((project_root() / "configs" / "sweeps").glob("*.toml"))
    assert {"default", "quick"} <= {f.stem for f in files}
    for file in files:
        for part in each_run(load_sweep(file)).values():
            assert load_machine(machines / f"{part.machine}.toml").description


@pytest.mark.slow
def test_several_machines_make_a_run_each(tmp_path: Path) -> None:
    run = tmp_path / "run"
    done = sweep(run, "--machine", "base,validation/tlb8", "--disk", "fixed,scaled")
    assert done.returncode == 0, done.stderr
    for name in ("base", "tlb8"):
        record = json.loads((run / name / "run.json").read_text())
        assert record["series"] == {
            "fixed": {"20": record["points"][0]},
            "disk": {"20": record["points"][0]},
        }
        assert len(_finished(run / name)) == 1
    same = sweep(run, "--machine", "paper/MVAX2,period/MVAX2")
    assert same.returncode == 2 and "names that differ" in same.stderr


def test_a_wrong_machine_file_ends_a_sweep_before_its_first_run(tmp_path: Path) -> None:
    machines = tmp_path / "machines"
    machines.mkdir()
    text = (project_root() / "configs" / "machines" / "base.toml").read_text()
    (machines / "base.toml").write_text(text)
    (machines / "second.toml").write_text('extends = "base"\n[memory]\nlatency_ns = 9\n')
    run = tmp_path / "run"
    failed = sweep(run, "--machines", str(machines), "--machine", "base,second")
    assert failed.returncode == 2 and "second.toml: memory.latency_ns: found 9" in failed.stderr
    assert not (run / "base").exists()


@pytest.mark.slow
@pytest.mark.parametrize("field", ["engine_version", "image_digest"])
def test_a_point_planned_for_another_engine_or_image_is_not_run(tmp_path: Path, field: str) -> None:
    import shutil

    run = tmp_path / "run"
    assert sweep(run, "--cpu-mhz", "20").returncode == 0
    (plan,) = (run / "plan").glob("*.json")
    shutil.rmtree(run / "points" / plan.stem)
    data = {**json.loads(plan.read_text()), field: "older"}
    spec = Spec.model_validate(data)
    key = key_of(
        spec.engine,
        spec.engine_version,
        spec.image_digest,
        spec.axes,
        spec.resolved,
        spec.orders,
    )
    (run / "plan" / f"{key}.json").write_text(json.dumps({**data, "key": key}))
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**record, "points": [key], "series": {}}))
    again = tell("resume", run)
    assert again.returncode == 2
    assert "changed since the sweep was planned" in again.stderr and "older" in again.stderr
