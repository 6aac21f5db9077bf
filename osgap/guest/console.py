# SPDX-License-Identifier: BSD-3-Clause
"""A guest's console, read as it comes: each byte once, and no more of them than bounds allow."""

from __future__ import annotations

import re

from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.guest.errors import GuestError, GuestFlood, GuestPanic

PROTOCOL = 2
EARLIER = (1,)
"""Protocols whose runs are still read: their records are the same."""
PREFIX = "@osgap "
LONGEST_LINE = 16 << 10
"""Bytes of one line. The longest that a committed run has is of 169."""
LARGEST = 1 << 20
"""Bytes of a console. The largest that a committed run has is of 23,118, of five batches a
benchmark; a guest does 64 at most."""
_READY = f"{PREFIX}ready protocol={PROTOCOL}".encode()
_END = f"{PREFIX}end ".encode()
_ERROR = f"{PREFIX}error reason="
# What Linux on RISC-V begins such a line with (arch/riscv: mm/fault.c, kernel/traps.c; panic.c),
# with or without printk's time before it. A program that prints the same, at the beginning of a
# line, cannot be told from the kernel: its point fails as a panic. One that says "Oops" does not.
_PANIC = re.compile(
    r"(?:\[[ \d.]{1,20}\](?:\[[ \w]{1,20}\])? )?"
    r"(?:Kernel panic - not syncing|Unable to handle kernel |kernel BUG at "
    r"|(?:Oops|Kernel BUG)(?: - [\w ()-]{1,60})? \[#\d)"
)


class GuestConsole:
    """What a guest has said so far. Each engine reads its guest through one.

    `ready` is whether it said that it takes orders, `ended` whether its end line is whole.
    """

    def __init__(self) -> None:
        self._said = bytearray()
        self._line = 0  # where the line begins that is not whole yet
        self.ready = False
        self.ended = False

    @property
    def text(self) -> str:
        """All of it, LARGEST bytes at most; what is not UTF-8 as U+FFFD, line ends as newlines."""
        return self._said.decode("utf-8", "replace").replace("\r\n", "\n")

    def feed(self, data: bytes) -> None:
        """Takes what the guest said next, cut anywhere; what is over LARGEST is dropped.

        Raises, after all of `data` is taken, what its first decisive line says: GuestPanic,
        GuestError for an error line, GuestFlood for a line or a console that is too large.
        """
        unsearched = len(self._said)
        kept = data[: LARGEST - unsearched]
        self._said += kept
        failure = None
        while (end := self._said.find(b"\n", unsearched)) >= 0:
            failure = failure or self._judge(self._line, end)
            self._line = unsearched = end + 1
        failure = failure or self._judge_open()
        if failure is None and len(kept) < len(data):
            failure = GuestFlood(
                f"the guest's console: found over {LARGEST} bytes; allowed: {LARGEST}"
            )
        if failure:
            raise failure

    def _judge(self, begin: int, end: int) -> OsgapError | None:
        """Notes what a whole line says; why it ends the run, if it does."""
        if end - begin > LONGEST_LINE:
            return self._too_long(begin)
        line = self._said[begin:end]
        self.ready = self.ready or line.startswith(_READY)
        self.ended = self.ended or line.startswith(_END)
        text = line.decode("utf-8", "replace")
        if _PANIC.match(text):
            return GuestPanic(f"the guest panicked: {quoted(text.rstrip())}")
        if text.startswith(_ERROR):
            word = text.removeprefix(_ERROR).rstrip()
            return GuestError(f"the guest refused its orders: {quoted(word)}")
        return None

    def _judge_open(self) -> OsgapError | None:
        """The same of the last line, which may go on."""
        if len(self._said) - self._line > LONGEST_LINE:
            return self._too_long(self._line)
        self.ready = self.ready or self._said.startswith(_READY, self._line)
        return None

    def _too_long(self, begin: int) -> GuestFlood:
        start = self._said[begin : begin + LONGEST_LINE].decode("utf-8", "replace")
        return GuestFlood(
            f"a line of the guest's console: found over {LONGEST_LINE} bytes, {quoted(start)}; "
            f"allowed: {LONGEST_LINE}"
        )


def whole(text: str) -> GuestConsole:
    """The console whose text is known already, read as if it came. Raises as `feed` does."""
    console = GuestConsole()
    console.feed(text.encode("utf-8", "replace"))
    return console
