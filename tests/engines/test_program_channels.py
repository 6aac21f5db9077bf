# SPDX-License-Identifier: BSD-3-Clause
"""How a user's programs reach a guest after its boot: the engines' three ways, without a guest."""

import hashlib
import json
import random
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.engines import gem5, qemu, rvsim
from osgap.engines.contract import EngineError, Job
from osgap.engines.rvsim_programs import MARK, PAGE, with_programs
from osgap.guest.protocol import Orders
from osgap.image.files import IMAGE_FILES, PROGRAMS_FILE, RECORD, load_image
from osgap.machines.machine import load_machine
from osgap.machines.system import system

SYSTEM = system(load_machine(project_root() / "configs" / "machines" / "base.toml"), 40)
MakeJob = Callable[[bytes | None], Job]


@pytest.fixture
def job(tmp_path: Path) -> MakeJob:
    def make(programs: bytes | None) -> Job:
        files = dict.fromkeys(IMAGE_FILES, b"boot")
        files |= {} if programs is None else {PROGRAMS_FILE: programs}
        (tmp_path / PROGRAMS_FILE).unlink(missing_ok=True)
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
        digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
        (tmp_path / RECORD).write_text(json.dumps({"files": digests}))
        image = load_image(tmp_path)
        orders = Orders("m5", ("program/mine",), ("unix",), {})
        return Job(image, SYSTEM, orders, tmp_path / "cache", tmp_path, 60)

    return make


def page(number: int) -> bytes:
    return (MARK + struct.pack("<Q", number)).ljust(PAGE, b"\0")


def checkpoint(pages: int) -> tuple[bytes, dict[int, int]]:
    """A checkpoint with marked pages in any order among others, and where each of them begins."""
    chance = random.Random(1)
    header, state, places = chance.randbytes(777), b"", {}
    for number in chance.sample(range(pages), pages):
        state += chance.randbytes(PAGE)
        places[number] = len(header) + len(state)
        state += page(number)
    # What looks like the mark, and is no page of its own.
    return header + state + MARK + b"\1" * PAGE, places


def test_an_archive_takes_the_place_of_the_marked_pages_alone() -> None:
    state, places = checkpoint(5)
    programs = random.Random(2).randbytes(3 * PAGE - 100)
    changed = with_programs(state, programs)
    found = b"".join(changed[places[number] : places[number] + PAGE] for number in range(3))
    assert found == programs + bytes(100)
    restored = bytearray(changed)
    for number in range(3):
        restored[places[number] : places[number] + PAGE] = page(number)
    assert bytes(restored) == state


@pytest.mark.parametrize("size", [5 * PAGE + 1, 100 * PAGE])
def test_too_few_pages_are_one_sentence(size: int) -> None:
    state, _ = checkpoint(5)
    with pytest.raises(EngineError, match=rf"program: found {size} bytes, and 5 pages for them"):
        with_programs(state, bytes(size))


def test_rvsim_restores_a_copy_of_the_one_checkpoint(
    job: MakeJob, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(rvsim.Rvsim, "version", lambda _: "1")
    engine, (state, _) = rvsim.Rvsim(), checkpoint(5)
    plain, first = job(None), job(b"first")
    own = engine._state(plain)
    own.parent.mkdir(parents=True)
    own.write_bytes(state)
    assert engine._checkpoint(first.image, SYSTEM, first.cache) == own.parent
    assert engine._state(first) == tmp_path / own.name
    assert (tmp_path / own.name).read_bytes() == with_programs(state, b"first")
    assert own.read_bytes() == state


def test_gem5_reads_programs_and_then_orders(job: MakeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gem5.Gem5, "version", lambda _: "1")
    engine, orders = gem5.Gem5(), job(None).orders.text().encode()
    assert gem5._readfile(job(None)) == orders
    assert gem5._readfile(job(b"two\0words")) == b"programs 9\ntwo\0words" + orders
    kept = [engine._checkpoint(one.image, SYSTEM, one.cache) for one in (job(None), job(b"mine"))]
    assert kept[0] == kept[1]


def test_qemu_gives_them_to_the_kernel(job: MakeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qemu, "program_path", lambda _: "qemu")
    assert "-initrd" not in qemu._arguments(job(None))
    mine = job(b"mine")
    words = qemu._arguments(replace(mine, scratch=mine.cache))
    assert words[words.index("-initrd") + 1] == str(mine.image.programs)
