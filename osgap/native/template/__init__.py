# SPDX-License-Identifier: BSD-3-Clause
"""Writes a machine file of a measured machine, as far as its facts and its measured times tell."""
