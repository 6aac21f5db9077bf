# SPDX-License-Identifier: BSD-3-Clause
"""Raveling's comparison of 1990: compilers, machines and systems, by BYTE's benchmarks."""
