# SPDX-License-Identifier: BSD-3-Clause
"""Who prints: what modules of osgap/ write to a terminal by, read from their text."""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from trees import nodes

PLACES = ("base/output.py", "base/terminal.py")
"""What everything printed passes through."""
_CALLS = {"print", "input", "breakpoint", "Console", "get_console", "Text"}
_OF_SYS = {"stdout", "stderr", "__stdout__", "__stderr__", "stdin"}
_METHODS = {"from_markup", "from_ansi", "print_exc", "print_exception", "basicConfig", "getLogger"}


def printing(package: Path) -> list[str]:
    """Each place outside of PLACES that could print by itself: "FILE:LINE: WHAT"."""
    return [
        f"{path.relative_to(package)}:{line}: {what}"
        for path in sorted(package.rglob("*.py"))
        if path.relative_to(package).as_posix() not in PLACES
        for line, what in _printing(nodes(path.read_text(encoding="utf-8")))
    ]


def by_repr(package: Path) -> Iterator[tuple[str, str]]:
    """Each f-string with !r in it: FILE, and the first word of the statement that it is in."""
    for path in sorted(package.rglob("*.py")):
        for node in nodes(path.read_text(encoding="utf-8")):
            if isinstance(node, ast.FormattedValue) and node.conversion == ord("r"):
                line = path.read_text(encoding="utf-8").splitlines()[node.lineno - 1]
                word = re.findall(r"\w+", line.strip().removeprefix("raise "))[0]
                yield path.relative_to(package).as_posix(), word


def _printing(tree: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    own = set(_of_pages(tree))
    for node in tree:
        if isinstance(node, ast.Call) and _name(node.func) in _CALLS - own:
            yield node.lineno, f"{_name(node.func)}()"
        elif isinstance(node, ast.Attribute) and node.attr in _OF_SYS and _is(node.value, "sys"):
            yield node.lineno, f"sys.{node.attr}"
        elif isinstance(node, ast.Attribute) and node.attr in _METHODS:
            yield node.lineno, node.attr
        elif isinstance(node, ast.keyword) and node.arg == "markup" and not _is_false(node.value):
            yield node.value.lineno, "markup"
        elif isinstance(node, ast.ImportFrom) and node.module == "sys":
            yield from ((node.lineno, f"sys.{a.name}") for a in node.names if a.name in _OF_SYS)


def _of_pages(tree: Sequence[ast.AST]) -> Iterator[str]:
    """Names that are a page's blocks, whose Text is not rich's."""
    for node in tree:
        if isinstance(node, ast.ImportFrom) and node.module == "osgap.report.blocks":
            yield from (one.name for one in node.names)


def _name(called: ast.expr) -> str:
    return (
        called.attr
        if isinstance(called, ast.Attribute) and called.attr != "print"
        else (called.id if isinstance(called, ast.Name) else "")
    )


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False
