# SPDX-License-Identifier: BSD-3-Clause
"""Machine files, and the systems that they describe."""
