# SPDX-License-Identifier: BSD-3-Clause
"""Names and docstrings of a package that say too little, read from its modules' syntax trees."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from trees import nodes

PRONOUNS = frozenset(
    """own one ones at whole what which those these others theirs made told asked wanted found known
    shown given seen said kept taken held heard judged placed lent""".split()  # noqa: SIM905
)
"""Names that point at a thing without saying it, also with leading underscores."""
RELATIVE = frozenset("what where of that how who whose which when whether".split())  # noqa: SIM905
"""First words of a docstring that is no sentence and no noun phrase."""
Bindings = Counter[tuple[str, str]]
"""Counts by module's path and name."""


def pronouns(package: Path) -> Bindings:
    """Bindings of a pronoun as a name in `package`, modules' names among them."""
    return Counter(
        (path, name)
        for path, tree in _trees(package)
        for name in (Path(path).stem, *_bound(tree))
        if name.lstrip("_") in PRONOUNS
    )


def allow_list(bindings: Bindings) -> str:
    """The text of an allow-list with these bindings: a line "PATH NAME COUNT" each."""
    lines = (f"{path} {name} {count}\n" for (path, name), count in sorted(bindings.items()))
    return "".join(lines)


def read_allow_list(text: str) -> Bindings:
    """The bindings of an allow-list."""
    fields = [line.split() for line in text.splitlines()]
    return Counter({(path, name): int(count) for path, name, count in fields})


def differences(bindings: Bindings, allowed: Mapping[tuple[str, str], int]) -> list[str]:
    """Bindings beyond an allow-list, and entries of the list beyond the bindings."""
    return [
        f"{path}: {name}: found {bindings[path, name]} bindings; allowed: {allowed[path, name]}"
        for path, name in sorted(bindings.keys() | allowed.keys())
        if bindings[path, name] != allowed[path, name]
    ]


def repeated_classes(package: Path) -> dict[str, list[str]]:
    """The modules of each class name that several classes of `package` have."""
    modules: dict[str, list[str]] = defaultdict(list)
    for path, tree in _trees(package):
        for node in tree:
            if isinstance(node, ast.ClassDef):
                modules[node.name].append(path)
    return {name: paths for name, paths in modules.items() if len(paths) > 1}


def relative_docstrings(package: Path) -> list[str]:
    """Docstrings that begin with a relative or question word, as "PATH:LINE: FIRST LINE"."""
    return [
        f"{path}:{node.lineno}: {text.splitlines()[0]}"
        for path, tree in _trees(package)
        for node, text in _strings(tree)
        if _first_word(text) in RELATIVE
    ]


def _trees(package: Path) -> Iterator[tuple[str, Sequence[ast.AST]]]:
    """Each module's path from the package's parent, and its nodes."""
    for path in sorted(package.rglob("*.py")):
        yield str(path.relative_to(package.parent)), nodes(path.read_text(encoding="utf-8"))


def _bound(tree: Sequence[ast.AST]) -> Iterator[str]:
    for node in tree:
        yield from _bound_by(node)


def _bound_by(node: ast.AST) -> Iterator[str]:
    """The names that a node binds: attributes and imports among them."""
    if isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield node.attr
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.alias) and node.asname:
        yield node.asname
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def _strings(tree: Sequence[ast.AST]) -> Iterator[tuple[ast.Expr, str]]:
    """Statements that are a string: docstrings of modules, classes, functions and attributes."""
    for node in tree:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            text = node.value.value
            if isinstance(text, str) and text.strip():
                yield node, text.strip()


def _first_word(text: str) -> str:
    return text.split()[0].partition("'")[0].strip(",:;.").lower()
