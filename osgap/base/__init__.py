# SPDX-License-Identifier: BSD-3-Clause
"""What everything stands on: errors, units, files, digests, processes. Imports nothing of osgap."""
