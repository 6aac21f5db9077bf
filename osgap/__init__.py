# SPDX-License-Identifier: BSD-3-Clause
"""osgap: does an operating system get faster as fast as its hardware?"""

from typing import TYPE_CHECKING, Any

from osgap.base.version import VERSION

if TYPE_CHECKING:
    from osgap.notebook import LoadedRun as LoadedRun
    from osgap.notebook import load_run as load_run

__version__ = VERSION
_LAZY = ("LoadedRun", "load_run")


def __getattr__(name: str) -> Any:
    """`load_run` and its type are imported when first asked for (PEP 562).

    Parts of osgap run on a Python without pandas, and importing the package costs nothing.
    """
    if name in _LAZY:
        from osgap import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module 'osgap' has no attribute {name!r}")
