# SPDX-License-Identifier: BSD-3-Clause
"""Kennaway's extractions of 2005 on several harts, with a giant lock and without."""

from pathlib import Path

FIGURES = Path(__file__).parent / "figures"
