# SPDX-License-Identifier: BSD-3-Clause
"""The layers of osgap/, and what its modules import: read from their text, not by running them."""

import ast
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from trees import syntax_tree

ORDER = (
    ("base",),
    ("machines", "image", "guest", "gem5stats"),
    ("engines",),
    ("rundir",),
    ("points",),
    ("sweep", "analysis"),
    ("native",),
    ("drawing",),
    ("suites",),
    ("predict", "imports"),
    ("figures", "printing"),
    ("report",),
    ("reproduce",),
    ("kernels",),
    ("cli",),
    ("notebook", "errors", "machine"),
    ("", "__main__"),
)
"""Bottom up. Packages of one layer do not import each other.

The last are modules of osgap itself: its front ("" is osgap/__init__.py) above two doors that
configs/gem5/run.py knows by their names.
"""
_RANK = {name: rank for rank, layer in enumerate(ORDER) for name in layer}
Imports = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Upward:
    """An import that runs up, or to the side."""

    module: str
    imported: str

    def __str__(self) -> str:
        return f"{self.module} imports {self.imported}"


def imports(package: Path) -> Imports:
    """Every module of `package` by its dotted name, with the modules of it that it imports.

    Imports inside functions count; those that only a type checker follows do not.
    """
    modules = {_dotted(path, package): path for path in package.rglob("*.py")}
    return {
        name: frozenset(_modules(path.read_text(encoding="utf-8"), modules.keys())) - {name}
        for name, path in modules.items()
    }


def upward(found: Imports) -> list[Upward]:
    """The imports that do not run down. Raises KeyError for a package of no layer."""
    return [
        Upward(module, imported)
        for module, names in sorted(found.items())
        for imported in sorted(names)
        if not _runs_down(_part(module), _part(imported))
    ]


_WITHOUT_SUITES = ("analysis", "native", "figures", "printing", "report")
"""Packages that know suites by osgap.suites alone: another suite could be the first."""


def single_suites(found: Imports) -> list[Upward]:
    """The imports of a single suite (osgap.suites.NAME) by packages of _WITHOUT_SUITES."""
    return [
        Upward(module, imported)
        for module, names in sorted(found.items())
        for imported in sorted(names)
        if _part(module) in _WITHOUT_SUITES and imported.startswith("osgap.suites.")
    ]


def circle(found: Imports) -> list[str]:
    """Modules that import each other in a circle, in its order; [] where there is none.

    A package that is named to reach a module in it is not a part of the circle.
    """
    done: set[str] = set()
    for start in sorted(found):
        if circle := _circle(start, found, (), done):
            return circle
    return []


def _circle(at: str, found: Imports, path: tuple[str, ...], done: set[str]) -> list[str]:
    if at in path:
        return [*path[path.index(at) :], at]
    if at in done:
        return []
    for name in sorted(found[at]):
        if circle := _circle(name, found, (*path, at), done):
            return circle
    done.add(at)
    return []


def _runs_down(module: str, imported: str) -> bool:
    return module == imported or _RANK[imported] < _RANK[module]


def _part(module: str) -> str:
    return [*module.split("."), ""][1]


def _dotted(path: Path, package: Path) -> str:
    names = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


def _modules(text: str, modules: Set[str]) -> Iterator[str]:
    """Those of `modules` that a module's text imports."""
    for module, names in _statements(text):
        if not names and module in modules:
            yield module
        elif module in modules:
            below = {f"{module}.{name}" for name in names}
            yield from below & modules
            if not below <= modules:
                yield module


@cache
def _statements(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Each module that a text imports, with the names that it imports from it."""
    statements: list[tuple[str, tuple[str, ...]]] = []
    for node in _runtime(syntax_tree(text)):
        if isinstance(node, ast.Import):
            statements += [(alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"from {'.' * node.level}{node.module or ''}: is relative"
            statements.append((node.module or "", tuple(alias.name for alias in node.names)))
    return statements


def _runtime(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those below `if TYPE_CHECKING`."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            yield from _runtime(child)
