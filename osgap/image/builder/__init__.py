# SPDX-License-Identifier: BSD-3-Clause
"""Building what runs in the guest; called by SCons, standard library only."""
