# SPDX-License-Identifier: BSD-3-Clause
"""Declares Ousterhout's suite: his benchmarks, and the sets of them that Figure 1 may average."""

from osgap.analysis.suite import CombinedTable, PublishedMeans, Suite
from osgap.suites.ousterhout import FIGURES
from osgap.suites.ousterhout.beside import beside
from osgap.suites.ousterhout.published import REFERENCE_MACHINE
from osgap.suites.ousterhout.since import SINCE_1990, SINCE_1990_MEANS
from osgap.suites.ousterhout.sincereport import means_result, since_result

# Figure 1 of 1990 averages every MIPS-relative speed that the tables print: Tables 2-4, 6 and
# 8-10, one row each.  Table 7 prints none: Andrew enters once, through Table 8, by its total, as
# in results/reference/figure1_geomeans.csv.  Table 4 relates "10 full", Table 9 "foo", Table 10
# no data.  The text does not say whether Table 5 (bcopy, MB/s per MIPS) enters: hence two sets.
FIGURE1 = (
    "getpid",
    "cswitch",
    "select_10_full",
    "read",
    "andrew_total",
    "open_close_foo",
    "create_delete_0",
)
_PHASES = ("andrew_copyphases", "andrew_make")
_COPY_PHASES = ("andrew_makedir", "andrew_copy", "andrew_scandir", "andrew_readall")

SUITE = Suite(
    name="ousterhout",
    title="Ousterhout 1990",
    workloads=("ousterhout",),
    sets={
        "figure1": FIGURE1,
        "figure1_bcopy": (*FIGURE1, "bcopy_uncached"),
        # Not the paper's: the two halves of Table 7 in place of the total.
        "figure1_phases": tuple(name for name in FIGURE1 if name != "andrew_total") + _PHASES,
    },
    rows=FIGURE1,
    always=True,
    # Steps between 0 and 10 KB, which the paper does not print.
    unlisted=frozenset(f"create_delete_{size}k" for size in range(2, 10)),
    # The names in the paper's Table 7 are "copy" and the total.
    composites={
        "andrew_copyphases": _COPY_PHASES,
        "andrew_total": (*_COPY_PHASES, "andrew_make"),
    },
    combined=(
        CombinedTable(SINCE_1990, since_result),
        CombinedTable(SINCE_1990_MEANS, means_result),
    ),
    default_tables=(SINCE_1990.name, SINCE_1990_MEANS.name),
    figures=FIGURES,
    published=PublishedMeans(
        "figure1",
        table="figure1_geomeans",
        base=REFERENCE_MACHINE[1990],
        label="Ousterhout 1990, the same rows",
        machines="the paper's ten machines, the same rows as printed in 1990",
    ),
    command="paper",
    beside=beside,
)
