# SPDX-License-Identifier: BSD-3-Clause
"""What can be wrong with a guest, as its console shows it."""

from __future__ import annotations

from osgap.base.errors import OsgapError


class GuestPanic(OsgapError):
    """The guest's kernel panicked."""


class BenchmarkFailed(OsgapError):
    """A benchmark's own check failed, or its process died."""


class GuestError(OsgapError):
    """The guest did not understand its orders, or we do not understand the guest."""


class GuestFlood(GuestError):
    """The guest said more than a console may hold."""


class NoEndMarker(OsgapError):
    """The machine stopped, or its time ran out, before the guest said `end`."""
