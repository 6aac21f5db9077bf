# SPDX-License-Identifier: BSD-3-Clause
"""Building a quicker rvsim: with planted tools, and tools that are missing, fail or are killed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from test_rvsim_builds import wheel_library

from osgap.base import processes
from osgap.base.paths import project_root
from osgap.engines import rvsim_builds, rvsim_optimise, rvsim_toolchain
from osgap.engines.contract import EngineError
from osgap.engines.rvsim_builds import LIBRARY, fitting, folder
from osgap.engines.rvsim_optimise import Workshop, pinned
from osgap.image.files import Image

RUSTC = "rustc 1.99.0 (planted)"
TARGET = "planted-unknown-linux-gnu"
DIGESTS = {"console": "c", "stats.txt": "s", "dumps": "d"}
_PATIENCE_S = 20.0


def tool(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH of planted tools. cargo copies the wheel's library, and keeps the flags it got."""
    folder = tmp_path / "bin"
    libraries = tmp_path / "rust" / "lib"
    for name in ("mkdir", "cp", "sleep", "touch", "cat"):
        tool(folder / name, f'exec {shutil.which(name)} "$@"')
    tool(folder / "cc", "exit 0")
    tool(
        folder / "rustc",
        f'[ "$1" = -vV ] || {{ echo {libraries}; exit; }}\n'
        f'echo "{RUSTC}"; echo "host: {TARGET}"; echo "LLVM version: 77.1.2"',
    )
    tool(
        folder / "cargo",
        f'out="$CARGO_TARGET_DIR/{TARGET}/release"; mkdir -p "$out"\n'
        f'cp {wheel_library()} "$out/lib_core.so"\n'
        f'printf "%s|%s\\n" "$*" "$CARGO_ENCODED_RUSTFLAGS" >> {tmp_path}/cargo.log',
    )
    tool(libraries.parent / "bin" / "llvm-profdata", 'touch "$3"')
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def simulated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Mapping[str, str]]:
    """Plants the source and the training runs: the digests of a run, by its library's folder."""
    results: dict[str, Mapping[str, str]] = {}

    def fetch(workshop: Workshop, pin: rvsim_optimise.Pin) -> Path:
        tree = workshop.scratch / "rvsim-0"
        tree.mkdir()
        (tree / "Cargo.toml").touch()
        return Path(shutil.make_archive(str(tree), "gztar", workshop.scratch, tree.name))

    def run(workshop: Workshop, library: Path | str) -> Mapping[str, str]:
        assert library == "wheel" or Path(library).is_file()
        names = ("counting", "optimised", "wheel")
        return results.get(next(n for n in names if n in str(library)), DIGESTS)

    monkeypatch.setattr(rvsim_optimise, "_fetch", fetch)
    monkeypatch.setattr(rvsim_optimise, "_run", run)
    return results


def optimise(cache: Path) -> list[str]:
    """What it said, and its sentence."""
    said: list[str] = []
    image = Image(cache / "Image", cache / "fw_jump.bin", "digest")
    said.append(rvsim_optimise.optimise(image, cache, said.append))
    return said


def left(cache: Path) -> list[str]:
    """What a build left in the cache, without the lock's empty file."""
    return sorted(p.name for p in folder(cache).iterdir() if p.suffix != ".lock")


@pytest.mark.usefixtures("tools", "simulated")
def test_it_builds_with_counters_and_by_the_profile_and_keeps_the_library(tmp_path: Path) -> None:
    said = optimise(tmp_path)
    steps = [line for line in said if "step" in line]
    assert [line.split(":")[1].strip() for line in steps] == [f"step {n} of 6" for n in range(1, 7)]
    build = fitting(tmp_path)
    assert build is not None and left(tmp_path) == [build.name]
    assert said[-1].endswith(str(build)) and RUSTC in said[-1]
    assert (build / LIBRARY).read_bytes() == wheel_library().read_bytes()
    ((_, record),) = rvsim_builds.builds(tmp_path)
    assert record.rustc == RUSTC and len(record.source_sha256) == 64
    first, second = (tmp_path / "cargo.log").read_text().splitlines()
    assert "-Ctarget-cpu=native\x1f-Cprofile-generate=" in first
    assert "-Ctarget-cpu=native\x1f-Cprofile-use=" in second
    for line in (first, second):
        assert "--release --locked" in line and f"--target {TARGET}" in line
    # A second call has nothing to do.
    assert len(optimise(tmp_path)) == 1
    assert len((tmp_path / "cargo.log").read_text().splitlines()) == 2


