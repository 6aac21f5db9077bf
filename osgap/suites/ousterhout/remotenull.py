# SPDX-License-Identifier: BSD-3-Clause
"""The null models of files on a server: the wire, the server's disk, and the processor's speed.

Nothing is timed by a simulator. Calls, bytes and the disk's writes are counted in the simulated
guest, as they follow from the protocol. The null model knows MIPS (Table 1), the wire's rate and
the disk's turns. The informed null model knows in addition what a call cost a system of 1990: the
instructions of a call on the MicroVAX II, from its printed times.
"""

from __future__ import annotations

from osgap.base import units
from osgap.base.config import ConfigError
from osgap.suites.ousterhout.andrew import TREE
from osgap.suites.ousterhout.informed import period_machine
from osgap.suites.ousterhout.published import REFERENCE_MACHINE, Paper
from osgap.suites.ousterhout.remotecounts import Counts

_UNIT_S = {"ms": 1e-3, "s": 1.0}
_CREATE, _ANDREW = "create_delete_", "andrew_"
_NFS = {1989: "remote", 1990: "nfs"}


def null_value(
    paper: Paper, metric: str, unit: str, machine: str, os: str, remote: Counts, local: Counts
) -> float:
    """A cell's value in its unit; NaN where the paper has no local one of its reference machine.

    Opening a file and Andrew take the reference's printed local time, by MIPS, and the wire's.
    Andrew also takes a turn of the disk for each write that the server makes beyond the local ones.
    Creating a file takes the wire's time and a turn of the disk for each write, and nothing else.
    The server is a machine of the same kind. Raises ConfigError for a machine without a network.
    """
    scale = TREE if metric.startswith(_ANDREW) else 1
    hardware = period_machine(machine, paper.source)
    if hardware.network is None:
        raise ConfigError(f"machine {machine}: network: missing; allowed: one")
    bytes_per_s = hardware.network.bandwidth_mbit_s.value * units.BYTES_PER_MBIT
    seconds = remote.wire_bytes * scale / bytes_per_s
    turn_s = 60 / hardware.disk.rpm.value
    if metric.startswith(_CREATE):
        return (seconds + remote.writes * turn_s) / _UNIT_S[unit]
    slower = paper.mips(paper.reference_machine) / paper.mips(machine)
    local_value = paper.reference_value(metric, os) * slower
    if metric.startswith(_ANDREW):
        seconds += max(0.0, remote.writes - local.writes) * scale * turn_s
    return local_value + seconds / _UNIT_S[unit]


def informed_value(
    paper: Paper, metric: str, unit: str, machine: str, null: float, remote: Counts
) -> float:
    """A cell's value in its unit with the processor's part of its calls beside the null model's."""
    scale = TREE if metric.startswith(_ANDREW) else 1
    instructions = remote.messages * scale * call_instructions(paper)
    return null + instructions / (paper.mips(machine) * 1e6) / _UNIT_S[unit]


def call_instructions(paper: Paper) -> float:
    """Instructions of client and server for a call, by the MicroVAX II's printed open-close.

    The wire's part of that time is not taken off: on it a short call is 0.2 of 33 ms.
    """
    machine, variants = REFERENCE_MACHINE[1990], (_NFS[paper.source], "local")
    remote_ms, local_ms = (paper.value("open_close_foo", machine, name) for name in variants)
    return (remote_ms - local_ms) * 1e-3 * paper.mips(machine) * 1e6
