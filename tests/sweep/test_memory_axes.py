# SPDX-License-Identifier: BSD-3-Clause
"""Memory's latency and bandwidth as axes: values, systems, names, and a sweep of them."""

import json
from pathlib import Path

import pytest
from stderr import sentences
from sweeping import done, sweep, tell

from osgap import engines
from osgap.base.config import ConfigError, validate
from osgap.base.paths import project_root
from osgap.engines import rvsim, rvsim_config, rvsim_memory
from osgap.engines.contract import Engine, EngineError, latency_cycles
from osgap.image.files import Image
from osgap.machines.axes import FIGURES
from osgap.machines.axis_values import amount
from osgap.machines.machine import Machine, load_machine
from osgap.machines.system import system
from osgap.rundir.load import load_run
from osgap.rundir.point import Spec, parse_spec
from osgap.suites import analyze
from osgap.sweep.plan import Plan, make_plan
from osgap.sweep.spec import RunSpec, SweepFile, each_run, load_sweep

ROOT = project_root()
MACHINES = ROOT / "configs" / "machines"
BASE = load_machine(MACHINES / "base.toml")
RUN = {"description": "x", "machine": "base", "engine": "fake"}


def _asked(**axes: object) -> RunSpec:
    return validate({**RUN, **axes}, RunSpec, "f")


def _plan(engine: Engine | None = None, machine: Machine = BASE, **axes: object) -> Plan:
    reference = machine.reference and load_machine(MACHINES / f"{machine.reference}.toml")
    image = Image(Path(), Path(), "none")
    return make_plan(
        _asked(**axes), machine, engine or engines.load("fake"), image, reference or None
    )


def _memory(spec: Spec) -> tuple[float, float]:
    return spec.resolved.memory.latency_ns, spec.resolved.memory.bandwidth_mb_s


@pytest.mark.parametrize("kind", [SweepFile, RunSpec])
def test_values_are_numbers_or_multiples(kind: type[RunSpec]) -> None:
    asked = validate({**RUN, "latency_ns": [100, 62.5, "x0.50", "x2"]}, kind, "f")
    assert asked.latency_ns == (100.0, 62.5, "x0.5", "x2") and asked.bandwidth_mb_s is None
    again = validate(asked.model_dump(mode="json"), kind, "f")
    assert again == asked
    assert "bandwidth_mb_s" not in asked.model_dump(mode="json")


@pytest.mark.parametrize("axis", ["latency_ns", "bandwidth_mb_s"])
@pytest.mark.parametrize(
    "value",
    [
        0,
        0.9,
        -1,
        1e9,
        True,
        None,
        [],
        "",
        "x",
        "x0",
        "x-1",
        "x1e3",
        "x1001",
        "x0.0009",
        "2x",
        "X2",
        "x²",
        "x 2",
        " x2",
        "x2\n",
        "200",
        float("nan"),
        float("inf"),
        "x" + "9" * 400,
    ],
)
def test_other_values_are_refused_in_words(axis: str, value: object) -> None:
    with pytest.raises(ConfigError) as caught:
        _asked(**{axis: [200, value]})
    told = str(caught.value)
    assert told.startswith(f"f: {axis}.1: found ") and "\n" not in told
    assert "allowed: a number from 1 to 1" in told and "x0.001 to x1000" in told


@pytest.mark.parametrize(
    ("values", "words"),
    [([], "at least 1"), ([100, 100.0], "each value once"), (["x2", "x2.0"], "each value once")],
)
def test_lists_without_values_or_with_one_twice_are_refused(
    values: list[object], words: str
) -> None:
    with pytest.raises(ConfigError, match=rf"latency_ns.*{words}"):
        _asked(latency_ns=values)


def test_two_values_that_are_one_on_the_machine_are_refused() -> None:
    told = "latency_ns: found x1, 200.0; allowed: values that differ on this machine"
    with pytest.raises(ConfigError, match=told):
        _plan(latency_ns=["x1", 200])
    with pytest.raises(ConfigError, match="values that differ"):
        _plan(bandwidth_mb_s=[123456.1, 123456.2])


def test_a_multiple_of_a_figure_has_that_figures_limits() -> None:
    latency = FIGURES[0]
    assert amount(latency, "x0.5", BASE.memory) == 100
    with pytest.raises(ConfigError, match=r"found x600, 120000 ns .* allowed: 1 to 100000 ns"):
        _plan(latency_ns=["x600"])
    with pytest.raises(ConfigError, match=r"bandwidth_mb_s: found x0\.002, 0\.8 MB/s"):
        _plan(bandwidth_mb_s=["x0.002"])


