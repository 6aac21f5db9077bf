# SPDX-License-Identifier: BSD-3-Clause
"""Modules planted where no process of ours may import them from: each leaves a mark if it is."""

import importlib.metadata
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

# It leaves a mark, then makes way for the module whose name it has.
_MODULE = """
import posix, sys
mark = posix.open({marks!r}, posix.O_WRONLY | posix.O_APPEND)
posix.write(mark, ({place!r} + " " + __name__ + " " + str(posix.getpid()) + "\\n").encode())
posix.close(mark)
sys.path[:] = [path for path in sys.path if path != {place!r}]
sys.path_importer_cache.clear()
del sys.modules[__name__]
try:
    __import__(__name__)
except ImportError:
    sys.modules[__name__] = sys
"""


def names() -> list[str]:
    """Every name that a Python of ours may import at the top: its library, packages, and hooks."""
    installed = importlib.metadata.packages_distributions()
    plain = {name for name in installed if name.isidentifier()}
    return sorted({*sys.stdlib_module_names, *plain, "osgap", "sitecustomize", "usercustomize"})


def first_names() -> set[str]:
    """The names that any Python imports before all else: with others of these it does not start."""
    listed = [sys.executable, "-I", "-c", "import sys; print(*sys.modules)"]
    told = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    return {name.partition(".")[0] for name in told.split()} - {"sitecustomize", "usercustomize"}


def plant(place: Path, marks: Path, leave_out: Collection[str] = ()) -> None:
    """Modules of all of these names in the directory `place`, but those that are there."""
    place.mkdir(parents=True, exist_ok=True)
    text = _MODULE.format(marks=str(marks), place=str(place))
    for name in names():
        if name not in leave_out and not (place / name).exists():
            (place / f"{name}.py").write_text(text)
    (place / "site_scons").mkdir(exist_ok=True)
    (place / "site_scons" / "site_init.py").write_text(text)


def break_plot(place: Path) -> None:
    """What matplotlib would read there: other figures than without."""
    (place / "matplotlibrc").write_text("savefig.dpi: 20\nfont.size: 30\n")
