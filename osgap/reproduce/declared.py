# SPDX-License-Identifier: BSD-3-Clause
"""Models of results/locked/runs.toml: how each committed run is made, and what reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, StringConstraints, field_validator, model_validator

from osgap.base.config import read_model
from osgap.base.frozen import Frozen
from osgap.base.paths import project_root
from osgap.base.validation import out_of_range

LOCKED = Path("results", "locked")
FILE = LOCKED / "runs.toml"
TODAYS = "today"
"""The image of a run that a clone of today builds."""
_PART = r"[A-Za-z0-9][A-Za-z0-9._-]*"
RunName = Annotated[str, StringConstraints(pattern=rf"^{_PART}(/{_PART})*$")]
_Sentence = Annotated[str, StringConstraints(pattern=r"\?$", max_length=140)]
_FOLDER = re.compile(r"\{([^{}]+)\}")
SIMULATING = ("sweep", "kernel-ab")
"""The commands that simulate points."""
_MAKERS = (*SIMULATING, "analyze", "compare", "kennaway", "paper", "board")


class DeclaredRun(Frozen):
    """A folder of results/locked: its question, the commands that make it, its cost, its reader.

    `commands` are of osgap; each writes into the run's folder, or into the one in it that --output
    names. `{NAME}` in them is the folder of the run NAME, and a file's path is from the checkout
    on. `image` is TODAYS, or the commit that builds it. `minutes` are 0 where the points have no
    record of their times. A run that is not made again says in `exemption` why.
    """

    name: RunName
    question: _Sentence
    page: str
    image: Annotated[str, StringConstraints(pattern=rf"^({TODAYS}|[0-9a-f]{{7}})$")] = TODAYS
    depends: tuple[RunName, ...] = ()
    commands: tuple[Annotated[tuple[str, ...], Field(min_length=1)], ...] = ()
    exemption: str = ""
    points: Annotated[int, Field(ge=0)] = 0
    minutes: Annotated[float, Field(ge=0)] = 0.0

    @property
    def sweeps(self) -> Iterator[tuple[str, ...]]:
        """The commands that simulate."""
        return (words for words in self.commands if words[0] in SIMULATING)

    @property
    def engine(self) -> str:
        """The simulator of its sweeps; "" for a folder of tables over other runs."""
        return next((option(words, "--engine") or "rvsim" for words in self.sweeps), "")

    @property
    def folders(self) -> Iterator[str]:
        """The runs whose folders its commands name, itself among them."""
        words = (word for command in self.commands for word in command)
        return (name for word in words for name in _FOLDER.findall(word))

    @field_validator("commands")
    @classmethod
    def _known_makers(cls, commands: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
        for words in commands:
            if words[0] not in _MAKERS:
                raise out_of_range(words[0], f"a command of {', '.join(_MAKERS)}")
        return commands

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if bool(self.commands) == bool(self.exemption):
            choice = "both" if self.exemption else "neither"
            raise out_of_range(choice, "either commands or exemption", "commands")
        for name in self.folders:
            if name not in (self.name, *self.depends):
                raise out_of_range(f"{{{name}}}", "a run of depends", "commands")
        return self


class Declarations(Frozen):
    """The content of runs.toml: each run after those that it depends on."""

    run: Annotated[tuple[DeclaredRun, ...], Field(min_length=1)]

    @cached_property
    def by_name(self) -> dict[str, DeclaredRun]:
        """The runs by name, in the order of the file."""
        return {run.name: run for run in self.run}

    @model_validator(mode="after")
    def _is_in_order(self) -> Self:
        before: set[str] = set()
        for run in self.run:
            if run.name in before:
                raise out_of_range(run.name, "each run once", "run")
            for name in run.depends:
                if name not in before:
                    raise out_of_range(name, "a run that is declared before", f"run {run.name}")
            before.add(run.name)
        return self


def option(words: tuple[str, ...], name: str) -> str:
    """The value of an option in a command's words; "" without."""
    return words[words.index(name) + 1] if name in words[:-1] else ""


def with_folders(words: Iterable[str], folder: Callable[[str], Path]) -> list[str]:
    """The words, with each {NAME} replaced by the path that `folder` gives for the run NAME."""
    return [_FOLDER.sub(lambda match: str(folder(match[1])), word) for word in words]


def declarations() -> Declarations:
    """The committed runs as this checkout declares them. Raises ConfigError."""
    return read_model(project_root() / FILE, Declarations)
