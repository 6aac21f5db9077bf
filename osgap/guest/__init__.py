# SPDX-License-Identifier: BSD-3-Clause
"""The host's side of the guest protocol: orders, records, console (docs/reference/protocol.md)."""
