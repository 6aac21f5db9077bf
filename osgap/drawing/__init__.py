# SPDX-License-Identifier: BSD-3-Clause
"""Finds, renders and saves figures; their style; tables on the console."""
