# SPDX-License-Identifier: BSD-3-Clause
"""Runs one point with a given library of rvsim, and prints digests of all its results.

`start.py osgap.engines.rvsim_training IMAGE CACHE SCRATCH LIBRARY`, with the path of the library or
`wheel`. An instrumented library writes its profile, and equal digests mean equal builds.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from osgap.base.output import print_document
from osgap.base.paths import project_root
from osgap.engines import host_allocator, rvsim_builds
from osgap.engines.contract import Job
from osgap.engines.rvsim import Rvsim
from osgap.guest.protocol import Orders
from osgap.image.files import load_image
from osgap.machines.machine import load_machine
from osgap.machines.system import system

RUN = (
    "checks/integer_mix",
    "ousterhout/andrew_makedir",
    "ousterhout/andrew_scandir",
    "ousterhout/open_close_foo",
    "ousterhout/create_delete_0",
)
"""Benchmarks of user code, the kernel's file system and the disk."""
CLOCK_MHZ = 160.0
_TIMEOUT_S = 1800.0


def digests(image: Path, cache: Path, scratch: Path) -> Mapping[str, str]:
    """Runs the point; returns the SHA-256 of its console, its stats.txt and rvsim's own dumps."""
    machine = load_machine(project_root() / "configs" / "machines" / "base.toml")
    resolved = system(machine, CLOCK_MHZ, "fixed", "fixed")
    engine, loaded = Rvsim(), load_image(image)
    orders = Orders(engine.marks, RUN, ("unix", "sprite"), resolved.disk.model_dump(), 0, {})
    engine.prepare(loaded, resolved, cache, print)
    job = Job(loaded, resolved, orders, cache, scratch, _TIMEOUT_S)
    outcome, simulator = engine.simulate(job)
    dumps = [(label, sorted(raw.query("**"))) for label, raw in simulator.stats_dumps]
    parts = {"console": outcome.console, "stats.txt": outcome.stats, "dumps": repr(dumps)}
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in parts.items()}


def main(image: str, cache: str, scratch: str, core: str) -> None:
    """Prints a line of JSON: the digests, the allocator, and the library's path."""
    if core == rvsim_builds.WHEEL:
        core = str(rvsim_builds.use_wheel())
    else:
        rvsim_builds.load_core(Path(core))
    results = digests(Path(image), Path(cache), Path(scratch))
    allocator = host_allocator.describe(host_allocator.in_use())
    print_document(json.dumps({"digests": results, "allocator": allocator, "library": core}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
