# SPDX-License-Identifier: BSD-3-Clause
"""A console as it comes: cut anywhere, of any length and bytes, with lines that end a run."""

import time

import consoles
import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from osgap.base.errors import OsgapError
from osgap.guest import console as module
from osgap.guest.console import LARGEST, LONGEST_LINE, GuestConsole
from osgap.guest.protocol import GuestError, GuestFlood, GuestPanic, parse

PANICS = (
    # As this kernel prints them; tests/engines/test_flood.py has them from the kernel itself.
    "Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000100",
    "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000008",
    "Oops - illegal instruction [#1]",
    "Oops [#1]",
    "Kernel BUG [#1]",
    "kernel BUG at fs/inode.c:612!",
    "[    1.234567] Oops [#2]",
    "[    1.234567][    T1] Kernel panic - not syncing: VFS: Unable to mount root fs",
)


def fed(*pieces: bytes) -> tuple[GuestConsole, OsgapError | None]:
    """A console that was fed until it refused, and what it said then."""
    console = GuestConsole()
    for piece in pieces:
        try:
            console.feed(piece)
        except OsgapError as error:
            return console, error
    return console, None


@pytest.mark.parametrize("line", PANICS)
def test_the_kernels_own_lines_are_a_panic(line: str) -> None:
    _, error = fed(b"before\r\n", line.encode() + b"\r\n")
    assert isinstance(error, GuestPanic) and line[-20:] in str(error)


@given(consoles.OURS)
def test_what_a_program_prints_is_none(line: str) -> None:
    console, error = fed(f"{line}\n".encode())
    assert error is None and not console.ended and not console.ready


@settings(max_examples=examples(60))
@given(st.data())
def test_how_a_console_is_cut_makes_no_difference(data: st.DataObject) -> None:
    lines = data.draw(consoles.damaged())
    if data.draw(st.booleans()):
        lines.insert(data.draw(st.integers(0, len(lines))), data.draw(st.sampled_from(PANICS)))
    ends = data.draw(st.sampled_from([b"\n", b"\r\n"]))
    said = b"".join(line.encode() + ends for line in lines)
    whole, error = fed(said)
    pieces, again = fed(*data.draw(consoles.cuts(said)))
    assert (type(error), str(error)) == (type(again), str(again))
    assert whole.text.startswith(pieces.text.rstrip("\r"))
    if error is None:
        expected = said.decode().replace("\r\n", "\n")
        assert (pieces.text, pieces.ready, pieces.ended) == (expected, whole.ready, whole.ended)


@given(st.data(), st.binary(max_size=60))
def test_bytes_of_any_kind_are_read(data: st.DataObject, said: bytes) -> None:
    said = "grün → ".encode() + said
    console, _ = fed(*data.draw(consoles.cuts(said)))
    assert console.text == said.decode("utf-8", "replace").replace("\r\n", "\n")


def test_ready_and_end_count_when_they_are_there() -> None:
    console, _ = fed(b"OpenSBI\n@osgap rea")
    assert not console.ready
    console.feed(b"dy protocol=2")
    assert console.ready
    console.feed(b"\r\n@osgap end status=ok regi")
    assert not console.ended
    console.feed(b"ons=3\r\n")
    assert console.ended


def test_an_error_line_ends_the_run() -> None:
    _, error = fed(b"@osgap error reason=bad-\x1b[2Jcount\n")
    assert isinstance(error, GuestError) and r"bad-\x1b[2Jcount" in str(error)


@pytest.mark.parametrize("size", [1, 997, 1 << 16, LARGEST * 2])
@pytest.mark.parametrize("ends", [b"", b"\n"])
def test_a_line_has_a_bound(size: int, ends: bytes) -> None:
    """Whole or not; what was said until then is kept."""
    said = b"first\n" + b"x" * (LONGEST_LINE + 1) + ends
    console, error = fed(*(said[at : at + size] for at in range(0, len(said), size)))
    assert isinstance(error, GuestFlood) and f"allowed: {LONGEST_LINE}" in str(error)
    assert len(str(error)) < 400 and console.text.startswith("first\nxxx")
    assert fed(b"x" * LONGEST_LINE + b"\n")[1] is None


@pytest.mark.parametrize("size", [997, 1 << 16, LARGEST * 2])
def test_a_console_has_a_bound(size: int) -> None:
    said = b"all work and no play\n" * (LARGEST // 21 + 1)
    console, error = fed(*(said[at : at + size] for at in range(0, len(said), size)))
    assert isinstance(error, GuestFlood) and f"allowed: {LARGEST}" in str(error)
    assert LARGEST - 100 <= len(console.text) <= LARGEST
    with pytest.raises(GuestFlood):
        parse(said.decode())


@pytest.mark.parametrize("piece", [b"Oops", b"Oops [", b"[ 0 ", b"\r", b"@osgap e", b"\xff"])
def test_the_time_is_linear(piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight times as much takes about eight times as long, in lines as long as are allowed."""
    monkeypatch.setattr(module, "LARGEST", LARGEST * 2)
    line = (piece * LONGEST_LINE)[: LONGEST_LINE - 1] + b"\n"

    def spent_s(lines: int) -> float:
        said, best = line * lines, float("inf")
        for _ in range(3):
            began = time.process_time()
            fed(*(said[at : at + 4096] for at in range(0, len(said), 4096)))
            best = min(best, time.process_time() - began)
        return best

    assert spent_s(120) < 3 * 8 * spent_s(15) + 0.05
    assert spent_s(120) < 2
