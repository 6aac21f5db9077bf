# SPDX-License-Identifier: BSD-3-Clause
"""The way in for scripts/*.py, by whatever Python runs them. Standard library only."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from osgap.base.output import print_error
from osgap.base.processes import environment

_NEEDED = ("numpy", "pandas", "pydantic", "rich")


def door(subcommand: str, others: Sequence[str] = ()) -> int:
    """Runs `osgap SUBCOMMAND` with this script's arguments; the exit status.

    A first argument that is one of `others` is the subcommand itself. Under a Python without the
    packages it starts over with .venv's, or says how to make that.
    """
    if sys.version_info < (3, 11) or any(importlib.util.find_spec(one) is None for one in _NEEDED):
        return _without_packages()
    from osgap.cli.main import main

    arguments = sys.argv[1:]
    if arguments[:1] and arguments[0] in others:
        return main(arguments)
    return main([subcommand, *arguments])


def _without_packages() -> int:
    script = Path(sys.argv[0])
    python = Path(__file__).resolve().parents[2] / ".venv" / "bin" / "python"
    if python.exists() and Path(sys.prefix).resolve() != python.parents[1].resolve():
        os.execve(python, [str(python), *sys.argv], environment())
    print_error(
        f"{script.name}: this Python ({sys.executable}) lacks osgap's packages; scripts/study "
        f"makes .venv, which has them: then .venv/bin/python {script}, or .venv/bin/osgap --help",
    )
    return 2
