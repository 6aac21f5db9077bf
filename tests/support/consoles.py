# SPDX-License-Identifier: BSD-3-Clause
"""Whole consoles for hypothesis: transcripts that keep the protocol, and what may go wrong in one.

A transcript is a list of lines, so that damage is done to lines and to the numbers in them.
"""

import re
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

_METRICS = ("us", "ms", "s", "ns", "MB/s", "MIPS")
NAMES = (
    "empty_loop",
    "integer_mix",
    "getpid",
    "cswitch",
    "create_delete_0",
    "pipe_bandwidth",
    "bcopy_uncached",
    "pointer_chase_l1",
    "pointer_chase_memory",
    "stream_copy",
    "dhrystone",
    "nan",
    "none",
    "0",
    "andrew_copy",
)
_NUMBERS = st.sampled_from(
    [
        "0",
        "-1",
        "1",
        "00",
        "+1",
        "1.5",
        "1e3",
        "nan",
        "inf",
        "",
        "²",
        "9" * 15,
        "9" * 19,
        "9" * 5000,
        "18446744073709551615",
        "999999999999999",
        "1000000000",
        "64",
        "65",
    ]
)
_DISK = (
    "reads",
    "writes",
    "sectors",
    "seek_ns",
    "rotation_ns",
    "transfer_ns",
    "overhead_ns",
    "queue_ns",
)
_NETWORK = (
    "messages",
    "repeated",
    "getattr",
    "lookup",
    "read",
    "write",
    "create",
    "remove",
    "frames",
    "bytes",
    "server_ns",
)
OURS = st.sampled_from(
    [
        "Oops",
        "the test says Oops [#1]",
        "a Kernel panic - not syncing, says the manual",
        "[ok] Oops",
        "Oopsie",
        "@osgapend",
        " @osgap end status=ok regions=0",
        "x" * 3000,
        "\x1b[2J",
        "\x0b@osgap end status=ok regions=1",
        "\x85@osgap end status=ok regions=1",
        "é\u2028ü",
        "\x00",
    ]
)
"""What a program may print beside the protocol, and which is nothing to the host."""


@st.composite
def _numbers(draw: Callable[..., Any], least: int = 0) -> int:
    return draw(st.integers(least, 20) | st.integers(least, 10**9))


@st.composite
def _region(draw: Callable[..., Any], region: int, head: str, batch: int, more: int) -> list[str]:
    ns = draw(_numbers(1))
    lines = [f"@osgap sample region={region} {head} batch={batch} ns={ns} irqs={draw(_numbers())}"]
    if more >= 1:
        user, kernel, idle = (draw(_numbers()) for _ in range(3))
        lines.append(
            f"@osgap modes region={region} user_ns={user} kernel_ns={kernel} idle_ns={idle}"
        )
    if more >= 2:
        for name in ("wait_ns", "acquisitions"):
            value = draw(_numbers())
            lines.append(f"@osgap counter region={region} name={name} value={value}")
    return lines


@st.composite
def _use(draw: Callable[..., Any], verb: str, head: str, keys: tuple[str, ...]) -> str:
    """The line of a device that a benchmark used."""
    return " ".join([f"@osgap {verb} {head}", *(f"{key}={draw(_numbers())}" for key in keys)])


@st.composite
def transcripts(draw: Callable[..., Any]) -> list[str]:
    """The lines of a run of one to four benchmarks that keeps the protocol."""
    lines = ["@osgap ready protocol=2"] if draw(st.booleans()) else []
    places = st.tuples(st.sampled_from(NAMES), st.sampled_from(["none", "unix", "sprite", "nfs"]))
    region = 0
    for name, fs in draw(st.lists(places, min_size=1, max_size=4, unique=True)):
        head, batches = f"name={name} fs={fs}", draw(st.integers(1, 3))
        metric, count = draw(st.sampled_from(_METRICS)), draw(_numbers(1))
        size = draw(_numbers(1 if metric == "MB/s" else 0))
        lines.append(
            f"@osgap bench {head} metric={metric} bytes={size} count={count} batches={batches}"
        )
        more = draw(st.integers(0, 2))
        for batch in range(batches):
            lines += draw(_region(region, head, batch, more))
            region += 1
        if fs != "none":
            lines.append(draw(_use("disk", head, _DISK)))
        if fs == "nfs":
            lines.append(draw(_use("network", head, _NETWORK)))
    return [*lines, f"@osgap end status=ok regions={region}"]


@st.composite
def damaged(draw: Callable[..., Any]) -> list[str]:
    """A transcript with up to three lines dropped, doubled, exchanged, renumbered or added."""
    lines = draw(transcripts())
    for _ in range(draw(st.integers(0, 3))):
        at, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        how = draw(st.sampled_from(["drop", "double", "swap", "number", "number", "say", "join"]))
        if how == "drop" and len(lines) > 1:
            del lines[at]
        elif how == "double":
            lines.insert(other, lines[at])
        elif how == "swap":
            lines[at], lines[other] = lines[other], lines[at]
        elif how == "number":
            lines[at] = _renumbered(draw, lines[at])
        elif how == "say":
            lines.insert(at, draw(OURS))
        else:
            lines[at] = lines[at] + draw(OURS)
    return lines


def _renumbered(draw: Callable[..., Any], line: str) -> str:
    numbers = list(re.finditer(r"(?<==)\d+", line))
    if not numbers:
        return line
    one = draw(st.sampled_from(numbers))
    beside = st.sampled_from([int(one.group()) - 1, int(one.group()) + 1]).map(str)
    return line[: one.start()] + draw(st.just("0") | beside | _NUMBERS) + line[one.end() :]


def text(lines: list[str]) -> str:
    """The console of these lines."""
    return "".join(f"{line}\n" for line in lines)


@st.composite
def cuts(draw: Callable[..., Any], said: bytes) -> list[bytes]:
    """The same bytes in pieces, as they may come from a pipe."""
    places = sorted(draw(st.lists(st.integers(0, len(said)), max_size=8)))
    return [said[a:b] for a, b in zip([0, *places], [*places, len(said)], strict=True)]
