# SPDX-License-Identifier: BSD-3-Clause
"""Connects SCons to the build steps: errors become one sentence, commands need no shell."""

import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from SCons.Action import Action
from SCons.Errors import BuildError

from osgap.base.errors import OsgapError
from osgap.base.output import print_error
from osgap.base.processes import environment

Sources = Mapping[str, list[Path]]
"""The files that a step reads, by the names that its declaration gives them."""
Function = Callable[[Sources, list[Path]], None]
"""A step: reads its sources and writes its targets. Raises OsgapError."""


@dataclass(frozen=True)
class SconsStep:
    """A build step as an action function of SCons; `counts` are the numbers of its sources.

    SCons's signature of the action has nothing but the code of `__call__`: whatever else a step
    depends on has to be one of its sources.
    """

    function: Function
    counts: Mapping[str, int]

    def __call__(self, target: Any, source: Any, env: Any) -> int:
        """Runs the step. Raises BuildError."""
        paths: Iterator[Path] = (Path(node.abspath) for node in source if hasattr(node, "abspath"))
        sources = {name: list(islice(paths, count)) for name, count in self.counts.items()}
        try:
            self.function(sources, [Path(node.abspath) for node in target])
        except OsgapError as error:
            raise BuildError(target[0], errstr=str(error), status=2, exitstatus=2) from error
        return 0


def declare(
    env: Any,
    targets: Sequence[str],
    sources: Mapping[str, Sequence[Any]],
    function: Function,
    label: str,
    values: Sequence[str] = (),
) -> Any:
    """Declares a step, which prints `label`, to SCons; returns the nodes of its targets."""
    nodes = [node for group in sources.values() for node in group]
    step = SconsStep(function, {name: len(group) for name, group in sources.items()})
    everything = [*nodes, *map(env.Value, values)]
    return env.Command(list(targets), everything, Action(step, f"  {label}"))


def spawn(
    _shell: str, _escape: object, _command: str, args: Sequence[str], env: Mapping[str, str]
) -> int:
    """Runs a compiler line as an argument list: no shell ever sees a file name."""
    try:
        return subprocess.run(list(args), env=environment(base=env), check=False).returncode
    except FileNotFoundError:
        print_error(f"scons: {args[0]} cannot be run: is it installed?")
        return 127


def make_cache(path: Path) -> Path:
    """Returns the cache directory, after creating it if missing. Raises OsgapError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OsgapError(
            f"the cache {path} cannot be made: {error.strerror}; give another "
            "directory in $OSGAP_CACHE"
        ) from error
    return path
