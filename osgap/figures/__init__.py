# SPDX-License-Identifier: BSD-3-Clause
"""Figures of any run, a module each; of two runs in compare/. osgap.drawing.figure has the form."""

from pathlib import Path

OF_A_RUN = Path(__file__).parent
OF_TWO_RUNS = OF_A_RUN / "compare"
