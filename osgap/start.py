# SPDX-License-Identifier: BSD-3-Clause
"""python -P start.py MODULE WORDS...: runs a module of the osgap that this file is a part of.

With -P and without PYTHONPATH nothing is imported from the current directory. Nor is anything else
than osgap imported from the checkout, which may be where its user works. Standard library only.
"""

import importlib.util
import runpy
import sys
from pathlib import Path


def load() -> None:
    """Makes `import osgap` find this package, whichever other is installed or on sys.path."""
    init = Path(__file__).resolve().with_name("__init__.py")
    spec = importlib.util.spec_from_file_location("osgap", init)
    assert spec is not None and spec.loader is not None
    sys.modules["osgap"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


if __name__ == "__main__":
    load()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
elif __name__ == "<run_path>":
    load()
