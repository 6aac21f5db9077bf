# SPDX-License-Identifier: BSD-3-Clause
"""measure.sh on this machine: what it prints is read, its limits are kept, and nothing is left."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkout import ROOT
from native import WORKLOADS, build

from osgap.image.benchmarks import benchmarks
from osgap.machines.host import HostMix
from osgap.native.bundle import BUILT, write_bundle
from osgap.native.facts import machine_of
from osgap.native.measure import (
    DEFAULT_RUN,
    RATING,
    check_cpu,
    limit_s,
    measure,
    with_rating,
    with_rows,
)
from osgap.native.merge import merge
from osgap.native.output import MeasureOutput, NativeError, parse
from osgap.native.template.times import ROWS

pytestmark = [
    pytest.mark.build,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="no host gcc"),
]
UNCACHED = 8 << 20
Patch = pytest.MonkeyPatch
BY_ITSELF = ("ousterhout", "mcvoy", "byte", "boards", "checks")
RUN = ("checks/empty_loop", "checks/integer_mix", "ousterhout/getpid", "ousterhout/create_delete_0")


def mix_of(found: MeasureOutput) -> int:
    """Instructions as they were counted; where neither perf nor ptrace is allowed, any."""
    return found.mix[0] if found.mix else 1


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    return build(WORKLOADS, folder / "osgap-bench")


def test_what_it_prints_is_a_machine_and_rounds_of_its_benchmarks(
    program: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: Patch
) -> None:
    """This machine, but for its caches: the last one has a quarter of UNCACHED."""
    cpu, run = min(os.sched_getaffinity(0)), (*RUN, "ousterhout/bcopy_uncached")
    root = tmp_path_factory.mktemp("root")
    system = Path("sys/devices/system")
    (index := root / system / "cpu" / f"cpu{cpu}" / "cache" / "index0").mkdir(parents=True)
    (index / "level").write_text("2\n")
    (index / "size").write_text(f"{UNCACHED // 4096}K\n")
    for name in ("proc", system / "clocksource"):
        (root / name).symlink_to(Path("/", name))
    monkeypatch.setenv("OSGAP_ROOT", str(root))
    found = parse(measure(program, tmp_path, 10, run, cpu), "here")
    merged = merge(found, "here", mix_of(found))
    machine = machine_of(found, HostMix(instructions=mix_of(found), counted_by="steps"), "here")
    assert not merged.left_out and merged.rounds >= 2
    names = {name for name, _ in merged.shapes}
    assert names == {name.partition("/")[2] for name in run}
    assert machine.architecture == os.uname().machine
    assert machine.cpu == cpu and set(machine.allowed) == os.sched_getaffinity(0)
    assert machine.clock_source and machine.throttled >= 0
    moved = {sample.benchmark: sample.bytes for sample in merged.transcript.samples}
    assert machine.uncached_bytes == moved["bcopy_uncached"] == UNCACHED
    assert machine.memory.size_mib > 100 and machine.files.type
    assert list(tmp_path.iterdir()) == []


def test_the_rating_is_always_measured() -> None:
    assert with_rating(("checks", "byte")) == ("checks", "byte")
    assert with_rating(("ousterhout/getpid",)) == ("ousterhout/getpid", *RATING)
    assert with_rating(RATING) == RATING


def test_a_machine_file_needs_its_chases() -> None:
    assert with_rows(("boards", "checks"), ROWS) == ("boards", "checks")
    assert with_rows(("boards/chase_16m",), ROWS)[0] == "boards/chase_16m"
    assert sorted(with_rows(("boards/chase_16m",), ROWS)) == sorted(ROWS)
    assert set(ROWS) <= set(benchmarks())


@pytest.mark.long
def test_counts_are_chosen_for_the_time_that_a_batch_should_take(
    program: Path, tmp_path: Path
) -> None:
    """The host may be busy only while counts are chosen: one good try of three is enough."""
    for _ in range(3):
        found = parse(measure(program, tmp_path, 10, RUN[:3]), "here")
        samples = merge(found, "here", mix_of(found)).transcript.samples
        best = {
            name: min(s.guest_ns for s in samples if s.benchmark == name)
            for name in ("empty_loop", "integer_mix", "getpid")
        }
        # 10 ms by the fastest that was seen before; the host may have been busy then or now.
        if all(2e6 < ns < 5e7 for ns in best.values()):
            return
    raise AssertionError(best)


@pytest.mark.long
def test_a_benchmark_that_fails_is_left_out(program: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    alone = shutil.copy(program, tmp_path / "other" / "osgap-bench")
    (scratch := tmp_path / "scratch").mkdir()
    found = parse(measure(Path(alone), scratch, 10, (*RUN[:2], "byte/execl")), "here")
    assert found.left_out == {"execl": "no-execl-program"}


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        (("ousterhout/nothing",), "the benchmarks were refused: 'reason=unknown-benchmark'"),
        (("byte/execl",), "no benchmark ended well"),
    ],
)
def test_orders_that_give_nothing_end_in_a_sentence(
    program: Path, tmp_path: Path, run: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "other").mkdir()
    alone = shutil.copy(program, tmp_path / "other" / "osgap-bench")
    (scratch := tmp_path / "scratch").mkdir()
    with pytest.raises(NativeError, match=sentence):
        merge(parse(measure(Path(alone), scratch, 10, run), "here"), "here", 1)


def test_too_little_room_is_asked_for_before_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (other := tmp_path / "other").mkdir()
    (other / "df").write_text("#!/bin/sh\necho File\necho disk 9000 1000 8000 12% /\n")
    (other / "df").chmod(0o755)
    monkeypatch.setenv("PATH", f"{other}:{os.environ['PATH']}")
    (scratch := tmp_path / "scratch").mkdir()
    with pytest.raises(NativeError, match=r"has 8000 KiB of room; \d+ are needed"):
        measure(other / "osgap-bench", scratch, 1, RUN)
    assert list(scratch.iterdir()) == []


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_where_nothing_can_be_written(program: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OSError, match="Permission denied"):
        measure(program, tmp_path, 1, RUN)


def test_a_program_of_another_machine_is_told(tmp_path: Path) -> None:
    (tmp_path / "osgap-bench").write_text("#!/bin/sh\nexit 126\n")
    (tmp_path / "osgap-bench").chmod(0o755)
    with pytest.raises(NativeError, match="does not run on this machine"):
        measure(tmp_path / "osgap-bench", tmp_path, 1, RUN)


def test_the_limit_is_kept_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "osgap-bench").write_text("#!/bin/sh\nsleep 1000\n")
    (tmp_path / "osgap-bench").chmod(0o755)
    (scratch := tmp_path / "scratch").mkdir()
    monkeypatch.setattr("osgap.native.measure.limit_s", lambda seconds: 1.0)
    began = time.monotonic()
    with pytest.raises(NativeError, match="it was not done after 1 s"):
        measure(tmp_path / "osgap-bench", scratch, 1, RUN)
    assert time.monotonic() - began < 20
    assert list(scratch.iterdir()) == []


def test_the_limit_is_little_more_than_the_seconds() -> None:
    assert limit_s(1) == 6 and limit_s(60) == 75


@pytest.mark.long
def test_the_seconds_include_the_choice_of_counts(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("osgap.native.measure.limit_s", lambda seconds: 120)
    with pytest.raises(NativeError, match="--seconds 0: found time for 0 of 2 rounds; allowed: mo"):
        measure(program, tmp_path, 0, RUN[:1])
    assert list(tmp_path.iterdir()) == []


def test_a_cpu_that_is_not_there_is_refused() -> None:
    check_cpu(None)
    check_cpu(min(os.sched_getaffinity(0)))
    with pytest.raises(NativeError, match=r"--cpu: found 9999; allowed: [\d,-]+ \(CPUs that"):
        check_cpu(9999)


@pytest.mark.long
def test_ctrl_c_leaves_nothing(program: Path, tmp_path: Path) -> None:
    code = (
        # What starts these tests in the background may have it ignored.
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from pathlib import Path; from osgap.native.measure import measure; "
        "measure(Path(sys.argv[1]), Path(sys.argv[2]), 30, ('checks', 'ousterhout/getpid'))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, program, tmp_path], cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        while "finding out" not in process.stderr.readline():
            pass
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode
    assert list(tmp_path.iterdir()) == []
    # What was killed while it wrote to the disk may take a moment to be gone.
    look, deadline = ["pgrep", "-f", str(program)], time.monotonic() + 20
    while (
        left := subprocess.run(look, capture_output=True).stdout
    ) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == b""


FAKE = """\
#!/bin/sh
case ${1-} in
    --clock) echo 1000000 ;;
    --misaligned) echo 400 ;;
    --*) exit 1 ;;
    *) cat >> "$TOLD" ;;
