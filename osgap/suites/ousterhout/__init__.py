# SPDX-License-Identifier: BSD-3-Clause
"""The paper's ten machines: what is simulated of them beside what its tables print."""

from pathlib import Path

FIGURES = Path(__file__).parent / "figures"
