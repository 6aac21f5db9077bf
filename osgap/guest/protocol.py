# SPDX-License-Identifier: BSD-3-Clause
"""The guest protocol of docs/reference/protocol.md, version 2: writes orders, parses a console."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.guest.console import EARLIER, PREFIX, PROTOCOL, GuestConsole
from osgap.guest.errors import BenchmarkFailed, GuestError, GuestFlood, GuestPanic, NoEndMarker
from osgap.guest.file_systems import FILE_SYSTEMS, LOCAL, REMOTE
from osgap.guest.lines import check_word
from osgap.guest.transcript import Reader, Transcript
from osgap.guest.working_sets import LEAST_BYTES, MOST_BYTES, STEP_BYTES, is_order

__all__ = [
    "CALLS",
    "EARLIER",
    "FILE_SYSTEMS",
    "LOCAL",
    "MARKS",
    "PREFIX",
    "PROTOCOL",
    "REMOTE",
    "BenchmarkFailed",
    "GuestError",
    "GuestFlood",
    "GuestPanic",
    "NoEndMarker",
    "Orders",
    "OsgapError",
    "Transcript",
    "parse",
]

CALLS = ("direct", "patch-first", "patch-optimised", "sud-first", "sud-optimised")
"""Ways of making system calls; the first is the kernel's usual one."""
MARKS = ("none", "sim-control", "m5")
"""Ways of marking a region's ends for the simulator (docs/reference/protocol.md)."""


@dataclass(frozen=True)
class Orders:
    """Orders to the guest: `run` the benchmarks, on the file systems `fs`.

    `disk` holds the driver's parameters, `sets` overrides of benchmark parameters. `uncached` is
    the least bytes of a working set that no cache may hold; 0 for the benchmarks' own. `network`
    holds the parameters of the network; it is sent where files of `fs` are on a server.
    """

    marks: str
    run: Sequence[str]
    fs: Sequence[str]
    disk: Mapping[str, int]
    seed: int = 0
    sets: Mapping[str, int] = field(default_factory=dict)
    calls: str = CALLS[0]
    uncached: int = 0
    network: Mapping[str, int] = field(default_factory=dict)

    def text(self) -> str:
        """Returns the lines to send. Raises GuestError for a word that the protocol forbids."""
        if self.calls not in CALLS:
            raise GuestError(f"calls: found {quoted(self.calls)}; allowed: {', '.join(CALLS)}")
        if self.marks not in MARKS:
            raise GuestError(f"marks: found {quoted(self.marks)}; allowed: {', '.join(MARKS)}")
        if self.uncached and not is_order(self.uncached):
            raise GuestError(
                f"uncached: found {self.uncached}; allowed: multiples of {STEP_BYTES} from "
                f"{LEAST_BYTES} to {MOST_BYTES}"
            )
        remote = [name for name in self.fs if name in REMOTE]
        if remote and not self.network:
            raise GuestError(f"network: missing; allowed: its parameters, since fs has {remote[0]}")
        for word in (*self.fs, *self.disk, *self.network, *self.sets):
            check_word(word)
        for name in self.run:
            for part in name.split("/"):
                check_word(part)
        lines = [f"osgap {PROTOCOL}", f"marks {self.marks}", f"seed {self.seed}"]
        if self.calls != CALLS[0]:
            lines.append(f"calls {self.calls}")
        if self.uncached:
            lines.append(f"uncached {self.uncached}")
        devices = {"disk": self.disk, "network": self.network if remote else {}}
        lines += [_device(name, parameters) for name, parameters in devices.items() if parameters]
        lines += [f"fs {','.join(self.fs)}", f"run {','.join(self.run)}"]
        lines += [f"set {key}={value}" for key, value in self.sets.items()]
        body = "\n".join(lines) + "\n"
        return f"{body}go {len(body)}\n"


def _device(name: str, parameters: Mapping[str, int]) -> str:
    return " ".join([name, *(f"{key}={value}" for key, value in parameters.items())])


def parse(console: str) -> Transcript:
    """Returns the records of a complete console. Raises an OsgapError that quotes the line."""
    reader = Reader()
    for line in GuestConsole.from_text(console).text.split("\n"):
        if line.startswith(PREFIX):
            reader.line(line.rstrip())
    return reader.result()
