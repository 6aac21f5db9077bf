# SPDX-License-Identifier: BSD-3-Clause
"""Tables as they are printed."""
