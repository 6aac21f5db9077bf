# SPDX-License-Identifier: BSD-3-Clause
"""Declares the suite of boards: benchmarks as published programs of today have them."""

from osgap.analysis.suite import Suite
from osgap.suites.boards import FIGURES
from osgap.suites.boards.beside import beside

# One load follows the other for sixteen loads or more before the loop turns.
CHASES = (
    *(f"chase_{size}" for size in ("16k", "128k", "512k", "1m", "4m", "16m")),
    "chase8_128k",
    "chase8_16m",
)
_RINGS = tuple(f"{members}_{size}" for members in (2, 8, 16) for size in ("16k", "64k"))

SUITE = Suite(
    name="boards",
    title="Boards of today",
    workloads=("boards",),
    uncorrected=frozenset(CHASES),
    # As in workloads/mcvoy: a hop of the ring less the same hop and sum in one process.
    overheads={f"ctx_{ring}": f"ctx_overhead_{ring}" for ring in _RINGS},
    figures=FIGURES,
    command="board",
    beside=beside,
)
