# SPDX-License-Identifier: BSD-3-Clause
"""What every process of ours gets, and that no module starts one, or renames a file, by itself."""

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import SOURCES, nodes

from osgap.base import processes
from osgap.base.paths import project_root

PACKAGE = project_root() / "osgap"
STARTS = frozenset(
    {"run", "Popen", "call", "check_call", "check_output", "getoutput", "getstatusoutput"}
)
ENTRIES = st.one_of(
    st.just(""),
    st.just("."),
    st.just("bin"),
    st.just("./bin"),
    st.just("../x"),
    st.sampled_from(["/bin", "/usr/bin", "/opt/a b", "/$(x)"]),
)


@given(st.lists(ENTRIES), st.text("a:/.", max_size=9), st.booleans())
def test_nothing_is_found_in_a_current_directory(
    path: list[str], python_path: str, given_path: bool
) -> None:
    own = {"PYTHONPATH": python_path, "HOME": "/root"}
    if given_path:
        own["PATH"] = os.pathsep.join(path)
    found = processes.environment({"OSGAP_X": "1"}, base=own)
    assert found.pop("PYTHONSAFEPATH") == "1" and "PYTHONPATH" not in found
    folders = found.pop("PATH", "/").split(os.pathsep)
    assert all(os.path.isabs(folder) for folder in folders)
    assert [one for one in path if one in folders] == [one for one in path if one[:1] == "/"] or (
        not given_path
    )
    assert found == {"HOME": "/root", "OSGAP_X": "1"}


def test_a_program_is_not_found_in_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("gem5", "gem5.fast", "gem5.opt", "qemu-system-riscv64", "clang"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for path in ("", ".", f":{tmp_path.name}", "/nowhere:"):
        monkeypatch.setenv("PATH", path)
        assert processes.program_path("gem5") is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert processes.program_path("gem5") == str(tmp_path / "gem5")


def _calls() -> Iterator[tuple[Path, ast.Call]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in nodes(path.read_text(encoding="utf-8")):
            if isinstance(node, ast.Call):
                yield path.relative_to(PACKAGE), node


def _name(node: ast.expr) -> str:
    return ast.unparse(node)


def _starts(call: ast.Call) -> bool:
    module, _, name = _name(call.func).rpartition(".")
    if module == "subprocess":
        return name in STARTS
    return module in ("os", "pty", "asyncio") and name.startswith(
        ("exec", "spawn", "posix_spawn", "system", "popen", "create_subprocess")
    )


@SOURCES
def test_every_process_starts_in_an_environment_of_ours() -> None:
    found = [(path, call) for path, call in _calls() if _starts(call)]
    assert len(found) >= 15, "the starts are not seen"
    for path, call in found:
        words = {word.arg: word.value for word in call.keywords}
        last = call.args[-1] if _name(call.func).startswith("os.") else None
        given = words.get("env", last)
        assert given is not None and _name(given).startswith(
            ("environment(", "processes.environment(")
        ), f"{path}:{call.lineno}: starts a process without processes.environment()"
        assert "shell" not in words, f"{path}:{call.lineno}: starts a shell"


@SOURCES
def test_programs_are_looked_up_by_the_same_path_and_subprocess_is_not_hidden() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        hidden = [
            alias.name
            for node in nodes(path.read_text(encoding="utf-8"))
            if isinstance(node, ast.ImportFrom) and node.module in ("subprocess", "os", "shutil")
            for alias in node.names
            if alias.name in STARTS | {"which", "system", "popen", "rename", "replace", "move"}
        ]
        assert hidden == [], path
    looks = [path for path, call in _calls() if _name(call.func) == "shutil.which"]
    assert looks == [Path("base/processes.py")]


@SOURCES
def test_only_one_module_renames() -> None:
    for path, call in _calls():
        if path == Path("base/durable.py"):
            continue
        where = f"{path}:{call.lineno}"
        name = _name(call.func)
        assert name not in ("os.rename", "os.replace", "os.renames", "shutil.move"), where
        if isinstance(call.func, ast.Attribute) and name != "durable.rename":
            # A text's own replace has two arguments, a table's rename has none but by name.
            assert not (
                call.func.attr == "replace" and len(call.args) == 1 and not call.keywords
            ), where
            assert not (call.func.attr == "rename" and call.args), where


# What writes without taking the way of durable: why nothing half-written is found under its name.
WRITES = {
    "native/bundle.py": "into the file that gets its name when it is whole",
    "image/scons.py": "into a scratch directory, to see whether there is room",
    "rundir/pointfiles.py": "into a point's own directory, which gets its name when it is whole",
    "base/packed.py": "into an accepted run, which gets its name when it is whole",
    "engines/rvsim.py": "into a checkpoint, which gets its name when it is whole",
    "engines/rvsim_optimise.py": "into a build, which gets its name when it is whole",
    "engines/gem5.py": "into a checkpoint, and into a point's directory for what is thrown away",
    "engines/gem5_program.py": "a log",
    "image/builder/steps.py": "targets of SCons, which makes again what it did not see finished",
    "image/builder/toolchain.py": "targets of SCons, which makes again what is unfinished",
    "image/builder/programarchive.py": "targets of SCons, which makes again what is unfinished",
    "image/builder/kernel.py": "into a build directory, finished when its mark `built` is there",
    "image/builder/userland.py": "into a build directory, which is made again",
    "image/builder/run.py": "a log",
    "image/recipefolder.py": "into a recipe's folder, which gets its name when it is whole",
    "image/provision/aptsources.py": "apt's own sources, written again before each use",
    "sweep/snakemake.py": "a log",
    "points/jobs.py": "empty files that order Snakemake's jobs",
}


@SOURCES
def test_what_is_written_gets_its_name_when_it_is_whole() -> None:
    found = set()
    for path, call in _calls():
        name = _name(call.func).rpartition(".")[2]
        opens = name == "open" and any(
            isinstance(word, ast.Constant)
            and isinstance(word.value, str)
            and set(word.value) <= set("rwaxbt+")
            and set(word.value) & set("wax")
            for word in [*call.args, *(word.value for word in call.keywords)]
        )
        whole = _name(call.func).startswith("durable.") or path == Path("base/durable.py")
        if (opens or name in ("write_text", "write_bytes")) and not whole:
            found.add(path.as_posix())
    assert found == set(WRITES)
    saves = [path for path, call in _calls() if _name(call.func).endswith(".savefig")]
    assert saves == [Path("drawing/figure.py")]
