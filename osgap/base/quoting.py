# SPDX-License-Identifier: BSD-3-Clause
"""Text from outside as it may be shown: control characters as escapes, and not too much of it."""

from __future__ import annotations

LONGEST = 200
"""Characters of a found value that a sentence quotes at most."""
LONGEST_SENTENCE = 2000


def visible(text: str, encoding: str | None = None) -> str:
    """`text` with every character that a terminal acts on, or cannot show, as an escape.

    Line ends and tabs stay. `encoding` is the terminal's; None has all characters.
    """
    if not text.isprintable():
        text = "".join(one if one in "\n\t" or one.isprintable() else _escape(one) for one in text)
    if encoding is None or text.isascii():
        return text
    return text.encode(encoding, "backslashreplace").decode(encoding)


def found(value: object) -> str:
    """`value` as a sentence quotes it: one line, escapes shown, at most LONGEST characters."""
    text = repr(value[: LONGEST + 1] if isinstance(value, (str, bytes)) else value)
    return shortened(one_line(text))


def one_line(text: str, encoding: str | None = None) -> str:
    """As `visible`, line ends and tabs as escapes too."""
    return visible(text, encoding).replace("\n", "\\n").replace("\t", "\\t")


def sentence(text: str, encoding: str | None = None) -> str:
    """`text` as one line of at most LONGEST_SENTENCE characters."""
    return shortened(one_line(text[: LONGEST_SENTENCE + 1], encoding), LONGEST_SENTENCE)


def shortened(text: str, longest: int = LONGEST) -> str:
    """`text`, or its beginning and "..." where it is longer than `longest` characters."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def reason(error: Exception) -> str:
    """What an error of a library says: one line, escapes shown, at most LONGEST characters."""
    return shortened(visible(" ".join(str(error).split())))


def _escape(one: str) -> str:
    return one.encode("unicode_escape").decode("ascii")
