# SPDX-License-Identifier: BSD-3-Clause
"""Words for the file systems of the guest, as its orders and its lines have them."""

from __future__ import annotations

LOCAL = ("unix", "sprite")
"""Files on the guest's disk: written at once, or later."""
REMOTE = ("nfs", "afs", "diskless")
"""Files on a server, which a guest of the image variant `remote` reaches through its network."""
FILE_SYSTEMS = ("none", *LOCAL, *REMOTE)
"""All words; none is that of a benchmark without files."""
