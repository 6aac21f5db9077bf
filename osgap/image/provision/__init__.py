# SPDX-License-Identifier: BSD-3-Clause
"""Fetching what osgap is built from (standard library only: it runs before .venv exists)."""
