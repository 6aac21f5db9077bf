# SPDX-License-Identifier: BSD-3-Clause
"""What is made once a session, though several processes run its tests: one makes, others wait."""

import fcntl
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from osgap.base.paths import project_root
from osgap.image.variants import DEFAULT, image_directory

Value = TypeVar("Value")


@dataclass(frozen=True)
class Once:
    """Things of this session, by name, in `directory`."""

    directory: Path

    def made(self, name: str, make: Callable[[Path], object]) -> Path:
        """The path that `make(path)` has left for `name`; it must not be changed."""
        target, mark = self.directory / name, self.directory / f"{name}.made"
        with self._locked(name):
            if not mark.exists():
                make(target)
                mark.touch()
        return target

    def value(self, name: str, compute: Callable[[], Value]) -> Value:
        """What `compute()` has given for `name`; it must pickle."""
        path = self.made(name, lambda path: path.write_bytes(pickle.dumps(compute())))
        found: Value = pickle.loads(path.read_bytes())
        return found

    def image(self, variant: str = DEFAULT) -> Path:
        """The directory of an image of this checkout, built by SCons where it is not."""
        root = project_root()
        words = ["image", f"variant={variant}"] if variant != DEFAULT else ["image", "workloads"]

        def build(log: Path) -> None:
            with self.building(), log.open("wb") as out:
                argv = [sys.executable, "-m", "SCons", "-Q", *words]
                done = subprocess.run(argv, cwd=root, stdout=out, stderr=subprocess.STDOUT)
            assert done.returncode == 0, log.read_text(errors="replace")[-2000:]

        self.made(f"image-{variant}", build)
        return root / "build" / "image" if variant == DEFAULT else image_directory(variant)

    @contextmanager
    def building(self) -> Iterator[None]:
        """While SCons works in this checkout: two at once confuse it."""
        with self._locked("scons"):
            yield

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        with (self.directory / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
