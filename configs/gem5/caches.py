# SPDX-License-Identifier: BSD-3-Clause
"""Split L1 caches of each core, an optional L2 of all, or an L2 of each and an L3 of all.

Buses add no time of their own, but for the one between harts that have an L2 each.
"""

from gem5.components.cachehierarchies.classic.abstract_classic_cache_hierarchy import (
    AbstractClassicCacheHierarchy,
)
from gem5.components.cachehierarchies.classic.caches.mmu_cache import MMUCache
from latencies import RESPONSE_CYCLES, bus_cycles, hit_latencies
from m5.objects import (
    NULL,
    BadAddr,
    Cache,
    CoherentXBar,
    SnoopFilter,
    StridePrefetcher,
    TaggedPrefetcher,
)

_MSHRS, _TARGETS = 4, 20  # gem5's configs/common/Caches.py
_WALK_CACHE_SIZE = "8KiB"  # gem5's stdlib: PrivateL1CacheHierarchy
_O3_MSHRS = 16  # gem5's stdlib: L1DCache
_PREFETCHERS = {"next-line": TaggedPrefetcher, "stride": StridePrefetcher}


class OsgapCaches(AbstractClassicCacheHierarchy):
    """Write-back, write-allocate, LRU; coherent by the buses' snooping.

    `page_walks` says where page-table walks go: "l1d" through the data cache, "own" through two
    caches of each core's own, as in gem5's PrivateL1CacheHierarchy.
    """

    def __init__(self, system, page_walks: str) -> None:
        super().__init__()
        self._system, self._page_walks = system, page_walks
        line = system.l1d.line_bytes
        self.membus = _bus(line, point_of_coherency=True, snoop_filter=_snoop_filter(system))
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
        cores = board.get_processor().get_cores()
        mshrs = _O3_MSHRS if cores[0].requires_send_evicts() else _MSHRS
        # gem5 names a list of one as the thing itself: one core's statistics have no number.
        system, (first, *later) = self._system, hit_latencies(self._system)
        hit = system.l1i.hit_cycles
        icaches = [_cache(system.l1i, hit, mshrs, is_read_only=True) for _ in cores]
        dcaches = [_cache(system.l1d, first, mshrs) for _ in cores]
        self.l1icache, self.l1dcache = icaches, dcaches
        behind = self._connect_lower(later, mshrs, len(cores))
        walks = self._walk_ports(dcaches, behind)
        for core, icache, dcache, below, (data, *walkers) in zip(
            cores, icaches, dcaches, behind, walks, strict=True
        ):
            core.connect_icache(icache.cpu_side)
            core.connect_dcache(data)
            core.connect_walker_ports(*walkers)
            core.connect_interrupt()
            icache.mem_side = below
            dcache.mem_side = below
        if board.has_coherent_io():
            self._connect_devices(board)

    def _walk_ports(self, dcaches, behind):
        """For each core the ports that its data accesses and its two page-table walkers use."""
        if self._page_walks == "own":
            caches = [MMUCache(size=_WALK_CACHE_SIZE) for _ in 2 * dcaches]
            self.walkcaches = caches
            for number, cache in enumerate(caches):
                cache.mem_side = behind[number // 2]
            triples = zip(dcaches, caches[::2], caches[1::2], strict=True)
            return [tuple(cache.cpu_side for cache in triple) for triple in triples]
        self.dbus = [_bus(self._system.l1d.line_bytes) for _ in dcaches]
        for bus, dcache in zip(self.dbus, dcaches, strict=True):
            bus.mem_side_ports = dcache.cpu_side
        return [(bus.cpu_side_ports,) * 3 for bus in self.dbus]

    def _connect_lower(self, latencies, mshrs: int, cores: int) -> list:
        """For each core the port behind its first caches: of a cache of its own, or of all."""
        system = self._system
        if system.l2 is None:
            return [self.membus.cpu_side_ports] * cores
        shared = system.l2 if system.l3 is None else system.l3
        last, bus = _cache_and_bus(system, shared, latencies[-1], mshrs)
        last.mem_side = self.membus.cpu_side_ports
        if system.l3 is None:
            self.l2cache, self.l2bus = last, bus
            return [bus.cpu_side_ports] * cores
        self.l3cache, self.l3bus = last, bus
        # What another hart's caches answer takes this bus as a response, as the l3's answers do.
        bus.response_latency = bus_cycles(system)
        pairs = [_cache_and_bus(system, system.l2, latencies[0], mshrs) for _ in range(cores)]
        self.l2cache = [cache for cache, _ in pairs]
        self.l2bus = [own for _, own in pairs]
        for cache, _ in pairs:
            cache.mem_side = bus.cpu_side_ports
        return [own.cpu_side_ports for _, own in pairs]

    def _connect_devices(self, board) -> None:
        """What gem5's classic hierarchies put before devices that read memory; none does here."""
        self.iocache = Cache(
            size="1KiB", assoc=8, tag_latency=50, data_latency=50, response_latency=50,
            mshrs=20, tgts_per_mshr=12, addr_ranges=board.mem_ranges,
        )  # fmt: skip
        self.iocache.mem_side = self.membus.cpu_side_ports
        self.iocache.cpu_side = board.get_mem_side_coherent_io_port()


def _cache_and_bus(system, cache, latency: int, mshrs: int):
    """A cache and the bus in front of it."""
    made = _cache(cache, latency, mshrs)
    bus = _bus(cache.line_bytes, snoop_filter=_snoop_filter(system))
    bus.mem_side_ports = made.cpu_side
    return made, bus


def _cache(cache, latency: int, mshrs: int, **more):
    prefetcher = NULL
    if cache.prefetch is not None:
        prefetcher = _PREFETCHERS[cache.prefetch](degree=cache.prefetch_lines)
    return Cache(
        size=f"{cache.size_bytes}B",
        assoc=cache.ways,
        tag_latency=latency,
        data_latency=latency,
        response_latency=RESPONSE_CYCLES,
        mshrs=cache.mshrs or mshrs,
        tgts_per_mshr=_TARGETS,
        prefetcher=prefetcher,
        **more,
    )


def _snoop_filter(system):
    """A snoop filter that can know every line of memory; gem5's own ends the run beyond 8 MiB."""
    return SnoopFilter(lookup_latency=0, max_capacity=f"{system.memory.size_mib}MiB")


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
