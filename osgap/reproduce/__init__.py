# SPDX-License-Identifier: BSD-3-Clause
"""Makes the committed runs again, and compares them with those in results/locked.

declared: results/locked/runs.toml, which says how each run is made.
"""
