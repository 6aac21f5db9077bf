# SPDX-License-Identifier: BSD-3-Clause
"""Faults of a user's surroundings, and what each subcommand is given to meet them with."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import foreign_texts
import measured
from checkout import ROOT, copy_checkout
from stderr import sentences

OTHER_NAMES = "läuf-文字"
"""A name that ASCII lacks."""
NEVER_MADE = "prediction/random-machines/predicted"
"""A committed run that no host makes again: `reproduce` writes its result, without a simulation."""
_READ_ONLY = ("--cpu-mhz", "20", "--dry-run")


@dataclass(frozen=True)
class Space:
    """What a command may work with: a finished run of the fake engine, one with tables, a place.

    The command is that of `checkout`, where building takes no time.
    """

    run: Path
    tables: Path
    new: Path
    checkout: Path


Words = Callable[[Space], list[str]]


def _committed(name: str) -> str:
    return str(ROOT / "results" / "locked" / name)


COMMANDS: Mapping[str, Words] = {
    "native": lambda space: [
        "native",
        "--import",
        str(space.new.parent / "measured.txt"),
        "--output",
        str(space.new),
    ],
    "import": lambda space: [
        "import",
        "sbc-bench",
        str(space.new.parent / "sbc.txt"),
        "--output",
        str(space.new),
    ],
    "study": lambda space: ["study", "--quick"],
    "sweep": lambda space: ["sweep", "--engine", "fake", *_READ_ONLY, "--output", str(space.new)],
    "status": lambda space: ["status", str(space.run)],
    "resume": lambda space: ["resume", str(space.run)],
    "retry": lambda space: ["retry", str(space.run)],
    "replay": lambda space: [
        "replay",
        str(space.run),
        "--point",
        "20mhz",
        "--output",
        str(space.new),
    ],
    "engine": lambda space: ["engine"],
    "reproduce": lambda space: [
        "reproduce",
        NEVER_MADE,
        "--output",
        str(space.new),
    ],
    "kernel-ab": lambda space: [
        "kernel-ab",
        "--engine",
        "fake",
        "--run",
        "integer_mix,getpid",
        "--layouts",
        "2",
        "--output",
        str(space.new),
    ],
    "analyze": lambda space: ["analyze", str(space.tables), "--output", str(space.new)],
    "compare": lambda space: ["compare", *[str(space.tables)] * 2, "--output", str(space.new)],
    "plot": lambda space: [
        "plot",
        str(space.tables),
        "--figure",
        "times",
        "--format",
        "png",
        "--output",
        str(space.new),
    ],
    "predict": lambda space: ["predict", _committed("curve/quick/rvsim")],
    "show": lambda space: ["show", _committed("curve/quick/rvsim"), "relative", "benchmark=getpid"],
    "report": lambda space: ["report", str(space.tables), "--output", str(space.new / "a.html")],
    "site": lambda space: ["site", _committed("curve/quick"), "--output", str(space.new)],
    "paper": lambda space: [
        "paper",
        f"rvsim={_committed('paper/fitted-rvsim')}",
        "--output",
        str(space.new),
    ],
    "kennaway": lambda space: [
        "kennaway",
        _committed("publications/kennaway-causes/e4500"),
        "--output",
        str(space.new),
    ],
    "board": lambda space: [
        "board",
        "d1",
        _committed("boards/small-kernel-rvsim"),
        "--table",
        "board_rows",
        "--output",
        str(space.new),
    ],
    "suite": lambda space: [
        "suite",
        "hohmuth",
        _committed("publications/hohmuth-patch/gem5"),
        "--table",  # the pages themselves print "File reread", as a traceback does
        "reflected",
        "--output",
        str(space.new),
    ],
    "calibrate": lambda space: ["calibrate", "paper/M2000", "--output", str(space.new)],
    "ministat": lambda space: ["ministat", str(space.new.parent / "numbers")],
    "lock": lambda space: ["lock", str(space.tables), "--name", "accepted"],
    "list": lambda space: ["list", "benchmarks"],
    "variants": lambda space: ["variants", "musl", "clang-O2"],
    "completion": lambda space: ["completion", "bash"],
}
"""What each subcommand does, and ends well but for those that are FAILING."""
FAILING = frozenset({"calibrate"})
"""Without an image they end with a sentence in any case."""
WORDLESS = frozenset({"variants"})
"""They print nothing on standard output, and may not notice what is wrong with it."""


@dataclass(frozen=True)
class Fault:
    """Redirections as a shell writes them, the environment, what the child does to itself,
    what the shell does before, and what starts the shell.

    `fails` says whether a command has to fail; None: as the command needs what is missing.
    `silent` is an end without a word.
    """

    shell: str = ""
    environment: Mapping[str, str | None] = field(default_factory=dict)
    child: Callable[[], None] = lambda: None
    before: str = ""
    wrapper: Sequence[str] = ()
    fails: bool | None = False
    silent: bool = False


def _no_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


_GONE = 'gone=$(mktemp -d); cd "$gone"; rmdir "$gone"; '
_ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "PYTHONCOERCECLOCALE": "0"}
STREAMS: Mapping[str, Fault] = {
    "no standard output": Fault(">&-", fails=True),
    "no standard error": Fault("2>&-", silent=True),
    "no streams": Fault("<&- >&- 2>&-", fails=True, silent=True),
    "a full output": Fault(">/dev/full", fails=True),
    "a full error": Fault("2>/dev/full", silent=True),
    "full streams": Fault(">/dev/full 2>/dev/full", fails=True, silent=True),
    "a reader that has gone": Fault("> >(exec >&-; exec <&-; :)", fails=None),
    "a locale of ASCII": Fault(environment=_ASCII),
    "no home": Fault(environment={"HOME": None, "XDG_CACHE_HOME": None, "OSGAP_CACHE": None}),
    "odd variables": Fault(
        environment={
            "COLUMNS": "²",
            "LINES": "abc",
            "TERM": "weird",
            "LANG": "xx_YY.what",
            "NO_COLOR": "?",
            "FORCE_COLOR": "1",
            "MPLBACKEND": "nothing",
        }
    ),
    "no room for files": Fault(child=_no_files, fails=None),
    "a deleted working directory": Fault(before=_GONE, fails=None),
}


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str

    def check(self, fault: Fault, command: str) -> None:
        """One sentence and a status that is not 0, or neither; no traceback."""
        fails = fault.fails
        if command in FAILING:
            fails = True
        elif command in WORDLESS and fails:
            fails = None
        told = f"status {self.status}\n{self.out[-600:]}\n{self.err[-3000:]}"
        for trace in ("Traceback", "Exception ignored", "Error:", "  File "):
            assert trace not in self.err + self.out, told
        assert self.status in (0, 1, 2), told
        assert fails is None or bool(self.status) == fails, told
        if not fault.silent and self.status == 2:
            assert len(sentences(self.err)) == 1, told


def meet(fault: Fault, command: str, space: Space, directory: Path) -> Ended:
    """Runs a command under a fault, by bash, as a user's script does."""
    environment = {**os.environ, "OSGAP_PACKAGES_LIST": os.devnull}
    for name, value in fault.environment.items():
        environment.pop(name, None)
        if value is not None:
            environment[name] = value
    program = [sys.executable, "-P", str(space.checkout / "osgap" / "start.py"), "osgap"]
    line = f'{fault.before}"$@" {fault.shell}'
    done = subprocess.run(
        [*fault.wrapper, "bash", "-c", line, "bash", *program, *COMMANDS[command](space)],
        cwd=directory,
        env=environment,
        preexec_fn=fault.child,
        timeout=300,
        capture_output=True,
    )
    return Ended(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode())