@pytest.mark.usefixtures("simulated")
def test_another_compiler_makes_a_new_build_and_the_old_one_goes(
    tools: Path, tmp_path: Path
) -> None:
    optimise(tmp_path)
    first = fitting(tmp_path)
    rustc = tools / "rustc"
    rustc.write_text(rustc.read_text().replace(RUSTC, "rustc 2.0.0"))
    optimise(tmp_path)
    second = fitting(tmp_path)
    assert second is not None and second != first and left(tmp_path) == [second.name]


@pytest.mark.usefixtures("simulated")
@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        ("cargo", r"^cargo: is not on PATH; install Rust with rustup: https://rustup.rs$"),
        ("rustc", r"^rustc: is not on PATH; install Rust with rustup: https://rustup.rs$"),
        ("cc", r"^cc: is not on PATH; install the package gcc"),
        (
            "../rust/bin/llvm-profdata",
            r"^llvm-profdata: /.* is not there; install it with: rustup component add llvm-tools$",
        ),
    ],
)
def test_a_missing_tool_is_named_with_how_to_get_it(
    missing: str, sentence: str, tools: Path, tmp_path: Path
) -> None:
    (tools / missing).unlink()
    with pytest.raises(EngineError, match=sentence):
        optimise(tmp_path)
    assert not folder(tmp_path).exists()


@pytest.mark.usefixtures("simulated")
def test_a_distributions_llvm_profdata_of_rustcs_llvm_will_do(tools: Path, tmp_path: Path) -> None:
    beside = tools.parent / "rust" / "bin" / "llvm-profdata"
    beside.rename(tools / "llvm-profdata-76")
    with pytest.raises(EngineError, match="llvm-tools"):
        optimise(tmp_path)
    (tools / "llvm-profdata-76").rename(tools / "llvm-profdata-77")
    optimise(tmp_path)
    assert fitting(tmp_path) is not None


@pytest.mark.usefixtures("simulated")
def test_a_failed_compilation_is_said_in_a_sentence_and_leaves_nothing(
    tools: Path, tmp_path: Path
) -> None:
    tool(
        tools / "cargo",
        'echo "   Compiling libc v0.2.190" >&2; echo "error: linker \\`cc\\` not found" >&2\n'
        'echo "  |" >&2; echo "error: could not compile" >&2; exit 101',
    )
    with pytest.raises(EngineError) as caught:
        optimise(tmp_path)
    assert str(caught.value) == (
        "cargo build --release --locked ended with status 101: linker `cc` not found"
    )
    assert left(tmp_path) == []


@pytest.mark.usefixtures("tools")
@pytest.mark.parametrize("part", DIGESTS)
def test_a_build_with_other_results_is_refused(
    part: str, simulated: dict[str, Mapping[str, str]], tmp_path: Path
) -> None:
    simulated["optimised"] = {**DIGESTS, part: "other"}
    with pytest.raises(EngineError, match=f"gave another {part} than the wheel"):
        optimise(tmp_path)
    assert left(tmp_path) == []


@pytest.mark.usefixtures("tools", "simulated")
def test_another_version_than_the_locks_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rvsim_builds, "installed_version", lambda: "9.9.9")
    with pytest.raises(EngineError, match=r"found version 9\.9\.9; allowed: \d+\.\d+\.\d+, as in"):
        optimise(tmp_path)


