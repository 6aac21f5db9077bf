# SPDX-License-Identifier: BSD-3-Clause
"""Ousterhout's suite: the paper's ten machines as simulated beside its printed tables."""

from pathlib import Path

FIGURES = Path(__file__).parent / "figures"
