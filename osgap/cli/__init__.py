# SPDX-License-Identifier: BSD-3-Clause
"""The command `osgap`, with a module for each subcommand.

Modules import inside functions what takes long to load (pandas, pydantic, rich, matplotlib): the
help, the completion and the errors of options then appear at once. A test keeps it so.
"""
