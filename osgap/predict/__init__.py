# SPDX-License-Identifier: BSD-3-Clause
"""What machines that were not simulated would take, from the counters of a few that were.

Machines of one run differ in clock, memory and disk, not in what the guest executes.
"""
