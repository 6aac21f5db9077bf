# SPDX-License-Identifier: BSD-3-Clause
"""The guest protocol of docs/protocol.md, version 1: writes orders, reads the console."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from osgap.errors import OsgapError
from osgap.transcript import CounterValue, DiskUse, ModeTimes, Sample, Transcript

PROTOCOL = 1
PREFIX = "@osgap "
_WORD = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_PANIC = re.compile(r"Kernel panic.*|.*\bOops\b.*")
_FIELDS: Mapping[str, frozenset[str]] = {
    "ready": frozenset({"protocol"}),
    "bench": frozenset({"name", "fs", "metric", "bytes", "count", "batches"}),
    "sample": frozenset({"region", "name", "fs", "batch", "ns", "irqs"}),
    "disk": frozenset(
        {"name", "fs", "reads", "writes", "sectors"}
        | {"seek_ns", "rotation_ns", "transfer_ns", "overhead_ns", "queue_ns"}
    ),
    "modes": frozenset({"region", "user_ns", "kernel_ns", "idle_ns"}),
    "counter": frozenset({"region", "name", "value"}),
    "fail": frozenset({"name", "fs", "reason"}),
    "error": frozenset({"reason"}),
    "end": frozenset({"status", "regions"}),
}
METRICS = frozenset({"us", "ms", "s", "ns", "MB/s", "MIPS"})
FILE_SYSTEMS = ("none", "unix", "sprite")
CALLS = ("direct", "patch-first", "patch-optimised", "sud-first", "sud-optimised")
"""How system calls are made; the first is the kernel's own way."""


class GuestPanic(OsgapError):
    """The guest's kernel panicked."""


class BenchmarkFailed(OsgapError):
    """A benchmark's own check failed, or its process died."""


class GuestError(OsgapError):
    """The guest did not understand its orders, or we do not understand the guest."""


class NoEndMarker(OsgapError):
    """The machine stopped, or its time ran out, before the guest said `end`."""


@dataclass(frozen=True)
class Orders:
    """What the guest is to run. `disk` holds the driver's parameters, `sets` overrides.

    `calls` is one of CALLS.
    """

    engine: str
    run: Sequence[str]
    fs: Sequence[str]
    disk: Mapping[str, int]
    seed: int = 0
    sets: Mapping[str, int] = field(default_factory=dict)
    calls: str = CALLS[0]

    def text(self) -> str:
        """The lines to send. Raises GuestError for a word that the protocol forbids."""
        if self.calls not in CALLS:
            raise GuestError(f"calls: found {self.calls!r}; allowed: {', '.join(CALLS)}")
        for word in (self.engine, *self.fs, *self.disk, *self.sets):
            _check_word(word)
        for name in self.run:
            for part in name.split("/"):
                _check_word(part)
        lines = [f"osgap {PROTOCOL}", f"engine {self.engine}", f"seed {self.seed}"]
        if self.calls != CALLS[0]:
            lines.append(f"calls {self.calls}")
        if self.disk:
            lines.append("disk " + " ".join(f"{k}={v}" for k, v in self.disk.items()))
        lines += [f"fs {','.join(self.fs)}", f"run {','.join(self.run)}"]
        lines += [f"set {key}={value}" for key, value in self.sets.items()]
        body = "\n".join(lines) + "\n"
        return f"{body}go {len(body)}\n"


def decisive_failure(console: str) -> OsgapError | None:
    """The panic or guest error that ends a run early, if the console shows one."""
    panic = _PANIC.search(console)
    if panic:
        return GuestPanic(f"the guest panicked: {panic.group().strip()}")
    error = re.search(r"@osgap error reason=(\S+)", console)
    if error:
        return GuestError(f"the guest refused its orders: {error.group(1)}")
    return None


def has_ended(console: str) -> bool:
    """Whether a complete `end` line is on the console."""
    return re.search(r"^@osgap end [^\r\n]*\r?\n", console, re.MULTILINE) is not None


def parse(console: str) -> Transcript:
    """Reads a whole console.

    Raises GuestPanic, GuestError, BenchmarkFailed or NoEndMarker, quoting the decisive line.
    """
    failure = decisive_failure(console)
    if failure:
        raise failure
    reader = _Reader()
    for line in console.splitlines():
        if line.startswith(PREFIX):
            reader.line(line.rstrip())
    return reader.result()


