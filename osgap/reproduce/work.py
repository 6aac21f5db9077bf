# SPDX-License-Identifier: BSD-3-Clause
"""Makes declared runs again: each command writes into the output folder, never into the locked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.reproduce.declared import SIMULATING, DeclaredRun, option, with_folders
from osgap.rundir.directory import DONE, POINTS, is_accepted, runs_below
from osgap.rundir.output import claim
from osgap.sweep.snakemake import Interrupted

Perform = Callable[[list[str]], int]
"""Runs `osgap` with these words; the exit status. It may raise OsgapError."""
COMBINED = "combined"
"""The folder of tables over several of a run's points, inside the run's."""


@dataclass(frozen=True)
class Places:
    """The folder of the committed runs, and that of the runs made again."""

    locked: Path
    output: Path

    def folder(self, name: str) -> Path:
        """The folder of a run to read: where it was made again, else the committed one."""
        again = self.output / name
        return again if again.is_dir() else self.locked / name


def check_output(output: Path) -> Path:
    """Claims the output folder. Raises OsgapError for a folder of committed or others' files."""
    if is_accepted(output):
        raise OsgapError(f"{output}: holds committed runs; allowed: a folder elsewhere")
    return claim(output)


def make_run(run: DeclaredRun, places: Places, perform: Perform, options: Sequence[str]) -> str:
    """Runs the commands of `run`, sweeps with these options; the reason of a failure, "" without.

    A finished point is not simulated again, as in any sweep. Raises Interrupted.
    """
    for words in run.commands:
        try:
            status = perform(_words(run, words, places, options))
        except Interrupted:
            raise
        except OsgapError as error:
            return str(error)
        if status:
            return f"osgap {words[0]}: exit status {status}"
    return ""


def _words(
    run: DeclaredRun, words: Sequence[str], places: Places, options: Sequence[str]
) -> list[str]:
    """The words of one command, with its folders and its output."""
    folder = places.output / run.name
    maker, *rest = with_folders(map(_file, words), places.folder)
    if inner := option(tuple(rest), "--output"):
        rest[rest.index("--output") + 1] = str(folder / inner)
    else:
        rest += ["--output", str(folder / COMBINED if maker == "analyze" else folder)]
    return [maker, *rest, *(options if maker in SIMULATING else ["--no-pager"])]


def _file(word: str) -> str:
    """The word, as an absolute path if it is that of a file in the checkout."""
    path = project_root() / word
    return str(path) if "/" in word and path.is_file() else word


def finished_points(run: DeclaredRun, places: Places) -> int:
    """The number of finished points of `run` in the output folder."""
    folders = runs_below(places.output / run.name)
    return sum(len(list((folder / POINTS).glob(f"[!.]*/{DONE}"))) for folder in folders)
