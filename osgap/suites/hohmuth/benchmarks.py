# SPDX-License-Identifier: BSD-3-Clause
"""The benchmarks of workloads/mcvoy that are rows of Hohmuth's pages."""

# A mean of R is of what the operating system does: rows that measure the memory alone stay outside
# it, as bcopy stays outside figure1; they would only pull it to the memory's own line.
MCVOY = (
    "null_call",
    "null_process",
    "simple_process",
    "sh_process",
    "mmap_latency",
    "ctxsw_2",
    "ctxsw_8",
    "pipe_latency",
    "udp_latency",
    "rpc_udp_latency",
    "tcp_latency",
    "rpc_tcp_latency",
    "pipe_bandwidth",
    "tcp_bandwidth",
    "file_reread",
    "mmap_reread",
)
LATENCIES = ("latency_l1", "latency_l2", "latency_memory")
MCVOY_MEMORY = ("bcopy_libc", "bcopy_hand", "memory_read", "memory_write", *LATENCIES)
MCVOY_ROWS = MCVOY + MCVOY_MEMORY

# What a hop round a ring of processes costs without a switch, in one process by the same pipes:
# taken from the hop in place of the empty loop, so that the switch alone is left.
OVERHEADS = {"ctxsw_2": "ctxsw_overhead_2", "ctxsw_8": "ctxsw_overhead_8"}
