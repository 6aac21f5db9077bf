# SPDX-License-Identifier: BSD-3-Clause
"""The machine's apt sources, rewritten so that source packages are offered as well."""

import re
from dataclasses import dataclass
from pathlib import Path

# tcc and opensbi are in Ubuntu's universe; nothing of ours is in any other component.
COMPONENTS = ("main", "universe")
_ONE_LINE = re.compile(r"deb(?:-src)?\s+(?:\[(?P<options>[^]]*)\]\s+)?(?P<uri>\S+)\s+(?P<rest>.+)")


@dataclass(frozen=True)
class SourcesList:
    """Rewritten sources: the one-line entries and the deb822 stanzas."""

    lines: tuple[str, ...]
    stanzas: tuple[str, ...]


def convert_line(line: str) -> list[str]:
    """A one-line entry as `deb` and `deb-src`; nothing when it is disabled or not ours."""
    match = _ONE_LINE.fullmatch(line.partition("#")[0].strip())
    if match is None:
        return []
    suite, *components = match["rest"].split()
    wanted = [name for name in components if name in COMPONENTS]
    if not wanted:
        return []
    options = f"[{match['options'].strip()}] " if match["options"] else ""
    entry = f"{options}{match['uri']} {suite} {' '.join(wanted)}"
    return [f"deb {entry}", f"deb-src {entry}"]


def _fields(stanza: str) -> list[tuple[str, str]]:
    """Fields in order, continuation lines kept (a Signed-By may hold a whole key)."""
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
    """A deb822 stanza offering both types; None when it is disabled or not ours."""
    fields = _fields(stanza)
    known = {name.lower(): value for name, value in fields}
    wanted = [name for name in known.get("components", "").split() if name in COMPONENTS]
    disabled = known.get("enabled", "yes").lower() in ("no", "false", "0", "off", "without")
    if disabled or not wanted or "uris" not in known or "suites" not in known:
        return None
    replaced = {"types": "deb deb-src", "components": " ".join(wanted)}
    rows = []
    for name, value in fields:
        text = replaced.get(name.lower(), value)
        rows.append(f"{name}: {text}" if not text.startswith("\n") else f"{name}:{text}")
    return "\n".join(rows)


def convert(lists: list[str], deb822: list[str]) -> SourcesList:
    """Every usable entry of the machine's files, each once and in order."""
    lines = [new for text in lists for line in text.splitlines() for new in convert_line(line)]
    stanzas = [
        new
        for text in deb822
        for stanza in re.split(r"\n[ \t]*\n", text)
        if (new := convert_stanza(stanza)) is not None
    ]
    return SourcesList(tuple(dict.fromkeys(lines)), tuple(dict.fromkeys(stanzas)))


def read_machine(etc: Path) -> SourcesList:
    """The sources that apt reads in `etc` (/etc/apt), by its own naming rules."""
    parts = etc / "sources.list.d"
    one_line = [etc / "sources.list", *sorted(parts.glob("*.list"))]
    deb822 = [etc / "sources.sources", *sorted(parts.glob("*.sources"))]
    return convert(
        [path.read_text(encoding="utf-8") for path in one_line if path.is_file()],
        [path.read_text(encoding="utf-8") for path in deb822 if path.is_file()],
    )


def write(sources: SourcesList, parts: Path) -> None:
    """Write the rewritten sources as the only files of a private sources.list.d."""
    parts.mkdir(parents=True, exist_ok=True)
    (parts / "osgap.list").write_text("\n".join(sources.lines) + "\n", encoding="utf-8")
    text = "\n\n".join(sources.stanzas) + "\n"
    (parts / "osgap.sources").write_text(text, encoding="utf-8")
