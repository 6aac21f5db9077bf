# SPDX-License-Identifier: BSD-3-Clause
"""What a page keeps packed: its tables and the sliders' models."""

import base64
import gzip
import re

PACKED = re.compile(r'(?<=id="packed">)([^<]+)(?=<)')


def unpack(packed: str) -> str:
    """The JSON that it was."""
    return gzip.decompress(base64.b64decode(packed)).decode()
