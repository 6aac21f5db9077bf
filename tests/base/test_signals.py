# SPDX-License-Identifier: BSD-3-Clause
"""Signals that ask a process to end, over a fork."""

import os
import signal

from osgap.base import signals


def test_signals_held_at_a_fork_reach_the_child_when_it_takes_them() -> None:
    with signals.end_signals_held():
        child = os.fork()
        if child == 0:
            try:
                signal.signal(signal.SIGTERM, lambda *_: os._exit(3))
                os.kill(os.getpid(), signal.SIGTERM)
                signal.signal(signal.SIGTERM, lambda *_: os._exit(4))
                signals.take_end_signals()
            finally:
                os._exit(5)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 4
    assert signal.SIGTERM not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
