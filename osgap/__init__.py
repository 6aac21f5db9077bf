# SPDX-License-Identifier: BSD-3-Clause
"""osgap: does an operating system get faster as fast as its hardware?"""

from typing import TYPE_CHECKING, Any

from osgap.base.version import VERSION

if TYPE_CHECKING:
    from osgap.gem5stats.frame import load_statistics as load_statistics
    from osgap.notebook import LoadedRun as LoadedRun
    from osgap.notebook import load_run as load_run
    from osgap.notebook import runs as runs

__version__ = VERSION
__all__ = ["LoadedRun", "__version__", "load_run", "load_statistics", "runs"]
_LAZY = {
    "LoadedRun": "osgap.notebook",
    "load_run": "osgap.notebook",
    "load_statistics": "osgap.gem5stats.frame",
    "runs": "osgap.notebook",
}


def __getattr__(name: str) -> Any:
    """Imports `load_run` and the other names at their first use (PEP 562).

    Parts of osgap run on a Python without pandas, and importing the package costs nothing.
    """
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'osgap' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Lists the names for the completion of an editor, with those that are not imported yet."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
