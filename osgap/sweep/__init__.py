# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps: many points over axes, driven by Snakemake."""
