# SPDX-License-Identifier: BSD-3-Clause
"""Tells a worker whether its sweep still runs, so that it ends even after a killed sweep."""

from __future__ import annotations

import os

from osgap.base.config import parse_json_model
from osgap.base.errors import OsgapError
from osgap.base.identity import Process, this_process

VARIABLE = "OSGAP_SWEEP"


def owner() -> str:
    """This process: the value of `VARIABLE` for its children."""
    return this_process().model_dump_json()


def is_gone() -> bool:
    """True if the sweep that started this process can be seen from here, and has ended."""
    try:
        sweep = parse_json_model(os.environ.get(VARIABLE, "").encode(), Process, VARIABLE)
    except OsgapError:
        return False
    return sweep.lives() is False
