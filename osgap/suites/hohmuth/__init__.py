# SPDX-License-Identifier: BSD-3-Clause
"""Hohmuth's comparison of 1996: Linux, and Linux on L4, by McVoy's benchmarks."""
