# SPDX-License-Identifier: BSD-3-Clause
"""Glue between SCons and the steps: errors as one sentence, commands without a shell."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from SCons.Errors import BuildError

from osgap.base.errors import OsgapError
from osgap.base.output import print_error
from osgap.base.processes import environment

Step = Callable[[list[Path], list[Path]], None]


def action(step: Step) -> Callable[[Any, Any, Any], int]:
    """A step (sources, targets) as a SCons action function."""

    def perform(target: Any, source: Any, env: Any) -> int:
        sources = [Path(node.abspath) for node in source if hasattr(node, "abspath")]
        targets = [Path(node.abspath) for node in target]
        try:
            step(sources, targets)
        except OsgapError as error:
            raise BuildError(target[0], errstr=str(error), status=2, exitstatus=2) from error
        return 0

    return perform


def spawn(
    _shell: str, _escape: object, _command: str, args: Sequence[str], env: Mapping[str, str]
) -> int:
    """Run a compiler line as an argument list: no shell ever sees a file name."""
    try:
        return subprocess.run(list(args), env=environment(base=env), check=False).returncode
    except FileNotFoundError:
        print_error(f"scons: {args[0]} cannot be run: is it installed?")
        return 127


def make_cache(path: Path) -> Path:
    """The cache, created when it is the first time."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OsgapError(f"the cache {path} cannot be made: {error.strerror}") from error
    return path
