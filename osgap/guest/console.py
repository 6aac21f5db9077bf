# SPDX-License-Identifier: BSD-3-Clause
"""Reads a guest's console while it runs, and bounds its size."""

from __future__ import annotations

import re

from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.guest.errors import GuestError, GuestFlood, GuestPanic

PROTOCOL = 2
EARLIER = (1,)
"""Older protocol versions whose runs are still read: their records are the same."""
PREFIX = "@osgap "
LONGEST_LINE = 16 << 10
"""Most bytes of one line. The longest line of a committed run has 169."""
LARGEST = 1 << 20
"""Most bytes of a console. The largest of a committed run has 23,118, with five batches a
benchmark; a guest does 64 at most."""
_READY = f"{PREFIX}ready protocol={PROTOCOL}".encode()
_END = f"{PREFIX}end ".encode()
_ERROR = f"{PREFIX}error reason="
# How Linux on RISC-V begins the line of a panic (arch/riscv: mm/fault.c, kernel/traps.c; panic.c),
# with or without printk's time. A program that prints the same at the beginning of a line cannot be
# told from the kernel: its point fails as a panic. A line that begins with "Oops" alone does not.
_PANIC = re.compile(
    r"(?:\[[ \d.]{1,20}\](?:\[[ \w]{1,20}\])? )?"
    r"(?:Kernel panic - not syncing|Unable to handle kernel |kernel BUG at "
    r"|(?:Oops|Kernel BUG)(?: - [\w ()-]{1,60})? \[#\d)"
)


class GuestConsole:
    """The console text of a guest so far; whether it takes orders, and has ended."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._line = 0  # begin of the line that is not complete
        self.ready = False
        self.ended = False

    @classmethod
    def from_text(cls, text: str) -> GuestConsole:
        """Returns a complete console. Raises as `feed` does."""
        console = cls()
        console.feed(text.encode("utf-8", "replace"))
        return console

    @property
    def text(self) -> str:
        """The text so far, at most LARGEST bytes; invalid UTF-8 as U+FFFD, line ends as \\n."""
        return self._buffer.decode("utf-8", "replace").replace("\r\n", "\n")

    def feed(self, data: bytes) -> None:
        """Appends the guest's next bytes, cut anywhere; drops those beyond LARGEST.

        Then raises GuestPanic, GuestError or GuestFlood for the first line that ends the run.
        """
        unsearched = len(self._buffer)
        accepted = data[: LARGEST - unsearched]
        self._buffer += accepted
        failure = None
        while (end := self._buffer.find(b"\n", unsearched)) >= 0:
            failure = failure or self._check_line(self._line, end)
            self._line = unsearched = end + 1
        failure = failure or self._check_open_line()
        if failure is None and len(accepted) < len(data):
            failure = GuestFlood(
                f"the guest's console: found over {LARGEST} bytes; allowed: {LARGEST}"
            )
        if failure:
            raise failure

    def _check_line(self, begin: int, end: int) -> OsgapError | None:
        """Notes `ready` and `end` in a complete line; returns the error if it ends the run."""
        if end - begin > LONGEST_LINE:
            return self._too_long(begin)
        line = self._buffer[begin:end]
        self.ready = self.ready or line.startswith(_READY)
        self.ended = self.ended or line.startswith(_END)
        text = line.decode("utf-8", "replace")
        if _PANIC.match(text):
            return GuestPanic(f"the guest panicked: {quoted(text.rstrip())}")
        if text.startswith(_ERROR):
            word = text.removeprefix(_ERROR).rstrip()
            return GuestError(f"the guest refused its orders: {quoted(word)}")
        return None

    def _check_open_line(self) -> OsgapError | None:
        """Checks the last line, which is not complete, as `_check_line` does."""
        if len(self._buffer) - self._line > LONGEST_LINE:
            return self._too_long(self._line)
        self.ready = self.ready or self._buffer.startswith(_READY, self._line)
        return None

    def _too_long(self, begin: int) -> GuestFlood:
        start = self._buffer[begin : begin + LONGEST_LINE].decode("utf-8", "replace")
        return GuestFlood(
            f"a line of the guest's console: found over {LONGEST_LINE} bytes, {quoted(start)}; "
            f"allowed: {LONGEST_LINE}"
        )
