# SPDX-License-Identifier: BSD-3-Clause
"""Declares to SCons the records of Debian's packages, which the images are built from."""

from __future__ import annotations

from typing import Any

from osgap.image.builder import scons, steps
from osgap.image.builder.image_rule import Node

_COMMON = ("busybox", "linux", "opensbi", "tcc")
"""The roles of the packages of all images."""
SOURCE_ROLE = "linux"
"""The role of the kernel's source."""
_LINUX = _COMMON.index(SOURCE_ROLE)


class PackageRules:
    """The records of packages in one SCons environment, each declared once."""

    def __init__(self, env: Any, settings: steps.Settings, look_again: bool) -> None:
        """Declares the packages of all images; `look_again` looks for newer ones."""
        self._env, self._settings, self._look_again = env, settings, look_again
        self.common = self._find(*_COMMON)
        self._more: dict[str, Node] = {}

    def more(self, role: str) -> Node:
        """Returns the record of one more package; `role` is its name."""
        if role not in self._more:
            package = self._find(role)[0]
            # Look-ups share apt's folder and the record of earlier ones: one at a time.
            self._env.Depends(package, [*self.common, *self._more.values()])
            self._more[role] = package
        return self._more[role]

    def kernel(self, package: str) -> Node:
        """Returns the record of a kernel's package; "" is the default kernel's."""
        return self.more(package) if package else self.common[_LINUX]

    def of_image(self, kernel: Node) -> list[Node]:
        """Returns the records of an image's packages, with that of its kernel."""
        return [*self.common[:_LINUX], kernel, *self.common[_LINUX + 1 :]]

    def _find(self, *roles: str) -> list[Node]:
        """Declares the records, looked up again when asked or lost."""
        refresh = bool(self._env["refresh"])
        nodes: list[Node] = scons.declare(
            self._env,
            [f"#build/sources/{role}.json" for role in roles],
            {},
            lambda _, targets: steps.find_sources(self._settings, targets, refresh),
            f"FETCH  Debian's sources of {', '.join(roles)}",
            [str(self._settings.kernel_source or "")],
        )
        self._env.NoCache(nodes)
        if self._look_again:
            self._env.AlwaysBuild(nodes)
        return nodes
