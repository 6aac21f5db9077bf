# SPDX-License-Identifier: BSD-3-Clause
"""Names of one statistic in different gem5: of other versions, of other paths, of Ruby's caches.

Sources, in gem5's repository: commits b9c7dae41f, 7f0c01103d and 4c42811ff3 of version 21.0 renamed
the global statistics, those of caches and memories, and Ruby's; the release notes of 23.0 those of
cores. The paths are of configs/common, configs/example/arm, configs/ruby and src/python/gem5.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

_CAMEL = """
align_faults avg_compression_size_bits avg_refs blocked_cycles bw_inst_read bw_read bw_total
bw_write bytes_inst_read bytes_read bytes_written cc_regfile_reads cc_regfile_writes
compression_size compression_size_bits data_accesses data_contractions data_expansions
demand_accesses demand_avg_miss_latency demand_avg_mshr_miss_latency demand_hits
demand_miss_latency demand_miss_rate demand_misses demand_mshr_hits demand_mshr_miss_latency
demand_mshr_miss_rate demand_mshr_misses dma_read_bytes dma_read_full_pages dma_read_txs
dma_write_bytes dma_write_full_pages dma_write_txs domain_faults evictions_replacement
failed_compressions final_tick flush_tlb fp_alu_accesses fp_inst_queue_reads
fp_inst_queue_wakeup_accesses fp_inst_queue_writes fp_regfile_reads fp_regfile_writes
fu_busy_rate function_calls hit_multi_requests hit_multi_snoops hit_single_requests
hit_single_snoops host_inst_rate host_op_rate host_seconds host_tick_rate idle_fraction
inst_accesses inst_hits inst_misses int_alu_accesses int_inst_queue_reads
int_inst_queue_wakeup_accesses int_inst_queue_writes int_regfile_reads int_regfile_writes
misc_regfile_reads misc_regfile_writes not_idle_fraction num_busy_cycles num_fp_alu_accesses
num_fp_insts num_idle_cycles num_insts num_int_alu_accesses num_int_insts num_load_insts
num_mem_refs num_other num_reads num_store_insts num_syscalls num_vec_alu_accesses
num_vec_insts num_writes overall_accesses overall_avg_miss_latency
overall_avg_mshr_miss_latency overall_avg_mshr_uncacheable_latency overall_hits
overall_miss_latency overall_miss_rate overall_misses overall_mshr_hits
overall_mshr_miss_latency overall_mshr_miss_rate overall_mshr_misses
overall_mshr_uncacheable_latency perms_faults pkt_count pkt_size prefetch_faults read_accesses
read_hits read_misses sampled_refs sim_freq sim_insts sim_ops sim_seconds sim_ticks
snoop_fanout tag_accesses tlb_cycles tot_requests tot_snoops total_refs trans_dist
vec_alu_accesses vec_inst_queue_reads vec_inst_queue_wakeup_accesses vec_inst_queue_writes
vec_regfile_reads vec_regfile_writes wb_fanout wb_rate write_accesses write_hits write_misses
"""
CAMEL = frozenset(_CAMEL.split())
"""Names before 21 whose name since is the same in camel case."""
RENAMED = {
    "age_task_id_blocks": "ageTaskId",
    "avg_blocked_cycles": "avgBlocked",
    "cpi_total": "totalCpi",
    "host_mem_usage": "hostMemory",
    "ipc_total": "totalIpc",
    "occ_blocks": "occupancies",
    "occ_percent": "avgOccs",
    "occ_task_id_blocks": "occupanciesTaskId",
    "overall_mshr_uncacheable_misses": "overallMshrUncacheable",
    "tagsinuse": "tagsInUse",
}
"""Other names before 21, and those since."""
_COMMAND = re.compile(
    r"([A-Z]\w*(?:Req|Resp|Evict|Clean|Dirty|Writeback))_((?:avg_)?(?:mshr_)?(?:hits|accesses"
    r"|miss(?:es|_latency|_rate)|uncacheable(?:_latency)?))"
)
_PACKETS = re.compile(r"(?<=\.)pkt_(count|size)(?=_)")
_RUBY = re.compile(r"\.ruby\b|\bruby_system\b|_cntrl\d*\.")

# Parts of names, most general first: each gives a role and the index of the object in it.
_CORE = re.compile(r"^(?:.*?\.)?(?:(?:cores|start|switch)(\d*)\.core|(?:switch_)?cpus?(\d*))\.")
_CACHE = re.compile(
    r"^(?:.*\.)?(?:l1[-_]?)?(?:(d|i)(?:ata|nst)?(?:[-_]?caches?)?|(l[23])(?:[-_]?caches?)?)"
    r"[-_]?(\d*)\."
)
_CONTROLLER = re.compile(
    r"^.*\.l\d_(?:cntrl|controllers)(\d*)\.(?:L[01])?(?:(D|I)cache|(L2)cache)\."
    r"(?:m_)?demand_(hits|misses|accesses)$"
)
_MEMORY = re.compile(
    r"^(?:.*?\.)?(?:mem_ctrls?(\d*)|physmem(\d*)|memory(?:\.(?:module|mem_ctrl)(\d*))?)(?:\.dram)?\."
)
_IN_CORE = {
    "commitStats0.numInsts": ("commitStats0.numInsts", 0),
    "committedInsts": ("commitStats0.numInsts", 1),
    "exec_context.thread_0.numInsts": ("commitStats0.numInsts", 2),
    "commitStats0.numOps": ("commitStats0.numOps", 0),
    "committedOps": ("commitStats0.numOps", 1),
    "exec_context.thread_0.numOps": ("commitStats0.numOps", 2),
    "commitStats0.cpi": ("cpi", 1),
    "totalCpi": ("cpi", 2),
    "commitStats0.ipc": ("ipc", 1),
    "totalIpc": ("ipc", 2),
}
"""Statistics of a core; of several in one dump, the one of the lowest number counts."""
_Key = tuple[str, str, str]


@lru_cache(maxsize=1 << 17)
def today(name: str) -> str:
    """Returns the name since version 21 of a statistic that a gem5 before 21 named `name`."""
    stem, mark, entry = name.partition("::")
    path, dot, leaf = stem.rpartition(".")
    if _RUBY.search(stem):
        return f"{path}{dot}m_{leaf}{mark}{entry}" if leaf.startswith("demand_") else name
    if leaf in CAMEL:
        leaf = _camel(leaf)
    elif command := _COMMAND.fullmatch(leaf):
        leaf = f"{command[1]}.{_camel(command[2])}"
    else:
        leaf = RENAMED.get(leaf, leaf)
    stem = _PACKETS.sub(lambda match: f"pkt{match[1].capitalize()}", f"{path}{dot}{leaf}")
    return f"{stem}{mark}{entry}"


def counterparts(left: Iterable[str], right: Iterable[str]) -> dict[str, str]:
    """Returns the names of `left`, each with that of the same statistic in `right`.

    Names that both have come first; then those of the same statistic of the same part: a core, a
    cache of some level, a memory. A part that stands for two of the other side has none.
    """
    left, right = dict.fromkeys(left), dict.fromkeys(right)
    pairs = {name: name for name in left if name in right}
    other = _by_key(name for name in right if name not in pairs)
    for key, name in _by_key(name for name in left if name not in pairs).items():
        if key in other:
            pairs[name] = other[key]
    return pairs


def _by_key(names: Iterable[str]) -> dict[_Key, str]:
    """Returns names by their keys, without those whose key several have."""
    ranks: dict[_Key, list[tuple[int, str]]] = {}
    for name in names:
        if keyed := part(name):
            ranks.setdefault(keyed[0], []).append((keyed[1], name))
    several = {role for role, index, _ in ranks if index not in ("", "0")}
    unique: dict[_Key, str] = {}
    for (role, index, leaf), ranked in ranks.items():
        least = min(rank for rank, _ in ranked)
        best = [name for rank, name in ranked if rank == least]
        if len(best) == 1:
            unique[role, index or "0" if role in several else "", leaf] = best[0]
    return unique


@lru_cache(maxsize=1 << 17)
def part(name: str) -> tuple[_Key, int] | None:
    """Returns role, index and the name within the part, and a rank; None for other statistics."""
    if ruby := _CONTROLLER.match(name):
        role = f"l1{ruby[2].lower()}" if ruby[2] else ruby[3].lower()
        return (role, ruby[1], f"overall{ruby[4].capitalize()}"), 0
    if memory := _MEMORY.match(name):
        return ("memory", _first(memory[1], memory[2], memory[3]), name[memory.end() :]), 0
    core = _CORE.match(name)
    if cache := _CACHE.match(name):
        role = f"l1{cache[1]}" if cache[1] else cache[2]
        index = cache[3] or (_first(core[1], core[2]) if core else "")
        return (role, index, name[cache.end() :].removesuffix("::total")), 0
    if not core:
        return None
    leaf, rank = _IN_CORE.get(name[core.end() :].removesuffix("::total"), ("", 0))
    return ("core", _first(core[1], core[2]), leaf or name[core.end() :]), rank


def _first(*parts: str | None) -> str:
    return next((part for part in parts if part), "")


def _camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), name)
