# SPDX-License-Identifier: BSD-3-Clause
"""Entry point of scripts/*.py under any Python; imports the standard library only."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from osgap.base.output import print_error
from osgap.base.processes import environment

_NEEDED = ("numpy", "pandas", "pydantic", "rich")


def run_script(subcommand: str, alternatives: Sequence[str] = ()) -> int:
    """Runs `osgap SUBCOMMAND` with this script's arguments; the exit status.

    If the first argument is one of `alternatives`, it is the subcommand. Under a Python without
    the packages, this starts again with the Python of .venv, or says how to make .venv.
    """
    if sys.version_info < (3, 11) or _lacks_packages():
        return _without_packages()
    from osgap.cli.main import main

    arguments = sys.argv[1:]
    if arguments[:1] and arguments[0] in alternatives:
        return main(arguments)
    return main([subcommand, *arguments])


def _lacks_packages() -> bool:
    return any(importlib.util.find_spec(package) is None for package in _NEEDED)


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
