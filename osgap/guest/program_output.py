# SPDX-License-Identifier: BSD-3-Clause
"""What a user's program printed, told by the guest in pieces before its benchmark's samples."""

from __future__ import annotations

import re
from collections.abc import Mapping

from osgap.base.quoting import quoted
from osgap.guest.errors import GuestError

KEPT = 65536
"""Bytes of what a program prints that are told: as disk-images/program/program.c has it."""
_PIECE = re.compile(r"(?:[!-$&-~]|%[0-9a-f]{2})+")
_ESCAPE = re.compile(rb"%([0-9a-f]{2})")


class Printed:
    """Collects the lines `output` and `printed`, which come between `bench` and `sample`.

    `output` and `end` raise GuestError for what they may not say.
    """

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._name = ""
        self.texts: dict[str, str] = {}
        """By benchmark; what is no UTF-8 as U+FFFD, and where more was printed a last line says so.
        """

    def output(self, line: str, values: Mapping[str, str]) -> None:
        """Takes a piece."""
        name, text = values["name"], values["text"]
        if name in self.texts or (self._pieces and name != self._name):
            raise GuestError(f"output of another program than before: {quoted(line)}")
        if not _PIECE.fullmatch(text):
            raise GuestError(f"text: found what is not escaped: {quoted(line)}")
        self._name = name
        self._pieces.append(_ESCAPE.sub(lambda one: bytes([int(one[1], 16)]), text.encode()))

    def end(self, line: str, values: Mapping[str, str]) -> None:
        """Takes the line after the last piece, which says how much there was."""
        name, kept, size = values["name"], int(values["kept"]), int(values["bytes"])
        said = b"".join(self._pieces)
        if name in self.texts or (self._pieces and name != self._name):
            raise GuestError(f"printed told of another program than before: {quoted(line)}")
        if len(said) != kept or kept != min(size, KEPT):
            raise GuestError(
                f"the guest told {len(said)} bytes of what was printed: {quoted(line)}"
            )
        text = said.decode("utf-8", "replace")
        more = f"\n[{size - kept} bytes more were printed]\n" if size > kept else ""
        self.texts[name] = text + more
        self._pieces, self._name = [], ""

    def check_whole(self, line: str) -> None:
        """Raises GuestError where pieces came without their end."""
        if self._pieces:
            raise GuestError(f"{self._name}: its output has no end before: {quoted(line)}")
