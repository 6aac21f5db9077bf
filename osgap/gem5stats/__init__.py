# SPDX-License-Identifier: BSD-3-Clause
"""Reads, writes and compares gem5's statistics files, text and JSON."""