esac
"""


def test_by_itself_it_measures_all_suites_and_whether_misaligned_loads_trap(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    (tmp_path / "osgap-bench").write_text(FAKE)
    (tmp_path / "osgap-bench").chmod(0o755)
    (scratch := tmp_path / "scratch").mkdir()
    monkeypatch.setenv("TOLD", str(tmp_path / "told"))
    monkeypatch.setenv("OSGAP_BENCH", str(tmp_path / "osgap-bench"))
    words = ["sh", WORKLOADS / "native" / "measure.sh", "--scratch", scratch]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert f"\nrun {','.join(BY_ITSELF)}\n" in (tmp_path / "told").read_text()
    suites = {name.partition("/")[0] for name in benchmarks()}
    assert set(BY_ITSELF) <= suites and set(DEFAULT_RUN) < set(BY_ITSELF)
    assert parse(done.stdout, "f").facts["misaligned"] == "400"


def test_a_bundle_is_whole_and_the_same_each_time(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    built = copy / "build" / "bundle" / "riscv64"
    built.mkdir(parents=True)
    (copy / "workloads").symlink_to(WORKLOADS)
    for name in BUILT:
        (built / name).write_text(name)
    first = write_bundle(copy, "riscv64").read_bytes()
    for name in BUILT:
        os.utime(built / name, (1, 1))
    archive = write_bundle(copy, "riscv64")
    assert archive.read_bytes() == first
    listed = subprocess.run(["tar", "tf", archive], capture_output=True, text=True, check=True)
    names = set(listed.stdout.split())
    folder = "osgap-native-riscv64"
    shown = ("osgap-bench", "measure.sh", "facts.sh", "byte/load.sh")
    assert {f"{folder}/{name}" for name in shown} <= names
    assert any(name.startswith(f"{folder}/andrew/src/") for name in names)
