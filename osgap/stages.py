# SPDX-License-Identifier: BSD-3-Clause
"""What a long command says while it works: a line on standard error, with the time, a stage.

Standard output keeps the results alone, so that it can be sent to a file or a program.
"""

from __future__ import annotations

import sys
import time


def say(text: str) -> None:
    """Prints `text` behind the time of day, as scripts/lib.sh does; nothing without a stderr."""
    if sys.stderr is not None:
        print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
