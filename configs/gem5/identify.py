# SPDX-License-Identifier: BSD-3-Clause
"""Says which gem5 runs it. (`gem5 --build-info` would, but fails in v24.0.0.1.)"""

from _m5.core import gem5Version
from m5.defines import buildEnv

print(f"osgap: gem5 version={gem5Version} riscv={int(bool(buildEnv.get('USE_RISCV_ISA')))}")
