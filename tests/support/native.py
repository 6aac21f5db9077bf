# SPDX-License-Identifier: BSD-3-Clause
"""The native program of workloads/: built as the build does, run on orders, its lines checked.

Tests build it often, from sources that differ in a line. What was compiled is kept for the session
by its content, in $OSGAP_TESTS_SHARED, and only what differs is compiled again.
"""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.image.builder.recipe import recipe

ROOT = project_root()
WORKLOADS = ROOT / "workloads"
ON_THIS_MACHINE = [
    pytest.mark.build,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="no host gcc"),
]
"""The marks of tests that build the program and run it here."""
FLAGS = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-DOSGAP_BOARDS"]

WORD = r"[a-z0-9_.-]+"
NUMBER = r"(?:0|[1-9][0-9]*)"
FS = r"(?:none|unix|sprite)"
GRAMMAR = {
    "ready": r"protocol=2",
    "bench": rf"name={WORD} fs={FS} metric=(?:us|ms|s|ns|MB/s|MIPS) "
    rf"bytes={NUMBER} count={NUMBER} batches={NUMBER}",
    "sample": rf"region={NUMBER} name={WORD} fs={FS} batch={NUMBER} ns={NUMBER} irqs={NUMBER}",
    "modes": rf"region={NUMBER} user_ns={NUMBER} kernel_ns={NUMBER} idle_ns={NUMBER}",
    "counter": rf"region={NUMBER} name={WORD} value={NUMBER}",
    "fail": rf"name={WORD} fs={FS} reason={WORD}",
    "error": rf"reason={WORD}",
    "end": rf"status=(?:ok|failed) regions={NUMBER}",
}
Fields = dict[str, str]
Lines = list[tuple[str, Fields]]


def build(workloads: Path, program: Path, flags: Sequence[str] = ()) -> Path:
    """Compile what the globs find, as the build does. Raises CalledProcessError."""
    folders = [path for path in sorted(workloads.iterdir()) if path.is_dir()]
    absent = set(recipe()["NO_SUITES"]) - set(recipe()["VARIANT_SUITES"])
    suites = [folder for folder in folders if folder.name not in absent]
    harness = [workloads / "lib", workloads / "native"]
    sources = [file for folder in [*harness, *suites] for file in folder.glob("*.c")]
    headers = "".join(path.read_text() for path in sorted(workloads.rglob("*.h")))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        objects = sorted(pool.map(lambda file: _object(workloads, file, headers, flags), sources))
    subprocess.run(["gcc", *flags, *objects, "-lm", "-o", program], check=True)
    for source in (ROOT / "disk-images" / "programs").glob("*.c"):
        part = [source, "-I", workloads / "lib", "-o", program.with_name(source.stem)]
        subprocess.run(["gcc", *FLAGS, *part], check=True)
    return program


def _object(workloads: Path, file: Path, headers: str, flags: Sequence[str]) -> Path:
    """The object of a source, compiled unless the session has one of the same content."""
    text = file.read_text()
    own = [f for f in flags if not f.startswith("-D") or _macro(f) in headers + text]
    suite = file.parent.name
    key = hashlib.sha256("\0".join([suite, file.name, *own, headers, text]).encode()).hexdigest()
    # Linked in the order of their names, as in the image.
    kept = Path(os.environ["OSGAP_TESTS_SHARED"]) / "objects" / f"{suite}-{file.name}-{key[:16]}.o"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(f".{os.getpid()}.new")
        command = ["gcc", *FLAGS, *own, f'-DSUITE="{suite}"', "-I", workloads / "lib"]
        subprocess.run([*command, "-c", file, "-o", fresh], check=True)
        fresh.rename(kept)
    return kept


def _macro(flag: str) -> str:
    return flag.removeprefix("-D").partition("=")[0]


def orders(
    *lines: str, version: str = "osgap 2", marks: str = "none", count: int | None = None
) -> bytes:
    """Orders of these lines, with their length."""
    text = "".join(f"{line}\n" for line in (version, f"marks {marks}", *lines))
    return text.encode() + f"go {len(text) if count is None else count}\n".encode()


def run(program: Path, text: bytes, scratch: Path, **environment: str) -> tuple[int, Lines]:
    """Exit code and the lines, each checked against the grammar."""
    given: Mapping[str, str] = {
        "OSGAP_SCRATCH": str(scratch),
        "OSGAP_ANDREW": str(WORKLOADS / "andrew"),
        "OSGAP_BYTE": str(WORKLOADS / "byte" / "data"),
        "OSGAP_EXECL": str(program.with_name("execl")),
    }
    done = subprocess.run(
        [program],
        input=text,
        capture_output=True,
        timeout=60,
        env={**os.environ, **given, **environment},
    )
    lines = []
    for line in done.stdout.decode("ascii").splitlines():
        mark, verb, rest = line.split(" ", 2)
        assert mark == "@osgap" and re.fullmatch(GRAMMAR[verb], rest), line
        lines.append((verb, dict(field.split("=") for field in rest.split(" "))))
    assert lines[0][0] == "ready"
    assert list(scratch.iterdir()) == []
    return done.returncode, lines[1:]


def of(verb: str, lines: Lines) -> list[Fields]:
    """The fields of the lines of one verb."""
    return [fields for found, fields in lines if found == verb]


def names(program: Path) -> list[str]:
    """The benchmarks that the program holds, as SUITE/NAME."""
    return subprocess.run(
        [program, "--list"], capture_output=True, check=True, text=True
    ).stdout.split()


def cut(program: Path) -> Iterator[str]:
    """Orders that make every count as small as it can be."""
    for name in names(program):
        if "/andrew_" not in name:
            yield f"set {name.split('/')[1]}.count=1"
            yield f"set {name.split('/')[1]}.batches=2"
