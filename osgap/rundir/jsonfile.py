# SPDX-License-Identifier: BSD-3-Clause
"""The JSON files of a run: each says its format, and a later one is refused."""

from __future__ import annotations

from typing import TypeVar

from pydantic import ConfigDict

from osgap.base.config import parse_json, validate
from osgap.base.frozen import Exact
from osgap.base.quoting import quoted
from osgap.rundir.csvfile import ResultsError

FORMAT = 1


class Versioned(Exact):
    """A record that may have more keys than this program knows."""

    model_config = ConfigDict(extra="allow")

    format: int = FORMAT


AnyVersioned = TypeVar("AnyVersioned", bound=Versioned)


def parse_record(content: bytes, model: type[AnyVersioned], where: str) -> AnyVersioned:
    """The record that a JSON file holds. `where` names it in errors.

    Raises ConfigError for what is not JSON or no such record, ResultsError for another format.
    """
    data = parse_json(content, where)
    # Before all else: another format may have other keys.
    known = data.get("format", FORMAT) if isinstance(data, dict) else FORMAT
    if isinstance(known, bool) or known != FORMAT:
        raise ResultsError(f"{where}: has format {quoted(known)}, this program reads {FORMAT}")
    return validate(data, model, where)
