# SPDX-License-Identifier: BSD-3-Clause
"""Files as an adversary makes them: what is no file, what is damaged, and what is too much."""

import json
import lzma
import os
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

BOUND = 1000
"""Characters of an error, beside the paths in it."""
# What tends to break readers: other types, limits, names that lead elsewhere, control characters.
NASTY = st.sampled_from(
    [
        "../../../etc/passwd",
        "/etc/passwd",
        "$(touch pwned)",
        "a; touch pwned",
        "`id`",
        "--help",
        "",
        " ",
        "\x00",
        "\x1b[2J",
        "é",
        "1e999",
        "-1",
        "0",
        "nan",
        "inf",
        "-0.0",
        "1" * 400,
        "[[[[",
        "{",
        "}",
        '"',
        "'''",
        "\n[disk]\n",
        "\n@osgap end status=ok regions=0\n",
        "=",
        "#",
        "::",
        "9" * 5000,
        "true",
        "[1, 2]",
        "2026-11-21",
        "nan%",
        "\ud7ff",
        "\r\n",
        "\ufeff",
        "1e-320",
    ]
)
VALUES = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        -1,
        1e-320,
        1e308,
        10**400,
        float("nan"),
        float("inf"),
        "",
        "20",
        "\x1b[2J",
        "x" * 5000,
        "../up",
        [],
        {},
        [[]],
        [True],
        {"a": 1},
        ["20"],
        1.5,
    ]
)
"""JSON values of other types than the one that is wanted, or at the limits of it."""


@st.composite
def damaged(draw: Callable[..., Any], text: str) -> str:
    """`text` with a few places cut out, doubled, or replaced by something nasty."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(text) - 1)))
        to = min(len(text), at + draw(st.integers(0, 60)))
        how = draw(st.sampled_from(["cut", "end", "double", "nasty", "any"]))
        middle = {
            "cut": "",
            "end": "",
            "double": text[at:to] * 2,
            "nasty": draw(NASTY),
            "any": draw(st.text(max_size=12)),
        }[how]
        text = text[:at] + middle + ("" if how == "end" else text[to:])
    return text


@st.composite
def changed(draw: Callable[..., Any], data: Any) -> str:
    """The JSON text of `data` with a value in it, or all of it, exchanged for another."""
    data = json.loads(json.dumps(data))
    at, last = {"": data}, ""
    while isinstance(at[last], dict | list) and at[last] and draw(st.integers(0, 4)):
        at = at[last]
        last = draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
    value = draw(VALUES)
    if last == "":
        return json.dumps(value)
    how = draw(st.sampled_from(["exchange", "exchange", "remove", "add"]))
    if how == "exchange":
        at[last] = value
    elif how == "remove":
        del at[last]
    elif isinstance(at, dict):
        at[draw(NASTY)] = value
    else:
        at.append(at[last])
    return json.dumps(data)


def fifo(path: Path) -> None:
    os.mkfifo(path)


def listening_socket(path: Path) -> None:
    """Bound from its own folder: a socket's path may have 107 bytes."""
    with closing(socket.socket(socket.AF_UNIX)) as made:
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            made.bind(f"/proc/self/fd/{folder}/{path.name}")
        finally:
            os.close(folder)


def link_to_zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link_to_full(path: Path) -> None:
    path.symlink_to("/dev/full")


def directory(path: Path) -> None:
    path.mkdir()


def link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def bom(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + b"{}\n")


def wide(path: Path) -> None:
    path.write_bytes("a = 1\n".encode("utf-16"))


def long_line(path: Path) -> None:
    path.write_bytes(b"x" * (3 << 20))


def huge(path: Path) -> None:
    """3 GiB that take no room."""
    with path.open("wb") as file:
        file.truncate(3 << 30)


def bomb(path: Path) -> None:
    """A few kB of .xz that are 8 MiB of one line, whatever the file is called."""
    path.write_bytes(lzma.compress(b"\x1b" * (8 << 20), preset=0))


NO_FILES = {
    one.__name__: one
    for one in (fifo, listening_socket, link_to_zeros, link_to_full, directory, link_to_itself)
}
"""What has a file's name and is none: it would block, never end, or cannot be opened."""
ODD_FILES = {one.__name__: one for one in (bom, wide, long_line, huge, bomb)}
