# SPDX-License-Identifier: BSD-3-Clause
"""Intervals of every R, mean, elasticity and share over layouts of the same image.

A layout is an image whose code and data lie in another order.  groups: which runs are layouts of
one system.  starts, values: the numbers of each layout.  spread: the statistics.  table, coverage,
average, difference: tables of them.
"""
