# SPDX-License-Identifier: BSD-3-Clause
"""A door for configs/gem5/run.py, whose bytes are part of the key of every point on gem5."""

from osgap.base.errors import OsgapError

__all__ = ["OsgapError"]