def make_checkout(target: Path) -> Path:
    """A copy of the checkout in which building takes no time."""
    copy_checkout(target)
    _build_nothing(target)
    declared = Path("results", "locked", "runs.toml")  # of which `reproduce` makes its plan
    (target / declared).parent.mkdir(parents=True)
    shutil.copy(ROOT / declared, target / declared)
    return target


def make_space(folder: Path, finished: Path, tables: Path, checkout: Path) -> Space:
    """Copies that a command may spoil, below `folder`, and a checkout of make_checkout's."""
    folder.mkdir()
    (folder / "numbers").write_text("1\n2\n3\n4\n")
    measured.file(folder)
    (folder / "sbc.txt").write_text(foreign_texts.sbc_bench())
    space = Space(folder / "run", folder / "tables-run", folder / "new", checkout)
    shutil.copytree(finished, space.run)
    shutil.copytree(tables, space.tables)
    return space


def _build_nothing(checkout: Path) -> None:
    """SCons runs as ever, and what is built is an empty file; the quick study needs no image."""
    (checkout / "SConstruct").write_text(
        'Alias("image", Command("built", [], Touch("$TARGET"), variant=ARGUMENTS.get("variant")))\n'
    )
    quick = checkout / "configs" / "sweeps" / "quick.toml"
    quick.write_text(f'engine = "fake"\n{quick.read_text()}')
