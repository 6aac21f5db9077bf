# SPDX-License-Identifier: BSD-3-Clause
"""What scripts share: failures as one sentence, and signals that let them clean up."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable

from osgap.errors import OsgapError


def run(name: str, body: Callable[[], int], interrupted: str = "interrupted") -> int:
    """The exit status of `body`; 2 and one sentence, which `name` begins, when it fails.

    Ended by its terminal or by kill, a script cleans up as it does after Ctrl-C.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, signal.default_int_handler)
    try:
        return body()
    except OsgapError as error:
        sentence = str(error)
    except KeyboardInterrupt:
        sentence = interrupted
    except OSError as error:
        sentence = f"{error.filename or 'a file'}: {error.strerror}"
    print(f"{name}: {sentence}", file=sys.stderr)
    return 2