def test_each_combination_is_a_point_with_that_memory() -> None:
    plan = _plan(clock_mhz=[40, 320], latency_ns=["x0.5", 200], bandwidth_mb_s=[400, "x2"])
    found = {(s.axes.clock_mhz, *_memory(s)) for s in plan.specs}
    assert found == {
        (clock, latency, bandwidth)
        for clock in (40, 320)
        for latency in (100, 200)
        for bandwidth in (400, 800)
    }
    assert {name: len(clocks) for name, clocks in plan.series.items()} == {
        "fixed-lat100": 2,
        "fixed-lat100-bw800": 2,
        "fixed": 2,
        "fixed-bw800": 2,
    }


def test_scaled_memory_is_scaled_from_the_value() -> None:
    plan = _plan(clock_mhz=[20, 80], memory=["fixed", "scaled"], latency_ns=[100])
    by_key = {spec.key: spec for spec in plan.specs}
    assert plan.series.keys() == {"fixed-lat100", "memory-lat100"}
    assert _memory(by_key[plan.series["fixed-lat100"]["80"]]) == (100, 400)
    assert _memory(by_key[plan.series["memory-lat100"]["80"]]) == (25, 1600)
    assert plan.series["fixed-lat100"]["20"] == plan.series["memory-lat100"]["20"]


def test_equal_systems_are_one_point_whatever_leads_there() -> None:
    # At 40 MHz half of 200 ns is what 200 ns is when it is scaled; the bandwidths differ.
    plan = _plan(
        clock_mhz=[40],
        memory=["fixed", "scaled"],
        latency_ns=["x1", "x0.5"],
        bandwidth_mb_s=["x1", "x2"],
    )
    assert plan.series["fixed-lat100-bw800"] == plan.series["memory"]
    assert len(plan.specs) == 7


def test_names_say_what_is_not_the_machines_own_and_keys_stay() -> None:
    plain = _plan(clock_mhz=[320]).specs[0]
    own = _plan(clock_mhz=[320], latency_ns=["x1"], bandwidth_mb_s=[400]).specs[0]
    assert own == plain and set(plain.model_dump()["axes"]) == {
        "clock_mhz",
        "memory",
        "disk",
        "seed",
    }
    (apart,) = _plan(clock_mhz=[320], latency_ns=[100], bandwidth_mb_s=["x2"]).specs
    assert apart.key.startswith("320mhz-lat100-bw800-") and len(apart.key) < 40
    content = json.dumps(apart.model_dump(mode="json")).encode()
    assert parse_spec(content, apart.key, "f") == apart
    changed = json.loads(content)
    changed["axes"]["latency_ns"] = 50
    with pytest.raises(ConfigError, match="f: key: found '320mhz-lat100-bw800-"):
        parse_spec(json.dumps(changed).encode(), apart.key, "f")


def test_a_figure_of_many_digits_times_one_is_itself() -> None:
    figure = BASE.memory.latency_ns.model_copy(update={"value": 600 / 7})
    memory = BASE.memory.model_copy(update={"latency_ns": figure})
    machine = BASE.model_copy(update={"memory": memory})
    assert _plan(machine=machine, latency_ns=["x1"]) == _plan(machine=machine)


def test_a_scaled_machines_values_are_in_its_own_time() -> None:
    machine = BASE.model_copy(update={"time_scale": 10.0})
    memory = system(machine, latency_ns=100, bandwidth_mb_s="x2").memory
    assert (memory.latency_ns, memory.bandwidth_mb_s) == (10, 8000)


def test_memory_scaled_to_a_reference_takes_multiples_alone() -> None:
    machine = load_machine(MACHINES / "paper" / "DS3100.toml")
    once, half = (
        next(s for s in _plan(machine=machine, memory=["scaled"], latency_ns=[x]).specs)
        for x in ("x1", "x0.5")
    )
    assert _memory(half)[0] == pytest.approx(_memory(once)[0] / 2)
    assert _memory(half)[1] == _memory(once)[1]
    with pytest.raises(ConfigError, match="found 100 beside memory scaled to the machine's refer"):
        _plan(machine=machine, memory=["scaled"], latency_ns=[100])


