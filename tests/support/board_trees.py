# SPDX-License-Identifier: BSD-3-Clause
"""/proc and /sys of three boards, as their published device trees and their kernels make them.

Device trees: Linux, arch/riscv/boot/dts: starfive/jh7110.dtsi, eswin/eic7700.dtsi and
allwinner/sun20i-d1s.dtsi. Of nodes that tell nothing here only those remain that could be taken
for others. Handles are numbers that a compiler of device trees gives.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import measured

Node = Mapping[str, int | str | Sequence[str] | None]
"""A node's properties: cells, strings, lists of strings, and None for what is only present."""
U74: Node = {
    "compatible": ("sifive,u74-mc", "riscv"),
    "d-cache-block-size": 64,
    "d-cache-sets": 64,
    "d-cache-size": 32768,
    "d-tlb-sets": 1,
    "d-tlb-size": 40,
    "device_type": "cpu",
    "i-cache-block-size": 64,
    "i-cache-sets": 64,
    "i-cache-size": 32768,
    "i-tlb-sets": 1,
    "i-tlb-size": 40,
    "mmu-type": "riscv,sv39",
    "next-level-cache": 20,
    "riscv,isa": "rv64imafdc_zba_zbb",
    "riscv,isa-base": "rv64i",
    "tlb-split": None,
}
S7: Node = {
    "compatible": ("sifive,s7", "riscv"),
    "device_type": "cpu",
    "i-cache-block-size": 64,
    "i-cache-sets": 64,
    "i-cache-size": 16384,
    "next-level-cache": 20,
    "reg": 0,
    "riscv,isa": "rv64imac_zba_zbb",
    "status": "disabled",
}
P550: Node = {
    **{key: value for key, value in U74.items() if not key.startswith("riscv,isa")},
    "compatible": ("sifive,p550", "riscv"),
    "d-cache-sets": 128,
    "d-tlb-size": 32,
    "i-cache-sets": 128,
    "i-tlb-size": 32,
    "mmu-type": "riscv,sv48",
    "riscv,isa-base": "rv64i",
}
C906: Node = {
    "compatible": ("thead,c906", "riscv"),
    "d-cache-block-size": 64,
    "d-cache-sets": 256,
    "d-cache-size": 32768,
    "device_type": "cpu",
    "i-cache-block-size": 64,
    "i-cache-sets": 128,
    "i-cache-size": 32768,
    "mmu-type": "riscv,sv39",
    "reg": 0,
    "riscv,isa": "rv64imafdc",
}


def _cache(level: int, size: int, sets: int, handle: int, behind: int | None = None) -> Node:
    node: dict[str, int | str | Sequence[str] | None] = {
        "compatible": ("cache",),
        "cache-block-size": 64,
        "cache-level": level,
        "cache-sets": sets,
        "cache-size": size,
        "cache-unified": None,
        "phandle": handle,
    }
    return node if behind is None else {**node, "next-level-cache": behind}


@dataclass(frozen=True)
class Board:
    """A board: nodes of its device tree, /proc/cpuinfo of each CPU, the CPUs' nodes, its times.

    `ns` are ramlat's and tinymembench's of sbc-bench, by our benchmarks' names: `memcpy` in MB/s.
    """

    model: str
    nodes: Mapping[str, Node]
    uarch: str
    isa: str
    mmu: str
    harts: Sequence[int]
    clock_khz: int
    ns: Mapping[str, float] = field(default_factory=dict)


