# SPDX-License-Identifier: BSD-3-Clause
"""Measures a machine without a simulator: this one, or one to which a bundle is carried."""
