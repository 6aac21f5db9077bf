# SPDX-License-Identifier: BSD-3-Clause
"""The benchmarks of workloads/boards, by the published program whose method they have."""

_RINGS = tuple(f"{members}_{kib}k" for members in (2, 8, 16) for kib in (16, 64))

RAMLAT = tuple(f"chase_{size}" for size in ("16k", "128k", "512k", "1m", "4m", "16m"))
RAMLAT_AT_ONCE = ("chase8_128k", "chase8_16m")
LMBENCH = (
    "syscall_null",
    "syscall_read",
    "syscall_write",
    "syscall_stat",
    "select_file_100",
    "select_tcp_100",
    "signal_install",
    "signal_catch",
    "prot_fault",
    "page_fault",
    *(f"ctx_{ring}" for ring in _RINGS),
    "unix_latency",
    "tcp_connect",
    "unix_bandwidth",
    "tcp_bandwidth_512k",
)
UNIXBENCH = ("file_copy_256", "file_copy_1024", "file_copy_4096")
TINYMEMBENCH = ("memcpy", "memset")
ROWS = RAMLAT + RAMLAT_AT_ONCE + LMBENCH + UNIXBENCH + TINYMEMBENCH

OVERHEADS = {
    "signal_catch": "signal_send",
    "page_fault": "page_fault_overhead",
    **{f"ctx_{ring}": f"ctx_overhead_{ring.partition('_')[2]}" for ring in _RINGS},
}
"""Row -> the benchmark that lmbench 3 measures beside it and subtracts.

From a protection fault lmbench subtracts what is left of a caught signal: `prot_fault` less
`signal_catch`, after these subtractions, is its row.
"""

UNCORRECTED = frozenset(RAMLAT + RAMLAT_AT_ONCE)
"""Rows whose loop turns once in sixteen operations; ramlat subtracts nothing either."""
