# SPDX-License-Identifier: BSD-3-Clause
"""What osgap costs, and what survives a kill."""
