# SPDX-License-Identifier: BSD-3-Clause
"""The version, for the package, for pip and for `osgap --version`."""

VERSION = "0.2.0"
