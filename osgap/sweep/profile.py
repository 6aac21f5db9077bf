# SPDX-License-Identifier: BSD-3-Clause
"""Snakemake profiles: configs/profiles/NAME/config.yaml, or a directory of the user's own."""

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
    """How Snakemake reaches a cluster, and how many jobs may be there at once."""

    directory: Path
    executor: str
    jobs: int


def find_profile(name: str, profiles: Path) -> Path:
    """The directory of a profile, by its name in `profiles` or by its path. Raises ConfigError."""
    for directory in (profiles / name, Path(name)):
        if (directory / "config.yaml").is_file():
            return directory.resolve()
    known = ", ".join(sorted(path.parent.name for path in profiles.glob("*/config.yaml"))) or "none"
    raise ConfigError(
        f"profile: found {quoted(name)}; allowed: {known}, or a directory with a config.yaml"
    )


def load_profile(directory: Path) -> Profile:
    """The profile in `directory`. Raises ConfigError unless it names an executor and jobs."""
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
