# SPDX-License-Identifier: BSD-3-Clause
"""A comparison of two kernels: what is asked, its image variants, its sweep, and its runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.image.kernelrecipe import MOST_LAYOUTS
from osgap.image.variants import DEFAULT
from osgap.kernels.change import Change
from osgap.machines.axes import CLOCK
from osgap.rundir.directory import runs_below
from osgap.sweep.prepare import prepare_sweep
from osgap.sweep.spec import SweepFile

SWEEP = "kernel-ab"
"""The sweep file with the rows that are run unless others are named."""
FEWEST_LAYOUTS = 2
RUNS = "runs"
"""The folder of the comparison's runs in its directory."""


@dataclass(frozen=True)
class KernelComparison:
    """Two kernels, and the numbers of the layouts of each, in pairs.

    Without `change` both sides are the base, in layouts that differ.
    """

    base_kernel: Change
    change: Change | None
    base_layouts: tuple[int, ...]
    changed_layouts: tuple[int, ...]

    @property
    def changed_kernel(self) -> Change:
        """The kernel of the other side."""
        return self.change or self.base_kernel

    @property
    def base(self) -> tuple[str, ...]:
        """The base's image variants."""
        return tuple(map(self.base_kernel.kernel.variant, self.base_layouts))

    @property
    def changed(self) -> tuple[str, ...]:
        """The other side's image variants."""
        return tuple(map(self.changed_kernel.kernel.variant, self.changed_layouts))

    @property
    def numbers(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """The number of the layout of each image variant, of either side."""
        return (
            dict(zip(self.base, self.base_layouts, strict=True)),
            dict(zip(self.changed, self.changed_layouts, strict=True)),
        )

    @property
    def base_label(self) -> str:
        """The base's name, for people."""
        if label := self.base_kernel.label:
            return label
        variant = self.base_kernel.kernel.extends
        return "the default kernel" if variant == DEFAULT else f"the kernel of variant {variant}"

    @property
    def changed_label(self) -> str:
        """The other side's name, for people."""
        return self.change.label if self.change else "the same in other layouts"

    @property
    def stem(self) -> str:
        """The last part of the default name of the comparison's directory."""
        return self.change.stem if self.change else "itself"

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of both sides, pair by pair: a break leaves whole pairs."""
        return tuple(name for pair in zip(self.base, self.changed, strict=True) for name in pair)

    def write_recipes(self) -> None:
        """Writes the recipes of all variants. Raises OSError."""
        for layout in self.base_layouts:
            self.base_kernel.write(layout)
        for layout in self.changed_layouts:
            self.changed_kernel.write(layout)


def make_comparison(base: Change, changed: Change | None, layouts: int) -> KernelComparison:
    """Returns the comparison in so many layouts of each kernel. Raises OsgapError.

    Layouts of two kernels have the same numbers; without `changed`, the base is compared with
    itself in as many other layouts.
    """
    most = MOST_LAYOUTS if changed else MOST_LAYOUTS // 2
    if not FEWEST_LAYOUTS <= layouts <= most:
        raise OsgapError(f"--layouts: found {layouts}; allowed: {FEWEST_LAYOUTS} to {most}")
    numbers = tuple(range(layouts))
    second = numbers if changed else tuple(range(layouts, 2 * layouts))
    return KernelComparison(base, changed, numbers, second)


def sweep_of(comparison: KernelComparison, values: Mapping[str, object]) -> SweepFile:
    """Returns the sweep of both sides; `values` replace those of the file SWEEP.

    Raises OsgapError.
    """
    return prepare_sweep(SWEEP, {**values, "variant": comparison.variants}, (), build=False)


def places_of(sweep: SweepFile) -> int:
    """Returns the number of points of each image: machines by clocks."""
    return len(sweep.machine) * len(sweep.values(CLOCK) or (None,))


def run_folders(output: Path) -> list[Path]:
    """Returns the directories of the comparison's runs that have begun."""
    folder = output / RUNS
    return sorted(runs_below(folder)) if folder.is_dir() else []
