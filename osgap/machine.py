# SPDX-License-Identifier: BSD-3-Clause
"""A door for configs/gem5/run.py, whose bytes are part of the key of every point on gem5."""

from osgap.machines.machine import load_machine
from osgap.machines.system import system

__all__ = ["load_machine", "system"]