def test_the_pin_is_the_locks() -> None:
    pin = pinned((project_root() / "requirements.lock").read_text())
    first, *rest = pin.lines.splitlines()
    assert first == f"rvsim=={pin.version} \\" and pin.version == rvsim_builds.installed_version()
    assert rest and all(line.strip().startswith("--hash=sha256:") for line in rest)
    assert not rest[-1].endswith("\\")
    with pytest.raises(EngineError, match="has no rvsim"):
        pinned("scipy==1.0 \\\n    --hash=sha256:0\n")


@pytest.mark.slow
def test_a_source_of_another_digest_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By pip, before any of it runs; no network is needed for that."""
    tree = tmp_path / "rvsim-9.9.9"
    tree.mkdir()
    (tree / "setup.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    archive = shutil.make_archive(str(tree), "gztar", tmp_path, tree.name)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(Path(archive).parent))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    nothing = rvsim_toolchain.RustTools("", "", "", tmp_path)
    workshop = Workshop(nothing, tmp_path, tmp_path, scratch, lambda text: None)
    pin = rvsim_optimise.Pin("9.9.9", f"rvsim==9.9.9 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(EngineError, match=r"pip .*DO NOT MATCH THE HASHES"):
        rvsim_optimise._fetch(workshop, pin)
    assert not (tmp_path / "ran").exists()


CALL = """
import signal, sys; from pathlib import Path
import test_rvsim_optimise as planted
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
from osgap.engines import rvsim_optimise
rvsim_optimise._fetch = lambda workshop, pin: Path(sys.argv[2])
rvsim_optimise._run = lambda workshop, library: planted.DIGESTS
planted.optimise(Path(sys.argv[1]))
"""


@pytest.fixture
def begun(tools: Path, tmp_path: Path) -> Callable[[], subprocess.Popen[bytes]]:
    """Starts a build whose cargo does not end, and waits until cargo runs."""
    text = (tools / "cargo").read_text()
    tool(tools / "cargo", f'echo "$$" > {tmp_path}/cargo.pid; sleep 60\n{text}')
    tree = tmp_path / "rvsim-0"
    tree.mkdir()
    (tree / "Cargo.toml").touch()
    archive = shutil.make_archive(str(tree), "gztar", tmp_path, tree.name)

    def start() -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", CALL, str(tmp_path), archive],
            cwd=Path(__file__).parent,
            stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: _pid(tmp_path) > 0)
        return process

    return start


def _pid(folder: Path) -> int:
    path = folder / "cargo.pid"
    return int(path.read_text() or 0) if path.exists() else 0


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_build_cut_off_leaves_no_build_and_no_process(
    number: signal.Signals,
    begun: Callable[[], subprocess.Popen[bytes]],
    tools: Path,
    tmp_path: Path,
    simulated: dict[str, Mapping[str, str]],
) -> None:
    process = begun()
    process.send_signal(number)
    assert process.wait(_PATIENCE_S) != 0
    wait_until(lambda: not processes.start_time(_pid(tmp_path)))
    assert fitting(tmp_path) is None
    assert not [name for name in left(tmp_path) if not name.startswith(".")]
    if number == signal.SIGINT:
        assert left(tmp_path) == []
    # The next build begins anew, and removes what a killed one left.
    tool(tools / "sleep", "exit 0")
    optimise(tmp_path)
    build = fitting(tmp_path)
    assert build is not None and left(tmp_path) == [build.name]


def test_the_sentence_of_a_training_run_that_failed(tmp_path: Path) -> None:
    code = "import sys; print('half'); sys.exit('no image')"
    with pytest.raises(EngineError, match="ended with status 1: no image"):
        rvsim_toolchain.run_step([sys.executable, "-c", code], tmp_path)


def test_a_step_gets_its_variables_and_no_others_code(tmp_path: Path) -> None:
    code = "import json, os; print(json.dumps(dict(os.environ)))"
    given = {"CARGO_TARGET_DIR": str(tmp_path)}
    found = json.loads(rvsim_toolchain.run_step([sys.executable, "-c", code], tmp_path, given))
    assert found["CARGO_TARGET_DIR"] == str(tmp_path) and "PYTHONPATH" not in found
    assert os.environ.get("CARGO_TARGET_DIR") != str(tmp_path)
