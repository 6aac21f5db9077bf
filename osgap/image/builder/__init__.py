# SPDX-License-Identifier: BSD-3-Clause
"""Builds the guest's kernel, programs and images; called by SCons, standard library only."""
