# SPDX-License-Identifier: BSD-3-Clause
"""The root of every error that osgap raises on purpose."""


class OsgapError(Exception):
    """Something a user can act on, said in one clear sentence.

    Subclasses live beside the code that raises them.  Scripts print the sentence on stderr and
    exit with status 2; any other exception is a defect in osgap.
    """
