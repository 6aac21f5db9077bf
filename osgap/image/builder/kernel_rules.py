# SPDX-License-Identifier: BSD-3-Clause
"""Declares to SCons how kernels and their disk drivers are built."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from osgap.image.builder import steps
from osgap.image.builder.image_rule import KernelRule, Node
from osgap.image.builder.package_rules import SOURCE_ROLE, PackageRules

if TYPE_CHECKING:  # pydantic, which the default image does without
    from osgap.image.builder.variant import Variant

Declare = Callable[..., Node]
"""Declares a step: targets, sources by name, function, label, and values that it depends on."""


class KernelRules:
    """The rules of kernels in one SCons environment."""

    def __init__(
        self, env: Any, settings: steps.Settings, packages: PackageRules, step: Declare
    ) -> None:
        """Takes the environment, and `step`, which declares a step there."""
        self._env, self._settings, self._packages, self._step = env, settings, packages, step
        self._patches = sorted(env.Glob("#disk-images/kernel/patches/*.patch"), key=str)

    def of_variant(
        self, folder: str, variant: Variant, base: Node, files: Sequence[Node]
    ) -> KernelRule:
        """Declares a variant's kernel below FOLDER; `files` describe it, `base` has the options."""
        options = base
        if variant.kernel.is_own:
            options = self._options(folder, variant, base, files)
        tree, digest = variant.source_tree
        source = self._packages.kernel(variant.kernel.package)
        if tree:
            source = self._step(
                [f"{folder}/kernel/{SOURCE_ROLE}.json"],
                {},
                lambda _, targets: steps.record_tree(Path(tree), digest, targets[0]),
                "RECORD",
                [tree, digest],
            )[0]
        return self.kernel(folder, options, source, variant.patches, tree)

    def kernel(
        self, folder: str, options: Node, source: Node, further: Sequence[Path] = (), tree: str = ""
    ) -> KernelRule:
        """Declares a kernel without a file system below FOLDER.

        `further` are the patches of this kernel, to apply after those of all kernels.
        """
        nodes = [*self._patches, *(self._env.File(str(path)) for path in further)]
        patches = tuple(Path(patch.abspath) for patch in nodes)
        local = Path(tree) if tree else None
        inputs = steps.KernelInputs(Path(source.abspath), Path(options.abspath), patches, local)
        record = self._step(
            [f"{folder}/kernel/kernel.json"],
            {"package": source, "options": options, "patches": nodes},
            lambda _, targets: steps.build_kernel(self._settings, inputs, targets[0]),
            "KERNEL",
        )
        return KernelRule(record[0], inputs, source)

    def module(self, folder: str, kernel: KernelRule, words: Sequence[str] = ()) -> Node:
        """Declares the disk driver below FOLDER; `words` are the variables of its Kbuild."""
        files = [
            file for file in self._env.Glob("#disk-images/kernel/osgap_disk/*") if file.isfile()
        ]
        return self._step(
            [f"{folder}/guest/osgap_disk.ko"],
            {"kernel": kernel.record, "files": files},
            lambda sources, targets: steps.build_module(
                self._settings, kernel.inputs, sources["files"], targets[0], words
            ),
            "MODULE",
            words,
        )

    def _options(self, folder: str, variant: Variant, base: Node, files: Sequence[Node]) -> Node:
        return self._step(
            [f"{folder}/kernel/osgap.config"],
            {"base": base, "variant": list(files)},
            lambda sources, targets: steps.write_fragment(
                sources["base"][0], variant.kernel.fragment, targets[0]
            ),
            "CONFIG",
        )[0]
