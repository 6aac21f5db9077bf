# SPDX-License-Identifier: BSD-3-Clause
"""Lists the benchmarks of workloads/, read from their C sources."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.base.quoting import quoted
from osgap.base.suggestions import hint
from osgap.image.builder.recipe import recipe

_LINE_STAR = re.compile(r"\n\s*\*")
_COMMENTS = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_UNIT = re.compile(r'\.metric = "([^"]+)"')
_MACRO = re.compile(r"^#define (\w+)\(([\w., ]+)\)((?:.*\\\n)*.*)$", re.MULTILINE)


def benchmarks() -> dict[str, str]:
    """Returns the head comment of each benchmark SUITE/NAME, in one line; sorted."""
    folder, words = project_root() / "workloads", recipe()
    no_suites = set(words["NO_SUITES"]) - {*words["REMOTE_SUITES"], *words["VARIANT_SUITES"]}
    return {
        f"{path.parent.name}/{name}": about
        for path in sorted(folder.glob("*/*.c"))
        if path.parent.name not in no_suites
        for name, about in _read(path)
    }


def metrics(suites: Collection[str]) -> dict[str, str]:
    """Returns the unit of the result of each benchmark SUITE/NAME of `suites`; sorted."""
    return {
        f"{path.parent.name}/{name}": metric
        for path in sorted((project_root() / "workloads").glob("*/*.c"))
        if path.parent.name in suites
        for name, metric in declared_metrics(path.read_text(encoding="utf-8")).items()
    }


def check_known(run: Collection[str], available: Collection[str], key: str = "--run") -> None:
    """Raises OsgapError for a name that is no suite and no benchmark of those `available`.

    `key` is the name of `run` in the error.
    """
    names = [*dict.fromkeys(name.partition("/")[0] for name in available), *available]
    for name in run:
        if name not in names:
            raise OsgapError(
                f"{key}: there is no benchmark or suite {quoted(name)}; {hint(name, names)}"
                "osgap list benchmarks shows them"
            )


def check_once(run: Collection[str], key: str = "--run") -> None:
    """Raises OsgapError, by the name `key`, for a benchmark that `run` has twice."""
    for name in run:
        suite = name.partition("/")[0]
        if suite != name and suite in run:
            raise OsgapError(
                f"{key}: found {quoted(name)} beside {quoted(suite)}, which has it; allowed: each "
                "benchmark once"
            )
        if list(run).count(name) > 1:
            raise OsgapError(f"{key}: found {quoted(name)} twice; allowed: each benchmark once")


def _read(path: Path) -> Iterator[tuple[str, str]]:
    source = path.read_text(encoding="utf-8")
    comments = [" ".join(_LINE_STAR.sub(" ", text).split()) for text in _COMMENTS.findall(source)]
    first = next((text for text in comments if not text.startswith("SPDX")), "")
    about = re.split(r"(?<=[a-z0-9)])\. (?=[A-Z])", first.strip(), maxsplit=1)[0].rstrip(".")
    for name in declared(source):
        yield name, about


def declared(source: str) -> list[str]:
    """Returns the names that a C file declares by BENCHMARK, also through its own macros."""
    return list(declared_metrics(source))


def declared_metrics(source: str) -> dict[str, str]:
    """Returns the unit, "" for none, of each benchmark that `declared` finds, in its order."""
    macros = {m[1]: ([p.strip() for p in m[2].split(",")], m[3]) for m in _MACRO.finditer(source)}
    plain = _MACRO.sub("", source)
    units: dict[str, str] = {}
    for name, words in _declarations(plain, macros):
        unit = _UNIT.search(words)
        units.setdefault(name, unit[1] if unit else "")
    return units


def _declarations(text: str, macros: dict[str, tuple[list[str], str]]) -> Iterator[tuple[str, str]]:
    """Each name that BENCHMARK declares, with the words that follow it."""
    for match in re.finditer(r"\b(\w+)\(([^()]*)", text):
        word = match[1]
        if word == "BENCHMARK":
            name, _, words = match[2].partition(",")
            yield name.strip().replace("##", ""), words
        elif word in macros:
            parameters, body = macros[word]
            values = [part.strip() for part in match[2].split(",")]
            parameters = [name for name in parameters if name != "..."]
            if len(values) >= len(parameters):
                yield from _declarations(_substituted(body, parameters, values), macros)


def _substituted(body: str, parameters: list[str], values: list[str]) -> str:
    for parameter, value in zip(parameters, values, strict=False):
        body = re.sub(rf"\b{parameter}\b", value, body.replace("##", " ## "))
    return re.sub(r"\s*##\s*", "", body)
