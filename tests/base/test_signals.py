# SPDX-License-Identifier: BSD-3-Clause
"""Signals that ask a process to end, over a fork."""

import os
import signal

import pytest

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


def test_the_first_signal_alone_interrupts_and_an_ignored_one_stays_so() -> None:
    before = {number: signal.getsignal(number) for number in signals.END_SIGNALS}
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signals.interrupt_once()
        signal.raise_signal(signal.SIGHUP)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        for number in signals.END_SIGNALS:
            signal.raise_signal(number)
    finally:
        signals.set_handlers(before)
