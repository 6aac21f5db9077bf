# SPDX-License-Identifier: BSD-3-Clause
"""The papers' own tables (results/reference) and their arithmetic repeated.

Sources: J. Ousterhout, DEC WRL Technical Note TN-11, October 1989 (`source` 1989, reference
machine Sun-3) and USENIX Summer 1990 (`source` 1990, reference machine MicroVAX II).
"""

from collections.abc import Collection

import pandas as pd

from osgap.analysis.relative import NAN, relative_speed

REFERENCE_MACHINE = {1989: "Sun3", 1990: "MVAX2"}

# Table -> the metric whose MIPS-relative speed it prints; Table 8 relates the totals of Table 7.
MEASURED = {
    2: "getpid",
    3: "cswitch_roundtrip",
    4: "select_10_full",
    5: "bcopy_uncached",
    6: "read_file_cache",
    8: "andrew_total",
    9: "open_close_foo",
    10: "create_delete_0k",
}
TITLES = {
    2: "getpid",
    3: "context switching",
    4: "select",
    5: "bcopy",
    6: "read from the file cache",
    7: "modified Andrew",
    9: "open-close",
    10: "create-delete",
}
"""The paper's tables -> their benchmarks."""
SPRITE = "Sprite"
"""The system with delayed writes; all others wait for the disk."""
LOCAL = ("-", "local")
"""Local files; remote ones (NFS, AFS, diskless Sprite) are not simulated."""
BANDWIDTHS = frozenset({"bcopy_cached", "bcopy_uncached", "read_file_cache"})


def source_of(machine: str) -> int:
    """Returns the year of the paper that rates a machine, by its folder in configs/machines."""
    return 1989 if machine.partition("/")[0].endswith("-1989") else 1990


class Paper:
    """One paper's measured values, from ousterhout_tables.csv; units are the paper's."""

    def __init__(self, tables: pd.DataFrame, source: int) -> None:
        self.source = source
        self.reference_machine = REFERENCE_MACHINE[source]
        printed = tables[(tables["source"] == source) & (tables["value"] != "--")]
        columns = ["table", "machine", "os", "variant", "metric", "value"]
        self._rows: list[tuple[int, str, str, str, str, str]] = list(
            printed[columns].itertuples(index=False, name=None)
        )

    def mips(self, machine: str) -> float:
        """The machine's rating in Table 1, MIPS."""
        return self._value("mips", machine)

    def value(self, metric: str, machine: str, variant: str) -> float:
        """Returns a table's printed value in its unit; NaN without one, or for several systems."""
        return self._value(metric, machine, variants={variant})

    def relative_measured(self, measured: str, machine: str, os: str, variant: str) -> float:
        """R of a measured metric against the paper's reference machine, local against local."""
        variants = {variant} if variant in LOCAL else self._remote(measured)
        return relative_speed(
            self._value(measured, machine, os, {variant}),
            self.reference_value(measured, os, variants),
            self.mips(machine),
            self.mips(self.reference_machine),
            bandwidth=measured in BANDWIDTHS,
        )

    def reference_value(self, measured: str, os: str, variants: Collection[str] = LOCAL) -> float:
        """The reference machine's value, on the system that stands for `os`; NaN without one."""
        system = self.reference_system(measured, os)
        return self._value(measured, self.reference_machine, system, variants)

    def reference_system(self, measured: str, os: str) -> str:
        """The reference machine's system that stands for `os`: it, or of its family, or alone."""
        return self._os(self.reference_machine, os, measured)

    def _remote(self, measured: str) -> set[str]:
        return {row[3] for row in self._rows if row[4] == measured} - {"local", "-"}

    def _os(self, machine: str, os: str, measured: str) -> str:
        """The reference machine's system: `os`, or of its family (Sprite or not), or alone."""
        systems = sorted({row[2] for row in self._rows if row[1] == machine and row[4] == measured})
        family = [name for name in systems if (name == SPRITE) == (os == SPRITE)]
        same = [name for name in systems if name == os]
        return (same or family or systems or [os])[0]

    def _value(
        self,
        metric: str,
        machine: str,
        os: str | None = None,
        variants: Collection[str] | None = None,
    ) -> float:
        values = [
            float(row[5])
            for row in self._rows
            if row[4] == metric
            and row[1] == machine
            and (os is None or row[2] == os)
            and (variants is None or row[3] in variants)
        ]
        return values[0] if len(values) == 1 else NAN
