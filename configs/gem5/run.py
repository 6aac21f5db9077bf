# SPDX-License-Identifier: BSD-3-Clause
"""Boots or restores the guest on one machine. Run by gem5; see README.md beside this file."""

import argparse
import sys
from pathlib import Path
from typing import NoReturn

import m5
from board import OsgapBoard, empty_disk
from caches import OsgapCaches
from gem5.resources.resource import BootloaderResource, DiskImageResource, KernelResource
from gem5.simulate.exit_event import ExitEvent
from gem5.simulate.simulator import Simulator
from memory import build_memory, period_ps
from processor import build_processor
from system import parse

KERNEL_ARGUMENTS = ["console=ttyS0", "osgap_orders=m5", "ignore_loglevel"]
"""The last brings the whole kernel log to the console; after ready the suites log nothing."""
LAST_WORDS_TICKS = 100_000_000_000  # 0.1 s of simulated time
BOOT_TLB_ENTRIES = 8
"""gem5 restores no TLB into a smaller one, so the boot's is as small as a machine's may be."""


def arguments() -> argparse.Namespace:
    """The command line after the script's name."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--system", type=Path, metavar="JSON", help="a resolved system")
    which.add_argument("--machine", type=Path, metavar="TOML", help="a file of configs/machines")
    add("--clock-mhz", type=float, help="with --machine: another clock than its own")
    add("--memory", choices=("fixed", "scaled"), default="fixed", help="with --clock-mhz")
    add("--kernel", type=Path, required=True, metavar="VMLINUX")
    add("--firmware", type=Path, required=True, metavar="ELF", help="OpenSBI's fw_jump.elf")
    add("--checkpoint", type=Path, metavar="DIR", help="boot on the atomic CPU to ready, save here")
    add("--restore", type=Path, metavar="DIR", help="start from a checkpoint")
    add("--orders", type=Path, metavar="FILE", help="what the guest reads by m5 readfile")
    add("--page-walks", choices=("l1d", "own"), default="own", help="default: own")
    return parser.parse_args()


def read_system(args: argparse.Namespace):
    """The system as nested namespaces. Ends gem5 with a sentence where it cannot be read."""
    try:
        text = args.system.read_text(encoding="utf-8") if args.system else _resolved(args)
        return parse(text)
    except ImportError as missing:
        _refuse(f"--machine needs {missing.name} in gem5's Python (PYTHONPATH); or give --system")
    except (OSError, ValueError, RuntimeError) as error:
        _refuse(str(error))


def _resolved(args: argparse.Namespace) -> str:
    """The machine file at one clock, as JSON."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from osgap.errors import OsgapError
    from osgap.machine import load_machine, system

    try:
        machine = system(load_machine(args.machine), args.clock_mhz, args.memory)
    except OsgapError as error:
        raise RuntimeError(str(error)) from error
    return machine.model_dump_json()


def _refuse(sentence: str) -> NoReturn:
    print(f"run.py: {sentence}", file=sys.stderr)
    sys.exit(2)


def build_board(system, args: argparse.Namespace) -> OsgapBoard:
    """The machine, with the guest as its workload."""
    board = OsgapBoard(
        traps_misaligned=system.misaligned_traps,
        clk_freq=f"{period_ps(system)}ps",
        processor=build_processor(system),
        memory=build_memory(system),
        cache_hierarchy=OsgapCaches(system, args.page_walks),
    )
    board.cache_line_size = system.l1d.line_bytes
    board.set_kernel_disk_workload(
        kernel=KernelResource(str(args.kernel)),
        bootloader=BootloaderResource(str(args.firmware)),
        disk_image=DiskImageResource(empty_disk()),
        kernel_args=KERNEL_ARGUMENTS,
        readfile=str(args.orders) if args.orders else None,
        checkpoint=args.restore,
    )
    return board


def last_words() -> bool:
    """gem5 stops as the kernel enters panic(): lets it say on the console why it does."""
    m5.simulate(LAST_WORDS_TICKS)
    return True


def main() -> int:
    """0 when the guest ended by itself or the checkpoint is made, else 3."""
    args = arguments()
    system = read_system(args)
    if args.checkpoint:
        system.core, system.tlb_entries = "atomic", BOOT_TLB_ENTRIES
        system.pipeline = system.predictor = system.second_tlb = None

    def save() -> bool:
        if args.checkpoint:
            simulator.save_checkpoint(args.checkpoint)
        return True

    try:
        board = build_board(system, args)
    except ValueError as error:
        _refuse(str(error))
    simulator = Simulator(
        board=board,
        on_exit_event={
            ExitEvent.CHECKPOINT: save,
            ExitEvent.KERNEL_PANIC: last_words,
            ExitEvent.KERNEL_OOPS: last_words,
        },
    )
    simulator.run()
    cause = simulator.get_last_exit_event_cause()
    print(f"osgap: exit at tick {m5.curTick()}: {cause}")
    wanted = "checkpoint" if args.checkpoint else "m5_exit instruction encountered"
    return 0 if cause == wanted else 3


if __name__ == "__m5_main__":
    sys.exit(main())
