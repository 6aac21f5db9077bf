# SPDX-License-Identifier: BSD-3-Clause
"""osgap: does an operating system get faster as fast as its hardware?"""

from typing import TYPE_CHECKING, Any

from osgap.base.version import VERSION

if TYPE_CHECKING:
    from osgap.notebook import LoadedRun as LoadedRun
    from osgap.notebook import load_run as load_run
    from osgap.notebook import runs as runs

__version__ = VERSION
__all__ = ["LoadedRun", "__version__", "load_run", "runs"]
_LAZY = ("LoadedRun", "load_run", "runs")


def __getattr__(name: str) -> Any:
    """Imports `load_run`, `runs` and their type at their first use (PEP 562).

    Parts of osgap run on a Python without pandas, and importing the package costs nothing.
    """
    if name in _LAZY:
        from osgap import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module 'osgap' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Lists the names for the completion of an editor, with those that are not imported yet."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
