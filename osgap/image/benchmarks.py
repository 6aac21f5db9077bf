# SPDX-License-Identifier: BSD-3-Clause
"""The benchmarks of workloads/, read from their sources as the guest's linker finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from osgap.base.paths import project_root
from osgap.image.builder.recipe import recipe

_COMMENTS = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_MACRO = re.compile(r"^#define (\w+)\(([\w., ]+)\)((?:.*\\\n)*.*)$", re.MULTILINE)


def benchmarks() -> dict[str, str]:
    """SUITE/NAME -> what its file says of it first, in one line; sorted by suite, then file."""
    folder, no_suites = project_root() / "workloads", recipe()["NO_SUITES"]
    return {
        f"{path.parent.name}/{name}": about
        for path in sorted(folder.glob("*/*.c"))
        if path.parent.name not in no_suites
        for name, about in _of_file(path)
    }


def _of_file(path: Path) -> Iterator[tuple[str, str]]:
    source = path.read_text(encoding="utf-8")
    comments = [" ".join(text.split()).replace(" * ", " ") for text in _COMMENTS.findall(source)]
    first = next((text for text in comments if not text.startswith("SPDX")), "")
    about = re.split(r"(?<=[a-z0-9)])\. (?=[A-Z])", first.strip(), maxsplit=1)[0].rstrip(".")
    for name in declared(source):
        yield name, about


def declared(source: str) -> list[str]:
    """The names that a C file declares by BENCHMARK, also through macros of its own."""
    macros = {m[1]: ([p.strip() for p in m[2].split(",")], m[3]) for m in _MACRO.finditer(source)}
    plain = _MACRO.sub("", source)
    return list(dict.fromkeys(_names(plain, macros)))


def _names(text: str, macros: dict[str, tuple[list[str], str]]) -> Iterator[str]:
    for match in re.finditer(r"\b(\w+)\(([^()]*)", text):
        word = match[1]
        if word == "BENCHMARK":
            yield match[2].partition(",")[0].strip().replace("##", "")
        elif word in macros:
            parameters, body = macros[word]
            given = [part.strip() for part in match[2].split(",")]
            parameters = [name for name in parameters if name != "..."]
            if len(given) >= len(parameters):
                yield from _names(_substituted(body, parameters, given), macros)


def _substituted(body: str, parameters: list[str], given: list[str]) -> str:
    for parameter, value in zip(parameters, given, strict=False):
        body = re.sub(rf"\b{parameter}\b", value, body.replace("##", " ## "))
    return re.sub(r"\s*##\s*", "", body)
