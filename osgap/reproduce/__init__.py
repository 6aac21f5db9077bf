# SPDX-License-Identifier: BSD-3-Clause
"""Makes the committed runs again, and compares them with those in results/locked.

declared: results/locked/runs.toml, which says how each run is made.  selection: the chosen runs,
and what is in the way of one on this host.  work: the commands of a run.  difference,
file_difference: a run beside the committed one.  reproduction: all chosen runs, one after the
other.  printed: the tables of the plan and of the result.
"""
