# SPDX-License-Identifier: BSD-3-Clause
"""Configuration fragments: reading them, and checking that they survived Kconfig."""

import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from osgap.base.errors import OsgapError

_SET = re.compile(r"(CONFIG_\w+)=(.*)")
_UNSET = re.compile(r"# (CONFIG_\w+) is not set")


def parse(text: str, name: str) -> dict[str, str]:
    """Options and values of a .config or fragment; an option that is not set has the value `n`."""
    options: dict[str, str] = {}
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if match := _SET.fullmatch(line):
            options[match[1]] = match[2]
        elif match := _UNSET.fullmatch(line):
            options[match[1]] = "n"
        elif line and not line.startswith("#"):
            raise OsgapError(f"{name} line {number} is no configuration option: {line}")
    return options


def load(path: Path) -> dict[str, str]:
    """Options of a file."""
    return parse(path.read_text(encoding="utf-8"), path.name)


def optional(path: Path) -> frozenset[str]:
    """Options right below a line `# Optional: ...`: a kernel may not have them at all."""
    lines = path.read_text(encoding="utf-8").splitlines()
    below = [line for above, line in pairwise(lines) if above.startswith("# Optional: ")]
    return frozenset(parse("\n".join(below), path.name))


def check_survived(
    wanted: dict[str, str],
    final: dict[str, str],
    fragment: str,
    may_lack: frozenset[str] = frozenset(),
) -> None:
    """Every wanted option must be in the final configuration with its value.

    An option in `may_lack` may be missing there, but not have another value.
    """
    known = {name: value for name, value in wanted.items() if name in final or name not in may_lack}
    lost = [name for name, value in known.items() if final.get(name, "n") != value]
    if lost:
        name = lost[0]
        others = f" (and {len(lost) - 1} more: {', '.join(lost[1:])})" if lost[1:] else ""
        raise OsgapError(
            f"{name}={wanted[name]} of {fragment} did not survive: "
            f"the configuration has {final.get(name, 'no such option')}{others}"
        )


def merged(base: dict[str, str], wanted: dict[str, str]) -> str:
    """The text of a .config: `base` with the wanted values over it."""
    return "\n".join(_line(name, value) for name, value in {**base, **wanted}.items()) + "\n"


def overlaid(text: str, options: Mapping[str, str]) -> str:
    """A fragment's text with each of `options` in place of its own line, or at the end."""
    left, lines = dict(options), []
    for line in text.splitlines():
        found = _SET.fullmatch(line.strip()) or _UNSET.fullmatch(line.strip())
        if found and found[1] in options:
            line = _line(found[1], left.pop(found[1]))
        lines.append(line)
    return "\n".join([*lines, *(_line(name, value) for name, value in left.items())]) + "\n"


def _line(name: str, value: str) -> str:
    return f"# {name} is not set" if value == "n" else f"{name}={value}"
