# SPDX-License-Identifier: BSD-3-Clause
"""Errors, units, files, digests, output and processes, for all packages above; imports none."""
