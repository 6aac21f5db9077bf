# SPDX-License-Identifier: BSD-3-Clause
"""Reads Kconfig fragments, and checks that a configuration has their options."""

import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from osgap.base.errors import OsgapError

_SET = re.compile(r"(CONFIG_\w+)=(.*)")
_UNSET = re.compile(r"# (CONFIG_\w+) is not set")


def parse(text: str, name: str) -> dict[str, str]:
    """Returns the options of a .config or fragment; the value of one that is not set is `n`."""
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
    """Returns the options of a file."""
    return parse(path.read_text(encoding="utf-8"), path.name)


def optional(path: Path) -> frozenset[str]:
    """Returns the options below lines `# Optional: ...`, which a kernel may lack."""
    lines = path.read_text(encoding="utf-8").splitlines()
    below = [line for above, line in pairwise(lines) if above.startswith("# Optional: ")]
    return frozenset(parse("\n".join(below), path.name))


def check_survived(
    options: dict[str, str],
    final: dict[str, str],
    fragment: str,
    may_lack: frozenset[str] = frozenset(),
) -> None:
    """Raises OsgapError unless `final` has all `options`; those in `may_lack` may be missing."""
    lost = [
        name
        for name, value in options.items()
        if (name in final or name not in may_lack) and final.get(name, "n") != value
    ]
    if lost:
        name = lost[0]
        more = f" (and {len(lost) - 1} more: {', '.join(lost[1:])})" if lost[1:] else ""
        raise OsgapError(
            f"{name}={options[name]} of {fragment} did not survive: "
            f"the configuration has {final.get(name, 'no such option')}{more}"
        )


def merged(base: dict[str, str], changes: dict[str, str]) -> str:
    """Returns the text of a .config: `base` with `changes`."""
    return "\n".join(_line(name, value) for name, value in {**base, **changes}.items()) + "\n"


def overlaid(text: str, options: Mapping[str, str]) -> str:
    """Returns a fragment's text with `options` in place of their lines, new ones at the end."""
    left, lines = dict(options), []
    for line in text.splitlines():
        match = _SET.fullmatch(line.strip()) or _UNSET.fullmatch(line.strip())
        if match and match[1] in options:
            line = _line(match[1], left.pop(match[1]))
        lines.append(line)
    return "\n".join([*lines, *(_line(name, value) for name, value in left.items())]) + "\n"


def _line(name: str, value: str) -> str:
    return f"# {name} is not set" if value == "n" else f"{name}={value}"
