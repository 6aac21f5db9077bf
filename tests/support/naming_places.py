# SPDX-License-Identifier: BSD-3-Clause
"""Every place of osgap/ that gives a file or a directory its name: MODULE:FUNCTION."""

import ast
from collections.abc import Iterator

from trees import syntax_tree

from osgap.base.paths import project_root

_NAMING = frozenset(
    f"durable.{name}"
    for name in ("write_text", "write_json", "rename", "whole_file", "whole_directory")
)


def places() -> list[str]:
    """The values of durable.FAULT that name a place, sorted."""
    package = project_root() / "osgap"
    found: set[str] = set()
    for path in package.rglob("*.py"):
        module = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        if module != "osgap.base.durable":
            tree = syntax_tree(path.read_text(encoding="utf-8"))
            found.update(f"{module}:{name}" for name in _functions(tree, ""))
    return sorted(found)


def _functions(node: ast.AST, inside: str) -> Iterator[str]:
    """Names (CLASS.FUNCTION) of the outermost functions that call what gives names."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{inside}{child.name}.")
        elif isinstance(child, ast.FunctionDef):
            if any(_names(one) for one in ast.walk(child)):
                yield f"{inside}{child.name}"
        elif any(_names(one) for one in ast.walk(child)):
            yield f"{inside}<module>"


def _names(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in _NAMING
