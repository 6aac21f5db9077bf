# SPDX-License-Identifier: BSD-3-Clause
"""JSON files of a run, which state the version of their format; later versions are refused."""

from __future__ import annotations

from typing import TypeVar

from pydantic import ConfigDict

from osgap.base.config import parse_json, validate
from osgap.base.frozen import Exact
from osgap.base.quoting import quoted
from osgap.rundir.csvfile import ResultsError

FORMAT = 1


class Versioned(Exact):
    """A JSON object with a `format`; unknown keys are kept."""

    model_config = ConfigDict(extra="allow")

    format: int = FORMAT


AnyVersioned = TypeVar("AnyVersioned", bound=Versioned)


def parse_record(content: bytes, model: type[AnyVersioned], where: str) -> AnyVersioned:
    """Parses a JSON file called `where` in errors. Raises ConfigError or ResultsError."""
    data = parse_json(content, where)
    # The first check, because another format may have other keys.
    version = data.get("format", FORMAT) if isinstance(data, dict) else FORMAT
    if isinstance(version, bool) or version != FORMAT:
        raise ResultsError(f"{where}: has format {quoted(version)}, this program reads {FORMAT}")
    return validate(data, model, where)
