# SPDX-License-Identifier: BSD-3-Clause
"""A run directory: written by points and sweeps, read by the analysis."""