def test_a_dram_model_has_its_own_timing() -> None:
    memory = BASE.memory.model_copy(update={"model": "DDR3_1600"})
    machine = BASE.model_copy(update={"memory": memory})
    with pytest.raises(ConfigError, match=r"bandwidth_mb_s: found beside memory\.model"):
        system(machine, bandwidth_mb_s="x2")


def test_a_latency_of_few_cycles_may_be_a_third_of_one_off() -> None:
    """A core's fastest memory, 2 cycles, is that of a machine a little faster or slower too."""
    assert latency_cycles(system(BASE, 40, latency_ns=44), 2, "") == 2
    assert latency_cycles(system(BASE, 40, latency_ns=58), 2, "") == 2
    for latency_ns in (41, 59):
        with pytest.raises(EngineError, match=r"allowed by two or more"):
            latency_cycles(system(BASE, 40, latency_ns=latency_ns), 2, "two or more")


def test_rvsim_is_given_the_values_and_refuses_parts_of_cycles() -> None:
    resolved = system(BASE, 320, latency_ns="x0.5", bandwidth_mb_s=800)
    controller = rvsim_config.config(resolved).memory_controller
    assert controller.latency + rvsim_memory.MISS_PATH_CYCLES == 32
    assert controller.bandwidth_gib_s == pytest.approx(800e6 / 2**30)
    told = r"found 110 ns, 4\.40 cycles at 40 MHz; allowed by rvsim: within 5 %, or a third"
    with pytest.raises(EngineError, match=told):
        _plan(rvsim.Rvsim(), clock_mhz=[40], latency_ns=[110])
    with pytest.raises(EngineError, match=r"found 100 ns, 2\.00 cycles at 20 MHz; allowed by rvs"):
        _plan(rvsim.Rvsim(), clock_mhz=[20], latency_ns=["x0.5"])


def test_the_committed_sweep_is_one_that_rvsim_takes() -> None:
    sweep = load_sweep(ROOT / "configs" / "sweeps" / "memory-apart.toml")
    (asked,) = each_run(sweep).values()
    assert asked.run == load_sweep(ROOT / "configs" / "sweeps" / "quick.toml").run
    plan = make_plan(asked, BASE, rvsim.Rvsim(), Image(Path(), Path(), "none"))
    assert len(plan.specs) == 18 and len(plan.series) == 9
    assert all(set(clocks) == {"40", "320"} for clocks in plan.series.values())


@pytest.mark.long
def test_a_sweep_of_both_is_planned_run_resumed_and_analysed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    axes = ("--cpu-mhz", "40,320", "--latency-ns", "x0.5,200", "--bandwidth-mb-s", "400,x2")
    made = sweep(run, *axes)
    assert made.returncode == 0, made.stderr
    keys = done(run)
    assert len(keys) == 8
    assert {key.rpartition("-")[0] for key in keys} == {
        f"{clock}mhz{rest}"
        for clock in (40, 320)
        for rest in ("", "-lat100", "-bw800", "-lat100-bw800")
    }
    record = json.loads((run / "run.json").read_text())
    assert record["sweep"]["latency_ns"] == ["x0.5", 200.0]
    assert tell("resume", run).returncode == 0
    tables = analyze(load_run(run))
    points = tables["points"][["key", "clock_mhz", "latency_ns", "bandwidth_mb_s"]]
    times = tables["times"].merge(points.drop_duplicates(), on="key")
    own = times[(times["benchmark"] == "cswitch") & (times["clock_mhz"] == 40)]
    by = own.set_index(["latency_ns", "bandwidth_mb_s"])["ns_per_op"]
    # The fake engine waits 400 times for memory, and moves nothing.
    assert by[200, 400] - by[100, 400] == pytest.approx(400 * 100, rel=1e-3)
    assert by[200, 400] == pytest.approx(by[200, 800])
    again = sweep(run, *axes)
    assert again.returncode == 0 and sorted(done(run)) == sorted(keys)


@pytest.mark.slow
def test_bad_axes_are_one_sentence(tmp_path: Path) -> None:
    for words in (("--latency-ns", "quick"), ("--latency-ns", "x0"), ("--bandwidth-mb-s", "1,1")):
        result = sweep(tmp_path / "run", *words)
        assert result.returncode == 2 and not (tmp_path / "run").exists()
        assert len(sentences(result.stderr)) == 1
