# SPDX-License-Identifier: BSD-3-Clause
"""Quotes foreign text for people: control characters become escapes, long text is cut."""

from __future__ import annotations

LONGEST = 200
"""Most characters of a value that a sentence quotes."""
LONGEST_SENTENCE = 2000


def visible(text: str, encoding: str | None = None) -> str:
    """Returns `text` with escapes for each character that a terminal acts on or cannot show.

    Line ends and tabs stay. `encoding` is the terminal's; None has all characters.
    """
    if not text.isprintable():
        text = "".join(
            character if character in "\n\t" or character.isprintable() else _escape(character)
            for character in text
        )
    if encoding is None or text.isascii():
        return text
    return text.encode(encoding, "backslashreplace").decode(encoding)


def quoted(value: object) -> str:
    """Returns `value` as errors quote it: one line with escapes, at most LONGEST characters."""
    text = repr(value[: LONGEST + 1] if isinstance(value, (str, bytes)) else value)
    return shortened(one_line(text))


def one_line(text: str, encoding: str | None = None) -> str:
    """Returns `text` as `visible` does, with escapes for line ends and tabs too."""
    return visible(text, encoding).replace("\n", "\\n").replace("\t", "\\t")


def sentence(text: str, encoding: str | None = None) -> str:
    """Returns `text` as one line of at most LONGEST_SENTENCE characters."""
    return shortened(one_line(text[: LONGEST_SENTENCE + 1], encoding), LONGEST_SENTENCE)


def shortened(text: str, longest: int = LONGEST) -> str:
    """Returns `text`, cut and with "..." if it is longer than `longest` characters."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def counted(count: float, noun: str) -> str:
    """Returns a number and a noun in the number's form: 1 point, 2 points, 0.5 CPUs."""
    ending = "es" if noun.endswith("ch") else "s"
    return f"{count:.15g} {noun}{'' if count == 1 else ending}"


def reason(error: Exception) -> str:
    """Returns a library error's message: one line with escapes, at most LONGEST characters."""
    return shortened(visible(" ".join(str(error).split())))


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