VISIONFIVE2 = Board(
    model="StarFive VisionFive 2 v1.3B",
    nodes={
        "cpus/cpu@0": S7,
        **{f"cpus/cpu@{hart}": {**U74, "reg": hart} for hart in range(1, 5)},
        "soc/cache-controller@2010000": _cache(2, 2097152, 2048, 20),
        "soc/interrupt-controller@c000000": {"phandle": 21, "riscv,ndev": 136},
    },
    uarch="sifive,u74-mc",
    isa="rv64imafdc_zicntr_zicsr_zifencei_zihpm_zba_zbb",
    mmu="sv39",
    harts=(1, 2, 3, 4),
    clock_khz=1_497_000,
    # sbc-bench results/4xOY.txt; memory: 16 MiB
    ns={
        "chase_16k": 2.00,
        "chase_128k": 13.4,
        "chase_512k": 18.7,
        "chase_1m": 18.7,
        "chase_4m": 125.1,
        "chase_16m": 166.8,
        "chase8_128k": 96.5,
        "chase8_16m": 957.9,
        "memcpy": 860.0,
    },
)
PREMIER_P550 = Board(
    model="SiFive HiFive Premier P550",
    nodes={
        **{
            f"cpus/cpu@{hart}": {**P550, "reg": hart, "next-level-cache": 30 + hart}
            for hart in range(4)
        },
        **{f"cpus/l2-cache{hart}": _cache(2, 262144, 512, 30 + hart, 40) for hart in range(4)},
        "soc/cache-controller@2010000": _cache(3, 4194304, 4096, 40),
    },
    uarch="sifive,p550",
    isa="rv64imafdch_zicntr_zicsr_zifencei_zihpm_zba_zbb_sscofpmf",
    mmu="sv48",
    harts=(0, 1, 2, 3),
    clock_khz=1_397_000,
    # sbc-bench results of the EIC7700X, Linux 6.6.18
    ns={
        "chase_16k": 2.148,
        "chase_128k": 9.308,
        "chase_512k": 30.83,
        "chase_1m": 33.93,
        "chase_4m": 104.1,
        "chase_16m": 205.0,
        "chase8_128k": 18.68,
        "chase8_16m": 220.4,
        "memcpy": 4570.8,
    },
)
NEZHA = Board(
    model="Allwinner D1 Nezha",
    nodes={"cpus/cpu@0": C906},
    uarch="thead,c906",
    isa="rv64imafdc",
    mmu="sv39",
    harts=(0,),
    clock_khz=1_002_000,
    # sbc-bench results/4knR.txt
    ns={
        "chase_16k": 2.036,
        "chase_128k": 155.5,
        "chase_512k": 155.3,
        "chase_1m": 203.9,
        "chase_4m": 169.9,
        "chase_16m": 175.9,
        "chase8_128k": 212.3,
        "chase8_16m": 245.3,
        "memcpy": 1205.6,
    },
)
BOARDS = {"visionfive2": VISIONFIVE2, "p550": PREMIER_P550, "d1": NEZHA}


def make_tree(root: Path, board: Board, *, linked: bool = True) -> Path:
    """/proc and /sys below `root`; `linked`: each CPU's folder in /sys has a link to its node."""
    base = root / "sys/firmware/devicetree/base"
    for name, node in {"": {"model": board.model}, **board.nodes}.items():
        (base / name).mkdir(parents=True, exist_ok=True)
        for key, value in node.items():
            (base / name / key).write_bytes(_bytes(value))
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/device-tree").symlink_to("../sys/firmware/devicetree/base")
    last = len(board.harts) - 1
    (root / "proc/self/status").write_text(f"Cpus_allowed_list:\t0-{last}\n")
    (root / "proc/meminfo").write_text("MemTotal: 1000000 kB\nMemAvailable: 900000 kB\n")
    (root / "proc/loadavg").write_text("0.00 0.01 0.00 1/90 123\n")
    blocks = [
        f"processor\t: {cpu}\nhart\t\t: {hart}\nisa\t\t: {board.isa}\nmmu\t\t: {board.mmu}\n"
        f"uarch\t\t: {board.uarch}\n\n"
        for cpu, hart in enumerate(board.harts)
    ]
    (root / "proc/cpuinfo").write_text("".join(blocks))
    for cpu, hart in enumerate(board.harts):
        folder = root / f"sys/devices/system/cpu/cpu{cpu}"
        folder.mkdir(parents=True)
        if linked:
            node_path = f"../../../../firmware/devicetree/base/cpus/cpu@{hart}"
            (folder / "of_node").symlink_to(node_path)
    return root


def _bytes(value: int | str | Sequence[str] | None) -> bytes:
    if value is None:
        return b""
    if isinstance(value, int):
        return struct.pack(">I", value)
    texts = [value] if isinstance(value, str) else value
    return b"".join(text.encode() + b"\0" for text in texts)


def measured_text(board: Board, facts: Mapping[str, str | None]) -> str:
    """The output of measure.sh on the board: `facts` in place of those of measured.FACTS."""
    own = {name: None for name in measured.FACTS if name.startswith(measured.CPU)}
    benches = {
        name: ("none", "ns", 0, 1000, ns) for name, ns in board.ns.items() if name != "memcpy"
    }
    size = 8 << 20
    benches["memcpy"] = ("none", "MB/s", size, 1, size * 1000 / board.ns["memcpy"])
    return measured.text({**own, **facts}, clock_khz=board.clock_khz, more_benches=benches)
