# SPDX-License-Identifier: BSD-3-Clause
"""Machine files that extend others: what they inherit, and that nothing changed by it."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.machines.machine import Fit, load_machine, machine_files
from osgap.machines.system import system
from osgap.suites.ousterhout.calibration.calibrate import write_fit

MACHINES = project_root() / "configs" / "machines"
WRITTEN_OUT = {
    "base": ("72b3611b9d312d65", "0c25f022731b06b3"),
    "hohmuth": ("fbd47d8b9ff0f693", "650111145f0eb955"),
    "paper/8800": ("2842664284fc2041", "1de34ae5dd4ec8de"),
    "paper/DS3100": ("7f2f9b6ee98f7891", "3444691b52f50d8c"),
    "paper/DS5000": ("f1174881b49fa2f6", "c74ab03ac0398e20"),
    "paper/HP835": ("96590dc01c1a145b", "a41af0b3933eeeca"),
    "paper/M2000": ("02ee2dbaa762b712", "e5856d208a53899e"),
    "paper/MVAX2": ("ac8ee293fb7a4a43", "aa9f0f6dacbb7326"),
    "paper/RT-APC": ("7289fd3665a372ac", "10f8a90266c6bf4e"),
    "paper/SS1": ("aae615bd0ecbe788", "0234b657d36f0f42"),
    "paper/Sun3": ("95e9d755839209f8", "ea6e36f1f994d316"),
    "paper/Sun4": ("71a4f1d8e060232a", "45d3ac80278d3967"),
    "paper-1989/DS3100": ("d681e7dd27dccac2", "3444691b52f50d8c"),
    "paper-1989/Sun4": ("ea524406d476e486", "45d3ac80278d3967"),
    "smp-1": ("4e3e54b843c3d76e", "686da55b19a6efc1"),
    "smp-2": ("18b7cf8cf55159ef", "2a49d142dc21ca5f"),
    "smp-4": ("b61817b40f4ef131", "38f560419c31115a"),
    "smp-8": ("0537bd60cc6701da", "306eb994e1ef5348"),
    "validation/narrow-bus": ("54bde2ed2a67722f", "68f2f45d668a59f7"),
    "validation/pipelined": ("20e8de35091e1a8e", "ca21f8bfe7432806"),
    "validation/tlb512": ("bcdbf58f17a6ec71", "f611a71b8e945369"),
    "validation/tlb8": ("c8083efc574d396f", "929d70232e81f1cd"),
    "validation/wide-bus": ("6969a9a623f269e9", "c4f855a275a80602"),
}
"""Machine -> digests of its values (sources aside) and of its system, before files extended.

Networks came later: test_network.py has their values.
"""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _without_sources(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_sources(one) for key, one in value.items() if key != "source"}
    return value


@pytest.mark.parametrize("name", sorted(WRITTEN_OUT))
def test_a_machine_is_what_it_was_when_its_file_was_written_out(name: str) -> None:
    machine = load_machine(MACHINES / f"{name}.toml")
    written = machine.model_dump(mode="json", exclude={"network"})
    values = json.dumps(_without_sources(written), sort_keys=True)
    found = (_digest(values), _digest(system(machine).model_dump_json()))
    assert found == WRITTEN_OUT[name]


@pytest.fixture
def machines(tmp_path: Path) -> Path:
    return shutil.copytree(MACHINES, tmp_path / "machines")


def _written(machines: Path, name: str, text: str) -> Path:
    path = machines / f"{name}.toml"
    path.write_text(f'description = "{name}"\n{text}')
    return path


def test_only_what_differs_is_written(machines: Path) -> None:
    one = _written(machines, "one", 'extends = "base"\n[cpu]\nwidth = 2\n')
    two = _written(
        machines, "paper/two", 'extends = "one"\n[disk]\nrpm = { value = 5400, source = "x" }\n'
    )
    base, machine = load_machine(machines / "base.toml"), load_machine(two)
    assert machine.description == "paper/two"
    assert machine.cpu == base.cpu.model_copy(update={"width": 2})
    assert (machine.disk.rpm.value, machine.disk.rpm.source) == (5400, "x")
    assert machine.disk.heads == base.disk.heads and machine.l1i == base.l1i
    assert machine_files(two) == (two, one, machines / "base.toml")


def test_a_fit_is_of_its_own_machine_alone(machines: Path) -> None:
    of = _written(machines, "mine", 'extends = "paper/DS3100"\n')
    assert load_machine(machines / "paper" / "DS3100.toml").fit and not load_machine(of).fit
    figure = {"value": 20.0, "source": "fitted"}
    fit = Fit(
        time_scale=2, line_bytes=64, clock_mhz=figure, latency_ns=figure, bandwidth_mb_s=figure
    )
    for _ in range(2):
        write_fit(of, "rvsim", fit)
        assert load_machine(of).fit == {"rvsim": fit}
    assert of.read_text().startswith('description = "mine"\nextends = "paper/DS3100"\n')


@pytest.mark.parametrize(
    ("extends", "words"),
    [
        ('"bse"', "mine.toml: extends: there is no machine 'bse'; did you mean base?"),
        ('"DS3100"', "did you mean paper/DS3100 or period/DS3100"),
        ('"mine"', "mine.toml: extends: found 'mine'; allowed: another file than this one"),
        ("3", "mine.toml: extends: found 3; allowed: the name of a machine"),
        ('"../base"', "mine.toml: extends: found '../base'; allowed: "),
    ],
)
def test_what_cannot_be_extended_is_refused(machines: Path, extends: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_machine(_written(machines, "mine", f"extends = {extends}\n"))
    assert words in str(caught.value)


def test_a_circle_is_refused_by_name(machines: Path) -> None:
    one = _written(machines, "one", 'extends = "two"\n')
    two = _written(machines, "two", 'extends = "one"\n')
    with pytest.raises(ConfigError) as caught:
        load_machine(one)
    assert f"{one} extends {two} extends {one}" in str(caught.value)


@pytest.mark.parametrize(
    ("base", "over", "words"),
    [
        ("[cpu]\nwidth = 0\n", "[l1i]\nhit_cycles = 2\n", "one.toml: cpu.width: found 0"),
        ("[cpu]\nwidth = 2\n", "[cpu]\nspeed = 3\n", "two.toml: cpu.speed: unknown key"),
        ("", "[l1i]\nways = { value = 2 }\n", "two.toml: l1i.ways.source: missing"),
        ("[l1i]\nsize_kib = { value = 15, source = 'x' }\n", "", "one.toml: l1i.size_kib"),
        ("[disk]\nseek_avg_ms = { value = 1, source = 'x' }\n", "", "one.toml: disk.seek_avg"),
        (
            "",
            "speed = 3\n",
            "two.toml: speed: unknown key; allowed: cpu, description, disk, entry, ext",
        ),
    ],
)
def test_a_wrong_key_is_named_with_the_file_that_has_it(
    machines: Path, base: str, over: str, words: str
) -> None:
    _written(machines, "one", f'extends = "base"\n{base}')
    with pytest.raises(ConfigError) as caught:
        load_machine(_written(machines, "two", f'extends = "one"\n{over}'))
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_an_unknown_machine_is_told_what_is_near_in_folders_too() -> None:
    with pytest.raises(
        ConfigError, match="no such file; did you mean paper/DS3100 or period/DS3100"
    ):
        load_machine(MACHINES / "DS3100.toml")


def test_a_missing_description_is_the_files_own(machines: Path) -> None:
    path = machines / "one.toml"
    path.write_text('extends = "base"\n')
    with pytest.raises(ConfigError, match=r"one\.toml: description: missing"):
        load_machine(path)
