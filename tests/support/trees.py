# SPDX-License-Identifier: BSD-3-Clause
"""Syntax trees of modules, which several tests read: each text is parsed once a process.

These tests run in one process (SOURCES).
"""

import ast
from functools import cache

import pytest

SOURCES = pytest.mark.xdist_group("sources")
"""Marks a test that reads the syntax trees of all modules."""


@cache
def syntax_tree(text: str) -> ast.Module:
    """The syntax tree of a module's text, not to be changed."""
    return ast.parse(text)


@cache
def nodes(text: str) -> tuple[ast.AST, ...]:
    """All nodes of a module's tree, not to be changed."""
    return tuple(ast.walk(syntax_tree(text)))
