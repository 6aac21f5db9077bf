# SPDX-License-Identifier: BSD-3-Clause
"""Runs one point, a system with an engine and orders, in a separate process."""
