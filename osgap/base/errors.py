# SPDX-License-Identifier: BSD-3-Clause
"""The root of every error that osgap raises on purpose, and the file that an OSError is about."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class OsgapError(Exception):
    """Something a user can act on, said in one clear sentence.

    Subclasses live beside the code that raises them.  Scripts print the sentence on stderr and
    exit with status 2; any other exception is a defect in osgap.
    """


@contextmanager
def about(file: str | Path) -> Iterator[None]:
    """Gives an OSError that names no file, as one of a write, the name of `file`."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(file)
        raise
