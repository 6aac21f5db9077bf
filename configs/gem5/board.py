# SPDX-License-Identifier: BSD-3-Clause
"""gem5's RISC-V board with the study's clock for time, and no disk."""

import os

import m5
from gem5.components.boards.riscv_board import RiscvBoard
from m5.ext.pyfdt import pyfdt

TIMEBASE_HZ = 10_000_000
"""The guest clock's rate: rvsim's. gem5's own, 100 MHz, costs ten times the events when idle."""
_DISK_BYTES = 512


class OsgapBoard(RiscvBoard):
    """A RiscvBoard whose real-time clock, and the device tree's word for it, is TIMEBASE_HZ.

    With `traps_misaligned` a misaligned access traps to the firmware.
    """

    def __init__(self, traps_misaligned: bool = False, **components) -> None:
        # Before the board's own start, which calls _setup_pma.
        object.__setattr__(self, "_traps_misaligned", traps_misaligned)
        super().__init__(**components)

    def _setup_board(self) -> None:
        super()._setup_board()
        self.platform.rtc.frequency = f"{TIMEBASE_HZ}Hz"

    def _setup_pma(self) -> None:
        """As RiscvBoard, with misaligned accesses done in hardware unless the machine traps them.

        gem5's default traps each to the firmware: 3.5 M instructions of tcc's in andrew_make.
        """
        super()._setup_pma()
        allow_misaligned(self)

    def generate_device_tree(self, outdir: str) -> None:
        """Writes device.dtb as RiscvBoard does, then says the timebase's true rate in it."""
        super().generate_device_tree(outdir)
        path = os.path.join(outdir, "device.dtb")
        with open(path, "rb") as stream:
            tree = pyfdt.FdtBlobParse(stream).to_fdt()
        cpus = tree.resolve_path("/cpus")
        names = [item.get_name() for item in cpus]
        rate = pyfdt.FdtPropertyWords("timebase-frequency", [TIMEBASE_HZ])
        cpus[names.index(rate.get_name())] = rate
        with open(path, "wb") as stream:
            stream.write(tree.to_dtb())


def allow_misaligned(board) -> None:
    """Lets the cores of a board do misaligned accesses, unless its machine traps them."""
    if board._traps_misaligned:
        return
    for core in board.get_processor().get_cores():
        core.get_mmu().pma_checker.misaligned = board.mem_ranges


def empty_disk() -> str:
    """The board must have a disk: a blank one of one sector, which the guest has no driver for."""
    path = os.path.join(m5.options.outdir, "empty.img")
    with open(path, "wb") as stream:
        stream.write(bytes(_DISK_BYTES))
    return path