class _Reader:
    """Collects the protocol's lines in order and checks that they belong together."""

    def __init__(self) -> None:
        self._bench: dict[str, str] | None = None
        self._samples: list[Sample] = []
        self._disk: list[DiskUse] = []
        self._modes: list[ModeTimes] = []
        self._counters: list[CounterValue] = []
        self._failed: list[str] = []
        self._end: dict[str, str] | None = None

    def line(self, line: str) -> None:
        if self._end is not None:
            raise GuestError(f"the guest went on after its end: {line}")
        verb, _, rest = line.removeprefix(PREFIX).partition(" ")
        values = _values(line, verb, rest)
        getattr(self, f"_on_{verb}")(line, values)

    def result(self) -> Transcript:
        if self._end is None:
            raise NoEndMarker("the guest stopped without an end line")
        if self._failed or self._end["status"] != "ok":
            raise BenchmarkFailed("; ".join(self._failed) or "the guest ended with a failure")
        if int(self._end["regions"]) != len(self._samples):
            raise GuestError(
                f"the guest counts {self._end['regions']} regions, its samples {len(self._samples)}"
            )
        self._check_told("modes", self._modes)
        self._check_told("counters", self._counters)
        return Transcript(
            tuple(self._samples), tuple(self._disk), tuple(self._modes), tuple(self._counters)
        )

    def _check_told(self, what: str, told: Sequence[ModeTimes | CounterValue]) -> None:
        regions = {each.region for each in told}
        tell = {(each.benchmark, each.fs) for each in told}
        for sample in self._samples:
            if (sample.benchmark, sample.fs) in tell and sample.region not in regions:
                raise GuestError(
                    f"region {sample.region} has no {what}, others of its benchmark do"
                )

    def _on_ready(self, line: str, values: dict[str, str]) -> None:
        if values["protocol"] != str(PROTOCOL):
            raise GuestError(f"the guest speaks protocol {values['protocol']}, osgap {PROTOCOL}")

    def _on_bench(self, line: str, values: dict[str, str]) -> None:
        if values["metric"] not in METRICS or values["fs"] not in FILE_SYSTEMS:
            raise GuestError(f"unknown metric or file system: {line}")
        self._bench = values

    def _on_sample(self, line: str, values: dict[str, str]) -> None:
        bench = self._bench
        if bench is None or (bench["name"], bench["fs"]) != (values["name"], values["fs"]):
            raise GuestError(f"a sample without its bench line: {line}")
        if int(values["region"]) != len(self._samples):
            raise GuestError(f"region {len(self._samples)} is missing before: {line}")
        self._samples.append(
            Sample(
                region=int(values["region"]),
                benchmark=values["name"],
                fs=values["fs"],
                batch=int(values["batch"]),
                count=int(bench["count"]),
                bytes=int(bench["bytes"]),
                metric=bench["metric"],
                guest_ns=int(values["ns"]),
                timer_irqs=int(values["irqs"]),
            )
        )

    def _on_disk(self, line: str, values: dict[str, str]) -> None:
        numbers = {k: int(v) for k, v in values.items() if k not in ("name", "fs")}
        self._disk.append(DiskUse(benchmark=values["name"], fs=values["fs"], **numbers))

    def _on_modes(self, line: str, values: dict[str, str]) -> None:
        region = int(values["region"])
        told = self._modes[-1].region if self._modes else -1
        if not told < region == len(self._samples) - 1:
            raise GuestError(f"modes of another region than the sample before them: {line}")
        of = self._samples[region]
        numbers = {k: int(v) for k, v in values.items() if k != "region"}
        self._modes.append(ModeTimes(region, of.benchmark, of.fs, of.batch, **numbers))

    def _on_counter(self, line: str, values: dict[str, str]) -> None:
        region = int(values["region"])
        told = [each.counter for each in self._counters if each.region == region]
        if region != len(self._samples) - 1 or values["name"] in told:
            raise GuestError(f"a counter of another region than the sample before it: {line}")
        of = self._samples[region]
        where = (region, of.benchmark, of.fs, of.batch)
        self._counters.append(CounterValue(*where, values["name"], int(values["value"])))

    def _on_fail(self, line: str, values: dict[str, str]) -> None:
        self._failed.append(f"{values['name']} ({values['fs']}): {values['reason']}")

    def _on_error(self, line: str, values: dict[str, str]) -> None:
        raise GuestError(f"the guest refused its orders: {values['reason']}")

    def _on_end(self, line: str, values: dict[str, str]) -> None:
        self._end = values


def _values(line: str, verb: str, rest: str) -> dict[str, str]:
    wanted = _FIELDS.get(verb)
    if wanted is None:
        raise GuestError(f"unknown line from the guest: {line}")
    pairs = [part.partition("=") for part in rest.split()]
    values = {key: value for key, _, value in pairs}
    if len(values) != len(pairs) or set(values) != wanted:
        raise GuestError(f"wrong keys in a line from the guest: {line}")
    for key, value in values.items():
        if key in ("name", "fs", "reason", "status"):
            _check_word(value)
        elif key != "metric" and not (value.isascii() and value.isdigit() and len(value) < 20):
            raise GuestError(f"{key} is no number in a line from the guest: {line}")
    return values


def _check_word(word: str) -> None:
    if not _WORD.fullmatch(word):
        raise GuestError(f"{word!r} is no word of the guest protocol (allowed: a-z 0-9 _ . -)")
