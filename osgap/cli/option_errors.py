# SPDX-License-Identifier: BSD-3-Clause
"""Errors of options' values: they name the option, and similar values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


def check_names(
    option: str, kind: str, names: Sequence[str] | None, available: Sequence[str]
) -> None:
    """Raises OsgapError, with similar names, for a name of `option` that is not available."""
    from osgap.base.errors import OsgapError
    from osgap.base.suggestions import unknown

    for name in names or ():
        if name not in available:
            raise OsgapError(f"{option}: {unknown(kind, name, available)}")


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
