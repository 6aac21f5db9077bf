# SPDX-License-Identifier: BSD-3-Clause
"""Reflected system calls in QEMU: everything works as it does direct, and no call goes past."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.engines import load, qemu
from osgap.engines.contract import Failed, Job
from osgap.guest import protocol

pytestmark = pytest.mark.qemu

REFLECTED = [
    pytest.param(calls, marks=pytest.mark.long) if calls.endswith("-first") else calls
    for calls in protocol.CALLS[1:]
]
PROGRAMS = ("ousterhout/andrew_copy", "ousterhout/andrew_make", "ousterhout/create_delete_0")
MakeCalls = Callable[..., Job]


@pytest.fixture
def boot_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts the patch's word on the kernel's command line, as the variant `reflect` does."""
    plain = qemu._arguments
    monkeypatch.setattr(qemu, "_arguments", lambda job: [*plain(job), "-append", "osgap_reflect=1"])


@pytest.fixture
def make_calls(make_job, with_orders) -> MakeCalls:
    def make(calls: str, *run: str) -> Job:
        job = make_job("qemu", 20, *run, fs=("sprite",))
        return with_orders(job, replace(job.orders, calls=calls))

    return make


def _regions(job: Job) -> list[tuple[str, int]]:
    transcript = protocol.parse(load("qemu").run(job).console)
    return [(sample.benchmark, sample.count) for sample in transcript.samples]


@pytest.mark.usefixtures("boot_option")
@pytest.mark.parametrize("calls", protocol.CALLS)
def test_registers_signals_processes_and_the_null_device(make_calls, calls: str) -> None:
    """workloads/calls checks itself, and that the server saw every call: of direct ones, none."""
    ran = {name for name, _ in _regions(make_calls(calls, "calls"))}
    folder = project_root() / "workloads" / "calls"
    assert ran == {path.stem for path in folder.glob("*.c")} | {"served_exec"}


@pytest.mark.usefixtures("boot_option")
@pytest.mark.parametrize("calls", REFLECTED)
def test_benchmarks_run_reflected_as_they_do_direct(make_calls, calls: str) -> None:
    names = ("getpid", "cswitch", "select_10_full", "open_close_path", "read")
    run = ("checks", *(f"ousterhout/{name}" for name in names), *PROGRAMS)
    assert _regions(make_calls(calls, *run)) == _regions(make_calls("direct", *run))


def test_the_patch_does_nothing_without_its_boot_option(make_calls) -> None:
    for calls in ("patch-first", "patch-optimised"):
        with pytest.raises(Failed) as caught:
            load("qemu").run(make_calls(calls, "ousterhout/getpid"))
        assert isinstance(caught.value.reason, protocol.GuestError)
        assert "no-reflect" in str(caught.value.reason)
    assert _regions(make_calls("sud-optimised", "ousterhout/getpid"))


def test_calls_that_go_past_the_server_fail_the_run(make_calls, tmp_path: Path) -> None:
    """The library's prctl becomes PR_SET_PDEATHSIG, which succeeds and reflects nothing."""
    job = make_calls("sud-optimised", "ousterhout/getpid")
    data = job.image.kernel.read_bytes()
    library = (project_root() / "build" / "guest" / "reflect").read_bytes()
    dispatch, other = (number << 20 | 0x00000593 for number in (59, 1))  # li a1, NUMBER
    assert data.count(library) == 1 and library.count(dispatch.to_bytes(4, "little")) == 1
    spoilt = library.replace(dispatch.to_bytes(4, "little"), other.to_bytes(4, "little"))
    (tmp_path / "Image").write_bytes(data.replace(library, spoilt))
    job = replace(job, image=replace(job.image, kernel=tmp_path / "Image"))
    with pytest.raises(Failed, match="not-reflected") as caught:
        load("qemu").run(job)
    assert isinstance(caught.value.reason, protocol.BenchmarkFailed)


def test_the_documented_calls_are_those_of_the_source() -> None:
    """Every call that the library or its server treats apart is in the table, and no other."""
    root = project_root()
    sources = [root / "disk-images" / "reflect" / f"{n}.c" for n in ("calls", "server", "signals")]
    treated = {
        name
        for path in sources
        for name in re.findall(r"^\s+case __NR_(\w+):", path.read_text(), re.MULTILINE)
    }
    _, _, section = (
        (root / "docs" / "method" / "reflect.md").read_text().partition("## Who does what")
    )
    table = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    documented = {name for cell in table for name in re.findall(r"`(\w+)`", cell)}
    assert documented - {"rt_sigreturn"} == treated
