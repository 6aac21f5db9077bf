# SPDX-License-Identifier: BSD-3-Clause
"""Judges a change of the guest's kernel: does it matter more than where code and data lie?"""
