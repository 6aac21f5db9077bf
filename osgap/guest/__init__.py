# SPDX-License-Identifier: BSD-3-Clause
"""What host and guest say to each other (docs/protocol.md)."""
