# SPDX-License-Identifier: BSD-3-Clause
"""The command `osgap`: a module a subcommand."""
