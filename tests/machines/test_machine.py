# SPDX-License-Identifier: BSD-3-Clause
"""Machine files: what they give a point, and what is refused in which words."""

from pathlib import Path

import pytest

from osgap.base.config import ConfigError
from osgap.base.paths import project_root
from osgap.machines.machine import load_machine
from osgap.machines.system import system

BASE = project_root() / "configs" / "machines" / "base.toml"
HARTS = (1, 2, 4, 8, 12)


def _edited(tmp_path: Path, old: str, new: str) -> Path:
    text = BASE.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "edited.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize("path", sorted(BASE.parent.rglob("*.toml")), ids=lambda p: p.stem)
def test_every_machine_file_loads(path: Path) -> None:
    machine = load_machine(path)
    assert system(machine).clock_mhz == machine.cpu.clock_mhz.value * machine.time_scale


def test_scaled_parts_follow_the_clock_and_fixed_ones_do_not() -> None:
    machine = load_machine(BASE)
    slow, fast = system(machine, 20), system(machine, 640, "scaled", "scaled")
    fixed = system(machine, 640)
    assert fast.memory.latency_ns == slow.memory.latency_ns / 32
    assert fast.memory.bandwidth_mb_s == slow.memory.bandwidth_mb_s * 32
    assert fast.disk.rotation_ns == round(slow.disk.rotation_ns / 32)
    assert fast.disk.seek_full_ns == round(slow.disk.seek_full_ns / 32)
    assert fast.disk.sectors_per_track == slow.disk.sectors_per_track
    assert (fixed.memory, fixed.disk) == (slow.memory, slow.disk)


def test_full_seek_gives_the_average_seek() -> None:
    disk = load_machine(BASE).disk
    resolved = system(load_machine(BASE)).disk
    cylinders = range(0, resolved.cylinders, 7)
    seeks = [
        resolved.seek_track_ns
        + (resolved.seek_full_ns - resolved.seek_track_ns)
        * ((abs(a - b) - 1) / (resolved.cylinders - 1)) ** 0.5
        for a in cylinders
        for b in cylinders
        if a != b
    ]
    assert sum(seeks) / len(seeks) == pytest.approx(disk.seek_avg_ms.value * 1e6, rel=0.02)


def test_time_scale_multiplies_rates_and_divides_latencies(tmp_path: Path) -> None:
    machine = load_machine(_edited(tmp_path, "time_scale = 1", "time_scale = 20"))
    one, twenty = system(load_machine(BASE)), system(machine)
    assert twenty.clock_mhz == 20 * one.clock_mhz
    assert twenty.memory.latency_ns == one.memory.latency_ns / 20
    assert twenty.disk.rotation_ns == round(one.disk.rotation_ns / 20)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[cpu]", "[cpu]\nspeed = 3", ["cpu.speed", "unknown key", "clock_mhz"]),
        ("width = 1", "width = 0", ["cpu.width", "found 0"]),
        ("rpm = { value = 3600", "rpm = { value = 5", ["disk.rpm", "60 to 100000"]),
        ("ways = { value = 2", "ways = { value = 1.5", ["l1i.ways", "whole number"]),
        ("size_kib = { value = 32", "size_kib = { value = 15", ["l1i.size_kib", "power of two"]),
        ("seek_avg_ms = { value = 16", "seek_avg_ms = { value = 1", ["seek_avg_ms", "or more"]),
        ('core = "in-order"', 'core = "quick"', ["cpu.core", "found 'quick'", "out-of-order"]),
        ('source = "assumed" }', 'source = "" }', ["source"]),
        ("[disk]", "[disk", ["not readable as TOML"]),
    ],
)
def test_a_bad_machine_file_is_named(tmp_path: Path, old: str, new: str, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        load_machine(_edited(tmp_path, old, new))
    message = str(caught.value)
    assert "edited.toml" in message and "\n" not in message
    for word in words:
        assert word in message


def test_an_unknown_machine_lists_those_that_exist() -> None:
    with pytest.raises(ConfigError, match=r"known: .*base"):
        load_machine(BASE.with_name("cray.toml"))


def test_harts_are_part_of_a_system_only_where_there_are_several(tmp_path: Path) -> None:
    one = system(load_machine(BASE))
    four = system(load_machine(_edited(tmp_path, "width = 1", "width = 1\nharts = 4")))
    assert one.harts == 1 and "harts" not in one.model_dump()
    assert four.model_dump() == {**one.model_dump(), "harts": 4}
    with pytest.raises(ConfigError, match=r"cpu\.harts"):
        load_machine(_edited(tmp_path, "width = 1", "width = 1\nharts = 3"))


def test_the_multiprocessors_differ_in_their_harts_alone() -> None:
    systems = {n: system(load_machine(BASE.with_name(f"smp-{n}.toml"))) for n in HARTS}
    assert {n: found.harts for n, found in systems.items()} == {n: n for n in HARTS}
    alike = [found.model_copy(update={"harts": 1}) for found in systems.values()]
    assert all(found == alike[0] for found in alike)
