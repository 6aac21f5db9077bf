# SPDX-License-Identifier: BSD-3-Clause
"""Snakemake profiles of clusters: configs/profiles/NAME/config.yaml, or the user's directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from osgap.base import inputs
from osgap.base.config import ConfigError
from osgap.base.quoting import quoted, reason

_LARGEST = 1 << 20


@dataclass(frozen=True)
class Profile:
    """A profile's directory, its executor, and the number of jobs that may exist at once."""

    directory: Path
    executor: str
    jobs: int


def find_profile(name: str, profiles: Path) -> Path:
    """The directory of the profile with this name in `profiles`, or path. Raises ConfigError."""
    for directory in (profiles / name, Path(name)):
        if (directory / "config.yaml").is_file():
            return directory.resolve()
    names = ", ".join(sorted(path.parent.name for path in profiles.glob("*/config.yaml"))) or "none"
    raise ConfigError(
        f"--profile: found {quoted(name)}; allowed: {names}, or a directory with a config.yaml"
    )


def load_profile(directory: Path) -> Profile:
    """Reads the profile in `directory`. Raises ConfigError unless it has `executor` and `jobs`."""
    path = directory / "config.yaml"
    try:
        data = yaml.safe_load(inputs.read_text(path, largest=_LARGEST))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, RecursionError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: not readable as YAML: {reason(error)}") from None
    if not isinstance(data, dict) or not isinstance(data.get("executor"), str):
        raise ConfigError(f"{path}: executor: missing")
    jobs = data.get("jobs")
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1:
        raise ConfigError(f"{path}: jobs: found {quoted(jobs)}; allowed: a number above 0")
    return Profile(directory, data["executor"], jobs)
