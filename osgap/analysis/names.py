# SPDX-License-Identifier: BSD-3-Clause
"""Which benchmarks the analysis treats specially, and why."""

EMPTY_LOOP = "empty_loop"
INTEGER_MIX = "integer_mix"
DHRYSTONE = "dhrystone"
CHASE_L1 = "pointer_chase_l1"
CHASE_MEMORY = "pointer_chase_memory"
STREAM_COPY = "stream_copy"

# The empty loop stays in these times: they rate the processor, are the correction itself, or turn
# once in ten operations (the chases), where a whole turn for each would be more than there is.
NOT_CORRECTED = frozenset({
    EMPTY_LOOP, INTEGER_MIX, DHRYSTONE, CHASE_L1, CHASE_MEMORY, "latency_l1", "latency_l2",
    "latency_memory",
})  # fmt: skip

# What a hop round a ring of processes costs without a switch, in one process by the same pipes:
# taken from the hop in place of the empty loop, so that the switch alone is left.
OVERHEADS = {"ctxsw_2": "ctxsw_overhead_2", "ctxsw_8": "ctxsw_overhead_8"}

# Rows that are sums of others; the names in the paper's Table 7 are "copy" and the total.
COMPOSITES = {
    "andrew_copyphases": ("andrew_makedir", "andrew_copy", "andrew_scandir", "andrew_readall"),
    "andrew_total": (
        "andrew_makedir", "andrew_copy", "andrew_scandir", "andrew_readall", "andrew_make",
    ),
}  # fmt: skip

# Figure 1 of 1990 averages every MIPS-relative speed that the tables print: Tables 2-4, 6 and
# 8-10, one row each.  Table 7 prints none: Andrew enters once, through Table 8, by its total, as
# in results/reference/figure1_geomeans.csv.  Table 4 relates "10 full", Table 9 "foo", Table 10
# no data.  The text does not say whether Table 5 (bcopy, MB/s per MIPS) enters: hence two sets.
FIGURE1 = (
    "getpid", "cswitch", "select_10_full", "read", "andrew_total", "open_close_foo",
    "create_delete_0",
)  # fmt: skip
_PHASES = ("andrew_copyphases", "andrew_make")
SETS = {
    "figure1": FIGURE1,
    "figure1_bcopy": (*FIGURE1, "bcopy_uncached"),
    # Not the paper's: the two halves of Table 7 in place of the total.
    "figure1_phases": tuple(name for name in FIGURE1 if name != "andrew_total") + _PHASES,
}

# The two seeds' suites.  A mean of R is of what the operating system does: their rows that measure
# the processor (Raveling's sections 1 and 2) or the memory alone stay outside it, as bcopy stays
# outside figure1; they would only pull it to 1, or to the memory's own line.
MCVOY = (
    "null_call", "null_process", "simple_process", "sh_process", "mmap_latency", "ctxsw_2",
    "ctxsw_8", "pipe_latency", "udp_latency", "rpc_udp_latency", "tcp_latency",
    "rpc_tcp_latency", "pipe_bandwidth", "tcp_bandwidth", "file_reread", "mmap_reread",
)  # fmt: skip
MCVOY_MEMORY = (
    "bcopy_libc", "bcopy_hand", "memory_read", "memory_write", "latency_l1", "latency_l2",
    "latency_memory",
)  # fmt: skip
BYTE_PROCESSOR = (
    "byte_dhrystone", "whetstone", "tak", "dhry2a", "dhry2b", "arithoh", "arith_register",
    "arith_short", "arith_int", "arith_long", "arith_float", "arith_double", "hanoi",
)  # fmt: skip
BYTE_SYSTEM = (
    "pt", "iocall", "syscall_overhead", "pipe_throughput", "context1", "spawn", "execl",
)  # fmt: skip
AMOUNTS = (1, 10, 20)
BYTE_FILES = tuple(f"fs_{work}_{n}" for n in AMOUNTS for work in ("read", "write", "copy"))
BYTE_LOAD = tuple(f"sh_load_{count}" for count in (1, 2, 4, 8))
SUITES = {"mcvoy": MCVOY, "byte": BYTE_SYSTEM + BYTE_FILES + BYTE_LOAD}
SUITE_ROWS = {"mcvoy": MCVOY + MCVOY_MEMORY, "byte": BYTE_PROCESSOR + SUITES["byte"]}
SETS |= SUITES

# The order in which series are shown; run.json does not keep one.
SERIES = ("fixed", "memory", "disk", "both")

BANDWIDTH = "MB/s"
RATE = "MIPS"
UNIT_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}

# A region whose two clocks differ by more is flagged; so is a pair of batches that is not steady.
DISAGREEMENT_LIMIT = 0.02
STEADY_LIMIT = 0.01


def series_rank(name: str) -> tuple[int, str]:
    """A sort key: SERIES in their order, then any others by name."""
    return (SERIES.index(name) if name in SERIES else len(SERIES), name)


def higher_is_better(metric: str) -> bool:
    """Whether a metric is a rate (MB/s, MIPS) rather than a time."""
    return metric in (BANDWIDTH, RATE)
