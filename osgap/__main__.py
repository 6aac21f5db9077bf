# SPDX-License-Identifier: BSD-3-Clause
"""`python -m osgap`: the command, where it is not installed."""

from osgap.cli.main import entry

entry()
