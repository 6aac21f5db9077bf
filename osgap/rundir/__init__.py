# SPDX-License-Identifier: BSD-3-Clause
"""Run directories: paths, file formats, writing, reading, and packing of accepted runs."""
