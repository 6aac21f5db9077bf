# SPDX-License-Identifier: BSD-3-Clause
"""The guest image: its builders, packages, variants, benchmarks and users' programs."""
