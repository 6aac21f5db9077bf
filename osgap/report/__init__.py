# SPDX-License-Identifier: BSD-3-Clause
"""Interactive, self-contained HTML pages of runs, written by `osgap report` and `osgap site`."""
