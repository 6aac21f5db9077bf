# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of a simulated machine, in gem5's text format."""
