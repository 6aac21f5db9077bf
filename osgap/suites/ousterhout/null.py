# SPDX-License-Identifier: BSD-3-Clause
"""The null model: R of every row from Tables 1 and 5 alone, to which the machines are fitted too.

Nothing is simulated.  A rule names the limit of a benchmark; R follows from the machine's MIPS
(Table 1) or its uncached copying (Table 5), relative to the MicroVAX II's.
"""

from __future__ import annotations

import pandas as pd

from osgap.suites.ousterhout.calibration.fit import target
from osgap.suites.ousterhout.published import REFERENCE_MACHINE

RULES = {
    "processor": "the processor limits it, time follows MIPS: R = 1",
    "memory": "memory limits it, the rate follows uncached copying: R = R(bcopy_uncached)",
    "disk": "the disk limits it, time stays the same: R = MIPS of the reference / MIPS",
}
"""The limits of a benchmark, and the R that follows from each."""

LIMITED_BY = {
    "bcopy_uncached": "memory",
    "read_file_cache": "memory",
    "create_delete_0k": "disk",
    "create_delete_10k": "disk",
    "create_delete_100k": "disk",
}
"""The paper's metric -> its rule, by what the paper says that it measures; else "processor".

Kernel entry, switches, select and paths execute code.  Cached copying moves what caches hold, so it
runs at the processor's speed.  Read copies from the file cache.  Creation waits for synchronous
writes.  Andrew is mostly compiling; its copying follows the same rule, so that no phase is chosen.
"""


def rule_speeds(reference: pd.DataFrame, source: int = 1990) -> pd.DataFrame:
    """R by each rule, against the reference: machines of a paper (index) by RULES (columns).

    Raises OsgapError for a machine without MIPS or copying rates.
    """
    ratings = reference[(reference["source"] == source) & (reference["metric"] == "mips")]
    machines = list(dict.fromkeys(ratings["machine"]))
    base = target(reference, REFERENCE_MACHINE[source], source)
    rows = []
    for name in machines:
        rates = target(reference, name, source)
        mips = rates.mips / base.mips
        rows.append((1.0, rates.uncached / base.uncached / mips, 1 / mips))
    return pd.DataFrame(rows, index=machines, columns=list(RULES), dtype=float)
