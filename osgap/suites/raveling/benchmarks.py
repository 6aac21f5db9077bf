# SPDX-License-Identifier: BSD-3-Clause
"""The benchmarks of workloads/byte, grouped by the part of the machine that they load."""

# A mean of R is of what the operating system does: rows that measure the processor (Raveling's
# sections 1 and 2) stay outside it; they would only pull it to 1.
BYTE_PROCESSOR = (
    "byte_dhrystone",
    "whetstone",
    "tak",
    "dhry2a",
    "dhry2b",
    "arithoh",
    "arith_register",
    "arith_short",
    "arith_int",
    "arith_long",
    "arith_float",
    "arith_double",
    "hanoi",
)
BYTE_SYSTEM = (
    "pt",
    "iocall",
    "syscall_overhead",
    "pipe_throughput",
    "context1",
    "spawn",
    "execl",
)
AMOUNTS = (1, 10, 20)
BYTE_FILES = tuple(f"fs_{work}_{n}" for n in AMOUNTS for work in ("read", "write", "copy"))
BYTE_LOAD = tuple(f"sh_load_{count}" for count in (1, 2, 4, 8))
BYTE = BYTE_SYSTEM + BYTE_FILES + BYTE_LOAD
BYTE_ROWS = BYTE_PROCESSOR + BYTE
