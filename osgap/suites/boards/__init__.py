# SPDX-License-Identifier: BSD-3-Clause
"""Boards of today: what the simulation predicts of them, row by row, against what was measured."""

from pathlib import Path

FIGURES = Path(__file__).parent / "figures"
