# SPDX-License-Identifier: BSD-3-Clause
"""Predicts the times of machines that were not simulated, from counters of a few simulated points.

The machines of one run execute the same instructions; they differ in clock, memory and disk.
"""
