# SPDX-License-Identifier: BSD-3-Clause
"""Errors of a guest, as its console shows them."""

from __future__ import annotations

from osgap.base.errors import OsgapError


class GuestPanic(OsgapError):
    """The guest's kernel panicked."""


class BenchmarkFailed(OsgapError):
    """A benchmark's own check failed, or its process died."""


class GuestError(OsgapError):
    """The guest refused its orders, or its console does not follow the protocol."""


class GuestFlood(GuestError):
    """The guest's console or one of its lines is too large."""


class NoEndMarker(OsgapError):
    """The machine stopped, or its time ran out, before the guest's `end` line."""
