# SPDX-License-Identifier: BSD-3-Clause
"""Collects the output of a user's program, which the guest sends before the samples."""

from __future__ import annotations

import re
from collections.abc import Mapping

from osgap.base.quoting import counted, quoted
from osgap.guest.errors import GuestError

KEPT = 65536
"""Most bytes of a program's output that the guest sends (disk-images/program/program.c)."""
_ILLEGAL = re.compile(r"illegal-([0-9a-f]+)-(rv64[a-z]+)")
_PIECE = re.compile(r"(?:[!-$&-~]|%[0-9a-f]{2})+")
_ESCAPE = re.compile(rb"%([0-9a-f]{2})")


def failure(word: str) -> str:
    """Returns the reason of a `fail` line, an illegal instruction as a sentence."""
    illegal = _ILLEGAL.fullmatch(word)
    if illegal is None:
        return word
    address, isa = illegal.groups()
    place = "" if address == "0" else f" at 0x{address}"
    return f"illegal instruction{place} (SIGILL); the guest's ISA is {isa}"


class ProgramOutput:
    """Collects the lines `output` and `printed`. Methods raise GuestError."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._name = ""
        self.texts: dict[str, str] = {}
        """Output by benchmark. Invalid UTF-8 becomes U+FFFD; a last line says if output was cut."""

    def output(self, line: str, values: Mapping[str, str]) -> None:
        """Adds a piece of output."""
        name, text = values["name"], values["text"]
        if name in self.texts or (self._pieces and name != self._name):
            raise GuestError(f"output of another program than before: {quoted(line)}")
        if not _PIECE.fullmatch(text):
            raise GuestError(f"text: found what is not escaped: {quoted(line)}")
        self._name = name
        self._pieces.append(_ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), text.encode()))

    def end(self, line: str, values: Mapping[str, str]) -> None:
        """Takes the line after the last piece, which gives the sizes."""
        name, sent, size = values["name"], int(values["kept"]), int(values["bytes"])
        output = b"".join(self._pieces)
        if name in self.texts or (self._pieces and name != self._name):
            raise GuestError(f"`printed` of another program than before: {quoted(line)}")
        if len(output) != sent or sent != min(size, KEPT):
            raise GuestError(
                f"the guest sent {counted(len(output), 'byte')} of output: {quoted(line)}"
            )
        text = output.decode("utf-8", "replace")
        more = f"\n[{counted(size - sent, 'byte')} more]\n" if size > sent else ""
        self.texts[name] = text + more
        self._pieces, self._name = [], ""

    def check_ended(self, line: str) -> None:
        """Raises GuestError if pieces came without a `printed` line."""
        if self._pieces:
            raise GuestError(f"{self._name}: its output has no end before: {quoted(line)}")
