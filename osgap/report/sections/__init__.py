# SPDX-License-Identifier: BSD-3-Clause
"""The page's sections, a module each: `section(subject)`, None where there is nothing to show."""
