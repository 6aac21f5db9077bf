# SPDX-License-Identifier: BSD-3-Clause
"""One point: a system, an engine and orders, run in a process of its own."""
