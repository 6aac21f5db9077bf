# SPDX-License-Identifier: BSD-3-Clause
"""The base class of osgap's errors, and a context that names the file of an OSError."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class OsgapError(Exception):
    """An error that a user can act on, as one sentence.

    Subclasses live beside the code that raises them. Commands print the sentence on stderr and
    exit with status 2; any other exception is a defect in osgap.
    """


@contextmanager
def about(file: str | Path) -> Iterator[None]:
    """Names `file` in an OSError that names none, as one of a write does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(file)
        raise
