# SPDX-License-Identifier: BSD-3-Clause
"""Makes runs of other benchmark programs' output: lmbench, UnixBench and sbc-bench."""
