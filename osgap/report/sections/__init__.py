# SPDX-License-Identifier: BSD-3-Clause
"""The sections of a page, one module each: `section(subject)` returns None without content."""
