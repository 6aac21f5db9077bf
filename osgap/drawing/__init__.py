# SPDX-License-Identifier: BSD-3-Clause
"""How figures and tables are drawn, whatever they show."""
