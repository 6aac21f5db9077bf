# SPDX-License-Identifier: BSD-3-Clause
"""The disk driver's timing model (kernel/osgap_disk/disk_model.c), number for number."""

from __future__ import annotations

import math

from osgap.machines.system import DiskSystem


class Mechanism:
    """A disk: where its arm is, and until when it works. Times in ns of the guest's clock."""

    def __init__(self, disk: DiskSystem, cylinder: int = 0) -> None:
        self.disk = disk
        self.cylinder = cylinder
        self.busy_until_ns = 0
        self.cache_free_ns = 0

    def complete_ns(self, now_ns: int, sector: int, sectors: int, *, is_write: bool) -> int:
        """When a request that arrives at `now_ns` completes; requests are served in this order."""
        disk = self.disk
        start = max(now_ns, self.busy_until_ns)
        if is_write and sectors <= disk.cache_sectors:
            accepted = max(now_ns, self.cache_free_ns) + disk.overhead_ns
            self.busy_until_ns = self._served_ns(max(start, accepted), sector, sectors)
            self.cache_free_ns = self.busy_until_ns
            return accepted
        self.busy_until_ns = self._served_ns(start, sector, sectors)
        return self.busy_until_ns

    def _served_ns(self, start_ns: int, sector: int, sectors: int) -> int:
        disk, turn = self.disk, self.disk.rotation_ns
        cylinder = sector // (disk.sectors_per_track * disk.heads)
        ready = start_ns + disk.overhead_ns + self._seek_ns(cylinder)
        self.cylinder = cylinder
        under_head = sector % disk.sectors_per_track * turn // disk.sectors_per_track
        ready += (under_head - ready) % turn
        return ready + sectors * turn // disk.sectors_per_track

    def _seek_ns(self, cylinder: int) -> int:
        """Linear in the square root of the distance, in 1/1024 of it."""
        disk, distance = self.disk, abs(self.cylinder - cylinder)
        if not distance:
            return 0
        root = math.isqrt((distance - 1) << 20)
        full = math.isqrt((disk.cylinders - 1) << 20)
        span = max(0, disk.seek_full_ns - disk.seek_track_ns)
        return disk.seek_track_ns + (span * root // full if full else 0)
