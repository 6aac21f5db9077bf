# SPDX-License-Identifier: BSD-3-Clause
"""The gem5 engine against a program that behaves as gem5 does: finding it, and its failures."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from forks import osgap
from outcomes import regions

from osgap.base import durable
from osgap.base.paths import project_root
from osgap.engines import load
from osgap.engines.contract import EngineError, Failed, Job, PointTimeout
from osgap.guest.protocol import GuestPanic, NoEndMarker, Orders
from osgap.image.files import IMAGE_FILES, Image
from osgap.machines.machine import load_machine
from osgap.machines.system import System, system

ROOT = project_root()
FAKE = Path(__file__).parent / "fake_gem5"
BASE = load_machine(ROOT / "configs" / "machines" / "base.toml")


usual = partial(pytest.param, marks=pytest.mark.slow)
"""A case of the usual level: each starts two processes."""


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """fake(mode) makes $GEM5 the fake and says what it does; calls go to tmp_path/calls."""

    def set_mode(mode: str = "ok") -> None:
        monkeypatch.setenv("GEM5", str(FAKE))
        monkeypatch.setenv("FAKE_GEM5", mode)
        monkeypatch.setenv("FAKE_GEM5_RECORD", str(tmp_path / "calls"))

    return set_mode


@pytest.fixture
def job(tmp_path: Path) -> Job:
    image = tmp_path / "image"
    image.mkdir()
    for name in IMAGE_FILES:
        (image / name).write_text(name)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    resolved = system(BASE, 40)
    orders = Orders("m5", ("ousterhout/getpid",), ("unix",), resolved.disk.model_dump())
    guest_image = Image(image / "Image", image / "fw_jump.bin", "digest")
    return Job(guest_image, resolved, orders, tmp_path / "cache", scratch, 60)


def _calls(tmp_path: Path) -> list[dict]:
    return [json.loads(line) for line in (tmp_path / "calls").read_text().splitlines()]


def _run(job: Job):
    engine = load("gem5")
    engine.prepare(job.image, job.system, job.cache, lambda text: None)
    return engine.run(job)


@pytest.mark.slow
def test_a_point_is_booted_once_restored_and_its_dumps_kept(fake, job, tmp_path) -> None:
    fake()
    outcome = _run(job)
    assert len(regions(outcome.stats)) == 3 and "hostSeconds" not in outcome.stats
    assert "Linux version" in outcome.files["dmesg.txt"]
    assert "\r" not in outcome.console
    (job.scratch / "stats.txt").unlink()
    _run(job)
    kinds = ["--checkpoint" if "--checkpoint" in c["argv"] else "run" for c in _calls(tmp_path)]
    assert kinds == ["--checkpoint", "run", "run"]
    left = sorted(path.name for path in (job.cache / "checkpoints").iterdir())
    assert len(left) == 2 and left[1] == f"{left[0]}.lock"


@pytest.mark.slow
def test_clock_caches_and_memory_share_a_checkpoint_and_the_guests_memory_does_not(
    fake, job, tmp_path
) -> None:
    fake()
    engine = load("gem5")
    smaller = job.system.l1d.model_copy(update={"size_bytes": 8192})
    memory = job.system.memory
    same = [
        {"clock_mhz": 640.0},
        {"l1d": smaller},
        {"core": "out-of-order"},
        {"tlb_entries": 16},
        {"memory": memory.model_copy(update={"latency_ns": 50.0})},
    ]
    other = [
        {"l2": job.system.l1d},
        {"harts": 4},
        {"memory": memory.model_copy(update={"size_mib": 256})},
    ]
    for change in ({}, *same, *other):
        changed = job.system.model_copy(update=change)
        engine.prepare(job.image, changed, job.cache, lambda text: None)
    assert len(_calls(tmp_path)) == 1 + len(other)


def test_the_scripts_get_the_system_and_the_guest(fake, job, tmp_path) -> None:
    fake()
    _run(job)
    boot, point = _calls(tmp_path)
    assert System.model_validate(point["system"]) == job.system
    argv = point["argv"]
    assert argv[argv.index("--kernel") + 1] == str(job.image.kernel_elf)
    assert argv[argv.index("--firmware") + 1] == str(job.image.firmware_elf)
    assert boot["system"]["memory"]["size_mib"] == job.system.memory.size_mib


@pytest.mark.parametrize(
    ("mode", "kind", "told"),
    [
        ("fatal", EngineError, "fatal: TLB size less than the one in checkpoint!"),
        usual("panic", EngineError, "panic: Tried to write unmapped address 0x0."),
        usual("python", EngineError, "ValueError: no model"),
        usual("killed", EngineError, "gem5 was killed by SIGKILL"),
        ("guest-panic", GuestPanic, "Attempted to kill init!"),
        usual("short", EngineError, "3 regions, gem5 dumped 2"),
    ],
)
def test_a_failure_is_told_by_its_kind_and_its_line(fake, job, mode, kind, told) -> None:
    fake(mode)
    with pytest.raises(Failed) as caught:
        _run(job)
    assert type(caught.value.reason) is kind
    assert told in str(caught.value.reason)
    assert caught.value.console.startswith("@osgap bench")


def test_a_guest_that_stops_without_an_end_is_named(fake, job) -> None:
    fake("silent")
    with pytest.raises(Failed) as caught:
        _run(job)
    assert isinstance(caught.value.reason, NoEndMarker | EngineError)


@pytest.mark.slow
def test_a_hang_is_a_timeout_with_the_guests_last_line(fake, job) -> None:
    fake("hang")
    with pytest.raises(Failed) as caught:
        _run(Job(**{**job.__dict__, "timeout_s": 2.0}))
    assert isinstance(caught.value.reason, PointTimeout)
    assert "@osgap end status=ok" in str(caught.value.reason)


def test_a_boot_that_fails_leaves_no_checkpoint(fake, job) -> None:
    fake("boot-fatal")
    with pytest.raises(Failed, match="Can't open object file"):
        _run(job)
    names = [path.name for path in (job.cache / "checkpoints").iterdir()]
    assert [name for name in names if not name.endswith(".lock")] == []


@pytest.mark.parametrize(
    ("mode", "told"), [("old", "found gem5 23.1.0.0"), ("no-riscv", "without the RISC-V ISA")]
)
def test_a_gem5_that_cannot_serve_is_refused(fake, mode, told) -> None:
    fake(mode)
    with pytest.raises(EngineError, match=told):
        load("gem5").check(system(BASE, 40))


def test_a_changed_script_is_another_version(fake, monkeypatch, tmp_path) -> None:
    fake()
    before = load("gem5").version()
    copy = shutil.copytree(project_root() / "configs" / "gem5", tmp_path / "gem5")
    monkeypatch.setattr("osgap.engines.gem5._scripts", lambda: copy)
    assert load("gem5").version() == before
    (copy / "board.py").write_text("# another machine")
    assert load("gem5").version() != before


def test_without_gem5_one_sentence_points_to_its_guide(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("GEM5", raising=False)
    with pytest.raises(EngineError, match=r"gem5 was not found.*gem5\.org/documentation"):
        load("gem5").version()
    monkeypatch.setenv("GEM5", str(tmp_path / "none"))
    with pytest.raises(EngineError, match="none: no such file"):
        load("gem5").version()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"width": 2}, "cpu.width: found 2"),
        ({"memory": {"size_mib": 64}}, "memory.size_mib: found 64"),
        ({"l1i": {"line_bytes": 32}}, "l1i.line_bytes: found 32"),
        ({"memory": {"latency_ns": 60}}, "memory.latency_ns: found 60 ns, 2.40 cycles"),
        ({"memory": {"latency_ns": 25}}, "of a whole number of cycles, 2 or more"),
    ],
)
def test_a_system_that_gem5_cannot_be_is_refused(fake, change, told) -> None:
    fake()
    resolved = system(BASE, 40)
    parts = {
        key: getattr(resolved, key).model_copy(update=value) if isinstance(value, dict) else value
        for key, value in change.items()
    }
    with pytest.raises(EngineError, match=told):
        load("gem5").check(resolved.model_copy(update=parts))


def _sweep(output: Path, *more: str) -> list[str]:
    return [
        *(sys.executable, str(ROOT / "scripts" / "sweep.py"), "--engine", "gem5"),
        *("--gem5", str(FAKE), "--cpu-mhz", "20,40", "--run", "ousterhout/getpid"),
        *("--output", str(output), *more),
    ]


def _image(directory: Path) -> Path:
    directory.mkdir()
    for name in IMAGE_FILES:
        (directory / name).write_text(name)
    files = {name: durable.sha256(directory / name) for name in IMAGE_FILES}
    (directory / "image.json").write_text(json.dumps({"files": files}))
    return directory


@pytest.mark.slow
def test_a_sweep_runs_and_its_times_are_analysed(tmp_path) -> None:
    image = _image(tmp_path / "image")
    run = tmp_path / "run"
    words = _sweep(run, "--image", str(image))[2:]
    done = osgap("sweep", *words, OSGAP_CACHE=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr
    shown = osgap("analyze", str(run), "--table", "samples")
    assert shown.returncode == 0, shown.stderr
    rows = (tmp_path / "run" / "tables" / "attribution.csv").read_text().splitlines()
    # 400 cycles: 40 idle, 50 of misses, the rest not told apart.
    assert rows[1].endswith(",1.33333,,,0.775,0.125,0.1")


def _as_in_a_terminal() -> None:
    """A shell's background job, which tests may be, ignores SIGINT and hands that down."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_sweep_leaves_no_simulator_and_no_scrap(tmp_path, number) -> None:
    image = _image(tmp_path / "image")
    environment = {
        **os.environ,
        "OSGAP_CACHE": str(tmp_path / "cache"),
        "FAKE_GEM5": "hang",
        "FAKE_GEM5_RECORD": str(tmp_path / "calls"),
    }
    command = _sweep(tmp_path / "run", "--image", str(image), "--jobs", "2")
    sweep = subprocess.Popen(
        command, env=environment, stderr=subprocess.PIPE, preexec_fn=_as_in_a_terminal
    )
    deadline = time.monotonic() + 150
    while not (tmp_path / "calls").exists() or len(_calls(tmp_path)) < 3:
        assert time.monotonic() < deadline and sweep.poll() is None
        time.sleep(0.1)
    assert any("fake_gem5" in process for process in _processes(tmp_path))
    sweep.send_signal(number)
    sweep.wait(60)
    until = time.monotonic() + 20
    while _processes(tmp_path) and time.monotonic() < until:
        time.sleep(0.1)
    assert _processes(tmp_path) == []
    if number == signal.SIGINT:
        assert list((tmp_path / "run").glob("points/.*")) == []


def _processes(tmp_path: Path) -> list[str]:
    """What still runs for this test: the points and the simulators work in its run directory."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink().is_relative_to(tmp_path):
                found.append((process / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found
