# SPDX-License-Identifier: BSD-3-Clause
"""What workloads/native/measure.sh prints, of a machine that does not exist."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

CPU = "/sys/devices/system/cpu"
FACTS: Mapping[str, str] = {
    "uname": "Linux 6.1.0-1 riscv64",
    "cpu": "3",
    "cpuinfo": "processor : 0;hart : 1;isa : rv64imafdc;uarch : example,board-7;",
    "cpuinfo-end": "uarch : example,board-7;",
    "cores": "4",
    "load": "0.00 0.01 0.00 1/90 123",
    "compiler": "/usr/bin/tcc",
    "uncached": "8388608",
    "program": "0123456789abcdef",
    "mount": "ext4 /dev/mmcblk0p2 rw,noatime",
    "device": "rotational=0 cache=write through",
    "memory": "4000000",
    f"{CPU}/cpu3/cache/index0/level": "1;",
    f"{CPU}/cpu3/cache/index0/type": "Data;",
    f"{CPU}/cpu3/cache/index0/size": "32K;",
    f"{CPU}/cpu3/cache/index0/coherency_line_size": "64;",
    f"{CPU}/cpu3/cache/index0/ways_of_associativity": "8;",
    f"{CPU}/cpu3/cache/index1/level": "2;",
    f"{CPU}/cpu3/cache/index1/type": "Unified;",
    f"{CPU}/cpu3/cache/index1/size": "2048K;",
    f"{CPU}/cpu3/cpufreq/scaling_governor": "performance;",
    f"{CPU}/smt/active": "0;",
    f"{CPU}/vulnerabilities/meltdown": "Not affected;",
    f"{CPU}/vulnerabilities/spectre_v1": "Mitigation: __user pointer sanitization;",
}
# name: file system, metric, bytes, count, ns of one operation
Bench = tuple[str, str, int, int, float]
BENCHES: Mapping[str, Bench] = {
    "empty_loop": ("none", "ns", 0, 1000000, 1.0),
    "integer_mix": ("none", "MIPS", 0, 1000, 20000.0),
    "getpid": ("none", "us", 0, 10000, 201.0),
    "cswitch": ("none", "ms", 0, 500, 5001.0),
    "select_10_full": ("none", "us", 0, 500, 1001.0),
    "bcopy_uncached": ("none", "MB/s", 8388608, 1, 8388609.0),
    "read": ("unix", "MB/s", 8388608, 1, 4194305.0),
    "open_close_foo": ("unix", "ms", 0, 500, 2901.0),
    "create_delete_0": ("unix", "ms", 0, 10, 500001.0),
}
MIX = 10000
"""Instructions of an operation: 500 MIPS at 20 us."""
ROUNDS = 6


def text(
    facts: Mapping[str, str | None] | None = None,
    *,
    mix: str = f"{MIX} steps",
    rounds: int = ROUNDS,
    slower: float = 1.0,
    failing: Mapping[int, str] | None = None,
    more: Sequence[str] = (),
    clock_khz: int = 1500123,
    more_benches: Mapping[str, Bench] | None = None,
) -> str:
    """A measurement. `facts` replace some of FACTS (None: left away); round n's times are
    n parts in a thousand longer, all are `slower` times as long; `failing` is round -> benchmark;
    `more_benches` are measured beside BENCHES.
    """
    own = {**FACTS, **(facts or {})}
    lines = ["osgap-native 1", *(f"fact {k} {v}" for k, v in own.items() if v is not None)]
    lines += [f"clock {clock_khz}", f"instructions {mix}", *more]
    benches = {**BENCHES, **(more_benches or {})}
    for number in range(rounds):
        lines += [f"round {number} unix", "@osgap ready protocol=2"]
        lines += _round(number, slower, (failing or {}).get(number, ""), benches)
        lines += [f"round {number} sprite", "@osgap ready protocol=2"]
        lines += [*_bench("create_delete_0", "sprite", "ms", 0, 100, 20001.0, number, slower, 0)]
        lines += ["@osgap end status=ok regions=2"]
    return "\n".join([*lines, "load 0.9 0.2 0.1 1/90 200", f"done {rounds} 31"]) + "\n"


def _round(number: int, slower: float, failing: str, benches: Mapping[str, Bench]) -> Iterator[str]:
    region = 0
    for name, (fs, metric, size, count, ns) in benches.items():
        lines = _bench(name, fs, metric, size, count, ns, number, slower, region)
        if name == failing:
            yield next(lines)
            yield f"@osgap fail name={name} fs={fs} reason=asked-for"
        else:
            yield from lines
        region += 2
    yield f"@osgap end status={'failed' if failing else 'ok'} regions={region}"


def _bench(
    name: str,
    fs: str,
    metric: str,
    size: int,
    count: int,
    ns: float,
    number: int,
    slower: float,
    region: int,
) -> Iterator[str]:
    yield (f"@osgap bench name={name} fs={fs} metric={metric} bytes={size} count={count} batches=2")
    for batch in range(2):
        took = round(ns * count * slower * (1 + number / 1000))
        yield (
            f"@osgap sample region={region + batch} name={name} fs={fs} batch={batch} ns={took} "
            "irqs=0"
        )


def file(folder: Path, **changes: object) -> Path:
    """The same as a file in `folder`."""
    path = folder / "measured.txt"
    path.write_text(text(**changes))  # type: ignore[arg-type]
    return path
