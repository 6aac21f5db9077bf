# SPDX-License-Identifier: BSD-3-Clause
"""Private split L1 caches, an optional L2, and a bus to memory that adds no time of its own."""

from gem5.components.cachehierarchies.classic.abstract_classic_cache_hierarchy import (
    AbstractClassicCacheHierarchy,
)
from gem5.components.cachehierarchies.classic.caches.mmu_cache import MMUCache
from m5.objects import NULL, BadAddr, Cache, CoherentXBar, SnoopFilter

RESPONSE_CYCLES = 1
"""What a fill takes on its way from the cache to the core."""
_MSHRS, _TARGETS = 4, 20  # gem5's configs/common/Caches.py
_WALK_CACHE_SIZE = "8KiB"  # gem5's stdlib: PrivateL1CacheHierarchy
_O3_MSHRS = 16  # gem5's stdlib: L1DCache


class OsgapCaches(AbstractClassicCacheHierarchy):
    """Write-back, write-allocate, LRU, no prefetcher, one core.

    `page_walks` says where page-table walks go: "l1d" through the data cache, "own" through two
    caches of their own, as in gem5's PrivateL1CacheHierarchy.
    """

    def __init__(self, system, page_walks: str) -> None:
        super().__init__()
        self._system, self._page_walks = system, page_walks
        line = system.l1d.line_bytes
        self.membus = _bus(
            line, point_of_coherency=True, snoop_filter=SnoopFilter(lookup_latency=0)
        )
        self.membus.badaddr_responder = BadAddr()
        self.membus.default = self.membus.badaddr_responder.pio

    def get_mem_side_port(self):
        return self.membus.mem_side_ports

    def get_cpu_side_port(self):
        return self.membus.cpu_side_ports

    def incorporate_cache(self, board) -> None:
        board.connect_system_port(self.membus.cpu_side_ports)
        for _, port in board.get_memory().get_mem_ports():
            self.membus.mem_side_ports = port
        core = board.get_processor().get_cores()[0]
        mshrs = _O3_MSHRS if core.requires_send_evicts() else _MSHRS
        self.l1icache = _cache(self._system.l1i, mshrs, is_read_only=True)
        self.l1dcache = _cache(self._system.l1d, mshrs)
        self._connect_core(core)
        below = self._connect_l2(mshrs)
        self.l1icache.mem_side = below
        self.l1dcache.mem_side = below
        if board.has_coherent_io():
            self._connect_devices(board)

    def _connect_core(self, core) -> None:
        core.connect_icache(self.l1icache.cpu_side)
        if self._page_walks == "own":
            core.connect_dcache(self.l1dcache.cpu_side)
            self.walkcaches = [MMUCache(size=_WALK_CACHE_SIZE) for _ in range(2)]
            for cache in self.walkcaches:
                cache.mem_side = self.membus.cpu_side_ports
            core.connect_walker_ports(*(cache.cpu_side for cache in self.walkcaches))
        else:
            self.dbus = _bus(self._system.l1d.line_bytes)
            self.dbus.mem_side_ports = self.l1dcache.cpu_side
            core.connect_dcache(self.dbus.cpu_side_ports)
            core.connect_walker_ports(self.dbus.cpu_side_ports, self.dbus.cpu_side_ports)
        core.connect_interrupt()

    def _connect_l2(self, mshrs: int):
        if self._system.l2 is None:
            return self.membus.cpu_side_ports
        self.l2cache = _cache(self._system.l2, mshrs)
        self.l2bus = _bus(self._system.l2.line_bytes, snoop_filter=SnoopFilter(lookup_latency=0))
        self.l2bus.mem_side_ports = self.l2cache.cpu_side
        self.l2cache.mem_side = self.membus.cpu_side_ports
        return self.l2bus.cpu_side_ports

    def _connect_devices(self, board) -> None:
        """What gem5's classic hierarchies put before devices that read memory; none does here."""
        self.iocache = Cache(
            size="1KiB", assoc=8, tag_latency=50, data_latency=50, response_latency=50,
            mshrs=20, tgts_per_mshr=12, addr_ranges=board.mem_ranges,
        )  # fmt: skip
        self.iocache.mem_side = self.membus.cpu_side_ports
        self.iocache.cpu_side = board.get_mem_side_coherent_io_port()


def _cache(cache, mshrs: int, **more):
    return Cache(
        size=f"{cache.size_bytes}B",
        assoc=cache.ways,
        tag_latency=cache.hit_cycles,
        data_latency=cache.hit_cycles,
        response_latency=RESPONSE_CYCLES,
        mshrs=mshrs,
        tgts_per_mshr=_TARGETS,
        prefetcher=NULL,
        **more,
    )


def _bus(width: int, **more):
    """A crossbar without latency: the way to memory is in the memory's own."""
    return CoherentXBar(
        width=width,
        frontend_latency=0,
        forward_latency=0,
        response_latency=0,
        snoop_response_latency=0,
        header_latency=0,
        **more,
    )
