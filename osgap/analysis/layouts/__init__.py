# SPDX-License-Identifier: BSD-3-Clause
"""What other layouts of the same image give: intervals of every R, mean, elasticity and share.

groups: which runs are layouts of one system.  starts, values: what each of them gives.  spread:
the statistics.  table, coverage, average, difference: what is made of them.
"""
