# SPDX-License-Identifier: BSD-3-Clause
"""A run as one interactive, self-contained HTML page, which `osgap report` writes."""
