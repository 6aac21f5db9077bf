# SPDX-License-Identifier: BSD-3-Clause
"""Fits the paper's machines to its Tables 1 and 5; nothing is fitted to any other table."""
