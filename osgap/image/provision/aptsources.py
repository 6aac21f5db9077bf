# SPDX-License-Identifier: BSD-3-Clause
"""Rewrites the machine's apt sources so that they offer source packages too."""

import re
from dataclasses import dataclass
from pathlib import Path

# tcc and opensbi are in Ubuntu's universe; the image needs no other component.
COMPONENTS = ("main", "universe")
_ONE_LINE = re.compile(r"deb(?:-src)?\s+(?:\[(?P<options>[^]]*)\]\s+)?(?P<uri>\S+)\s+(?P<rest>.+)")


@dataclass(frozen=True)
class SourcesList:
    """Rewritten sources: the one-line entries and the deb822 stanzas."""

    lines: tuple[str, ...]
    stanzas: tuple[str, ...]


def convert_line(line: str) -> list[str]:
    """Returns a one-line entry as `deb` and `deb-src`; [] if it is disabled or not needed."""
    match = _ONE_LINE.fullmatch(line.partition("#")[0].strip())
    if match is None:
        return []
    suite, *components = match["rest"].split()
    needed = [name for name in components if name in COMPONENTS]
    if not needed:
        return []
    options = f"[{match['options'].strip()}] " if match["options"] else ""
    entry = f"{options}{match['uri']} {suite} {' '.join(needed)}"
    return [f"deb {entry}", f"deb-src {entry}"]


def _fields(stanza: str) -> list[tuple[str, str]]:
    """Returns the fields in order, with continuation lines (a Signed-By may hold a whole key)."""
    fields: list[tuple[str, str]] = []
    for line in stanza.splitlines():
        if line.startswith("#"):
            continue
        if line[:1] in (" ", "\t") and fields:
            name, value = fields[-1]
            fields[-1] = (name, f"{value}\n{line}")
        elif ":" in line:
            name, _, value = line.partition(":")
            fields.append((name.strip(), value.strip()))
    return fields


def convert_stanza(stanza: str) -> str | None:
    """Returns a deb822 stanza that offers both types; None if it is disabled or not needed."""
    fields = _fields(stanza)
    values = {name.lower(): value for name, value in fields}
    needed = [name for name in values.get("components", "").split() if name in COMPONENTS]
    disabled = values.get("enabled", "yes").lower() in ("no", "false", "0", "off", "without")
    if disabled or not needed or "uris" not in values or "suites" not in values:
        return None
    replaced = {"types": "deb deb-src", "components": " ".join(needed)}
    rows = []
    for name, value in fields:
        text = replaced.get(name.lower(), value)
        rows.append(f"{name}: {text}" if not text.startswith("\n") else f"{name}:{text}")
    return "\n".join(rows)


def convert(lists: list[str], deb822: list[str]) -> SourcesList:
    """Returns the usable entries of the machine's files, each once and in order."""
    lines = [new for text in lists for line in text.splitlines() for new in convert_line(line)]
    stanzas = [
        new
        for text in deb822
        for stanza in re.split(r"\n[ \t]*\n", text)
        if (new := convert_stanza(stanza)) is not None
    ]
    return SourcesList(tuple(dict.fromkeys(lines)), tuple(dict.fromkeys(stanzas)))


def read_machine(etc: Path) -> SourcesList:
    """Returns the sources that apt reads in `etc` (/etc/apt), by apt's naming rules."""
    parts = etc / "sources.list.d"
    one_line = [etc / "sources.list", *sorted(parts.glob("*.list"))]
    deb822 = [etc / "sources.sources", *sorted(parts.glob("*.sources"))]
    return convert(
        [path.read_text(encoding="utf-8") for path in one_line if path.is_file()],
        [path.read_text(encoding="utf-8") for path in deb822 if path.is_file()],
    )


def write(sources: SourcesList, parts: Path) -> None:
    """Writes the rewritten sources as the only files of a private sources.list.d."""
    parts.mkdir(parents=True, exist_ok=True)
    (parts / "osgap.list").write_text("\n".join(sources.lines) + "\n", encoding="utf-8")
    text = "\n\n".join(sources.stanzas) + "\n"
    (parts / "osgap.sources").write_text(text, encoding="utf-8")
