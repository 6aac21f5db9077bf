# SPDX-License-Identifier: BSD-3-Clause
"""Prints tables of runs, and exports them as text, CSV, JSON or Markdown."""
