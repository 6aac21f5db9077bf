# SPDX-License-Identifier: BSD-3-Clause
"""Errors of options: of pairs without effect, and of values, with similar ones."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


def check_pairs(
    actions: Iterable[argparse.Action],
    parsed: argparse.Namespace,
    apart: Mapping[str, Sequence[str]],
    needs: Mapping[str, str],
) -> None:
    """Raises OsgapError for an argument that was given and has no effect.

    `apart` maps an argument to those that have no effect beside it, `needs` one to what it has no
    effect without. An argument is an option or a positional's metavar, or an option with one of
    its values: `--format csv`. One that has its default value counts as not given.
    """
    from osgap.base.errors import OsgapError

    named = {name: action for action in actions for name in _names(action)}

    def is_given(argument: str) -> bool:
        option, _, value = argument.partition(" ")
        values = getattr(parsed, named[option].dest)
        return str(values) == value if value else values != named[option].default and values != []

    for argument, idle in apart.items():
        for other in filter(is_given, idle if is_given(argument) else ()):
            raise OsgapError(f"{other}: found beside {argument}; allowed: one or the other")
    for argument, other in needs.items():
        if is_given(argument) and not is_given(other):
            raise OsgapError(f"{argument}: found without {other}; allowed: beside it")


def _names(action: argparse.Action) -> Sequence[str]:
    return action.option_strings or [str(action.metavar)]


def check_names(
    option: str, kind: str, names: Sequence[str] | None, available: Sequence[str]
) -> None:
    """Raises OsgapError, with similar names, for a name of `option` that is not available."""
    from osgap.base.errors import OsgapError
    from osgap.base.suggestions import unknown

    for name in names or ():
        if name not in available:
            raise OsgapError(f"{option}: {unknown(kind, name, available)}")


def check_sweep_names(
    machines: Sequence[str] | None,
    variants: Sequence[str] | None,
    engine: str | None,
    folder: Path | None = None,
) -> None:
    """Raises OsgapError, with similar names, for the names of machines, variants or an engine.

    `folder` has the machine files (None: the checkout's).
    """
    from osgap import engines
    from osgap.base.paths import project_root
    from osgap.image.variants import names as variant_names

    root = project_root()
    available = ["default", *variant_names(root / "disk-images" / "variants")]
    files = machine_names(folder or root / "configs" / "machines")
    check_names("--machine", "machine", machines, files)
    check_names("--variant", "variant", variants, available)
    check_names("--engine", "engine", engine and [engine], engines.names())


def machine_names(folder: Path) -> list[str]:
    """The machine files in a folder, with their folders in the names."""
    files = sorted(folder.rglob("*.toml"))
    return [file.relative_to(folder).with_suffix("").as_posix() for file in files]


@contextmanager
def named_options(values: Mapping[str, object]) -> Iterator[None]:
    """Makes errors of these `values`, by their keys in a sweep file, name their options."""
    from osgap.base.config import ConfigError
    from osgap.machines.axes import AXES

    options = {axis.key: axis.option for axis in AXES}
    options |= {"timeout_s": "--timeout", "memory_limit_mib": "--memory-limit"}
    try:
        yield
    except ConfigError as error:
        match = re.match(r"command line: ([a-z_0-9]+)(?:\.[0-9]+)?: ", str(error))
        if match is None or match[1] not in values:
            raise
        option = options.get(match[1], f"--{match[1]}")
        raise ConfigError(f"{option}: {str(error)[match.end() :]}") from error
