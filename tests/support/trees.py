# SPDX-License-Identifier: BSD-3-Clause
"""Syntax trees of modules, which several tests read: each text is parsed once a process."""

import ast
from functools import cache


@cache
def syntax_tree(text: str) -> ast.Module:
    """The syntax tree of a module's text, not to be changed."""
    return ast.parse(text)
