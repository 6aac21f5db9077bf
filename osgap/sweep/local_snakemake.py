# SPDX-License-Identifier: BSD-3-Clause
"""The program Snakemake, for jobs on this machine: it starts without what clusters need.

Snakemake imports each executor plugin that is installed, and Slurm's imports pandas: a quarter of
the time that Snakemake takes to start. Jobs on this machine use an executor of Snakemake itself.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

_PLUGIN = "snakemake_executor_plugin_"
_installed = pkgutil.iter_modules


def load_main() -> Callable[[], object]:
    """Returns the main function of Snakemake, which has seen no executor plugin."""
    pkgutil.iter_modules = _without_executors
    try:
        from snakemake.cli import main
    finally:
        pkgutil.iter_modules = _installed
    loaded: Callable[[], object] = main
    return loaded


def _without_executors(*places: Any, **options: Any) -> Iterator[pkgutil.ModuleInfo]:
    return (info for info in _installed(*places, **options) if not info.name.startswith(_PLUGIN))


if __name__ == "__main__":
    load_main()()
