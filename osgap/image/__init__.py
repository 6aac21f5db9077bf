# SPDX-License-Identifier: BSD-3-Clause
"""The guest image: what builds it, where its packages come from, and its variants."""
