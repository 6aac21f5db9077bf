# SPDX-License-Identifier: BSD-3-Clause
"""Declares to SCons how images are built: kernel, disk driver, firmware and first file system.

A node is SCons's for a file. Nothing is built here: SCons runs the steps afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from osgap.image.builder import contents, scons, steps, toolchain
from osgap.image.builder.image_rule import GuestFile, ImageRule, Node, cpio_entries
from osgap.image.builder.kernel_rules import KernelRules
from osgap.image.builder.package_rules import PackageRules
from osgap.image.builder.scons import Function

if TYPE_CHECKING:  # pydantic, which the default image does without
    from osgap.image.builder.variant import Variant

BUILT = ("andrew-cp", "andrew-crt.o", "busybox", "init", "osgap_disk.ko", "reflect", "tcc")
"""The parts that contents.list may name beside disk-images/programs."""
_SHARED = "#build"
"""The folder of the default image, whose kernel and parts variants share."""


class ImageRules:
    """The rules of the default image and of all variants, in one SCons environment."""

    def __init__(self, env: Any, settings: steps.Settings, look_again: bool) -> None:
        """Declares the packages; `look_again` looks for newer ones. Raises OsgapError."""
        self._env, self._settings = env, settings
        # SCons reads these as it starts: what they say of a variant is a source of its own.
        code = env.Glob("#osgap/image/builder/*.py", exclude="#osgap/image/builder/variant*.py")
        self._code = [*code, env["COMPILER"]]
        self._checkout = Path(env.Dir("#").abspath)
        self._list = env.File("#disk-images/rootfs/contents.list")
        sources = env.Glob("#disk-images/programs/*.c")
        self.programs = [file.name.removesuffix(".c") for file in sources]
        self._rows = contents.load(Path(self._list.srcnode().abspath))
        contents.check(self._rows, [*BUILT, *self.programs], self._checkout)
        self.options = env.File("#disk-images/kernel/osgap.config")
        self._packages = PackageRules(env, settings, look_again)
        self._busybox, self._linux, self._opensbi, self._tcc = self._packages.common
        self._kernels = KernelRules(env, settings, self._packages, self._step)
        self.kernel = self._kernels.kernel(_SHARED, self.options, self._linux)
        self.module = self._kernels.module(_SHARED, self.kernel)

    def busybox(self) -> Node:
        """Declares build/guest/busybox."""
        return self._step(
            ["#build/guest/busybox"],
            {"package": self._busybox, "options": "#disk-images/rootfs/busybox.config"},
            lambda sources, targets: steps.build_busybox(
                self._settings, sources["package"][0], sources["options"][0], targets[0]
            ),
            "BUILD",
        )

    def tcc(self) -> Node:
        """Declares build/guest/tcc."""
        return self._step(
            ["#build/guest/tcc"],
            {"package": self._tcc},
            lambda sources, targets: steps.build_tcc(
                self._settings, sources["package"][0], targets[0]
            ),
            "BUILD",
        )

    def default_image(self) -> Node:
        """Declares build/image."""
        return self._image(ImageRule(_SHARED, self.kernel))

    def variant_images(
        self, variants: Mapping[str, Variant], versions: Mapping[str, str]
    ) -> dict[str, Node]:
        """Declares build/variants/NAME/image of each; `versions` are their compilers' versions."""
        musl = [name for name, variant in variants.items() if variant.programs.libc == "musl"]
        library = [self._musl(variants[musl[0]].programs.toolchain.library)] if musl else []
        images = {}
        for name, variant in variants.items():
            images[name] = self._variant(name, variant, library if name in musl else [])
            files = self._files_of(name, variant)
            self._env.Depends(images[name][0], [*files, self._env.Value(versions[name])])
        return images

    def _variant(self, name: str, variant: Variant, libraries: Sequence[Node]) -> Node:
        folder, kernel = f"#build/variants/{name}", self.kernel
        if variant.added:
            return self._program_image(folder, name, variant)
        parts = {"init", *self.programs}
        if variant.has_own_kernel:
            files = self._files_of(name, variant)
            kernel = self._kernels.of_variant(folder, variant, self.options, files)
        if variant.has_own_kernel or variant.module_words:
            parts.add("osgap_disk.ko")
            self._kernels.module(folder, kernel, variant.module_words)
        records = [Path(node.abspath) for node in libraries]
        compiler = GuestFile(f"{folder}/guest/period-cc", "/lib/andrew/cc", 0o755)
        shared = self._shared(folder) if variant.programs.toolchain.dynamic else []
        rule = ImageRule(
            folder,
            kernel,
            frozenset(parts),
            variant.layout,
            [*([compiler] if variant.period else []), *shared],
            libraries,
            lambda: variant.manifest(name, records),
        )
        return self._image(rule)

    def _shared(self, folder: str) -> list[GuestFile]:
        """Declares copies of glibc's loader and libraries; returns them as files of the guest."""
        paths = [f"{place}/{name}" for name, place in toolchain.SHARED.items()]
        paths.append(f"/etc/{toolchain.LOADER_CACHE}")
        names = [f"{folder}/guest/shared/{PurePosixPath(path).name}" for path in paths]
        copies = self._step(names, {}, lambda _, targets: toolchain.copy_shared(targets), "COPY")
        # They are the machine's, and may change with an upgrade.
        self._env.AlwaysBuild(copies)
        self._env.NoCache(copies)
        return [GuestFile(node, path, 0o755) for node, path in zip(copies, paths, strict=True)]

    def _files_of(self, name: str, variant: Variant) -> list[Node]:
        """Returns the files that describe a variant; for a recipe's, those that it extends."""
        from osgap.image.builder.variant import described_by

        files = described_by(self._checkout / "disk-images" / "variants", name, variant)
        return [self._env.File(str(path)) for path in files] or [self.options]

    def _program_image(self, folder: str, name: str, variant: Variant) -> Node:
        """Declares an image of programs: its receiver's files, and the archive beside them."""
        from osgap.image.builder import programarchive
        from osgap.image.programrecipe import file_of, receiver_of

        files = []
        for program in variant.added:
            for path, mode in program.installed:
                built = f"{folder}/guest/program/{program.name}"
                source = built if program.source else str(file_of(name, program, path))
                files.append(GuestFile(source, f"{program.folder}/{path}", mode))

        def build(sources: scons.Sources, targets: list[Path]) -> None:
            entries = cpio_entries(files, sources["files"])
            programarchive.build_image(sources["receiver"], entries, variant.added, name, targets)

        receiver = f"#build/variants/{receiver_of(variant.extends)}/image"
        nodes = self._step(
            [f"{folder}/image/{file}" for file in programarchive.WRITTEN],
            {
                "receiver": [f"{receiver}/{file}" for file in programarchive.COPIED],
                "files": [file.node for file in files],
            },
            build,
            "ADD",
            [str([program.model_dump() for program in variant.added])],
        )
        self._env.NoCache(nodes)
        return nodes

    def _step(
        self,
        targets: Sequence[str],
        sources: Mapping[str, Node],
        function: Function,
        label: str,
        values: Sequence[str] = (),
    ) -> Node:
        """Declares a step, of which the builder's code and the compiler's version are sources."""
        groups = {
            name: group if isinstance(group, list) else [group] for name, group in sources.items()
        }
        line = f"{label:6} $TARGET"
        nodes = scons.declare(self._env, targets, groups, function, line, values)
        self._env.Depends(nodes, self._code)
        return nodes

    def _musl(self, files: Sequence[str]) -> Node:
        """Declares the C library musl; returns the record of its package."""
        package = self._packages.more("musl")
        library = self._step(
            [f"#{path}" for path in files],
            {"package": package},
            lambda sources, targets: steps.build_musl(
                self._settings, sources["package"][0], targets[0].parents[1]
            ),
            "BUILD",
        )
        # Its headers are no targets: a copy from SCons's cache would lack them.
        self._env.NoCache(library)
        return package

    def _image(self, rule: ImageRule) -> Node:
        """Declares the files of an image; its manifest, image.json, is the first node."""
        folder = f"{rule.folder}/image"
        firmware = self._step(
            [f"{folder}/fw_jump.bin", f"{folder}/fw_jump.elf"],
            {"package": self._opensbi},
            lambda sources, targets: steps.copy_firmware(
                self._settings, sources["package"][0], targets
            ),
            "COPY",
        )
        archive, listing = self._archive(rule)
        kernel = self._step(
            [f"{folder}/Image", f"{folder}/vmlinux"],
            {"archive": archive, "kernel": rule.kernel.record},
            lambda sources, targets: steps.build_image(
                self._settings, rule.kernel.inputs, sources["archive"][0], targets, rule.layout
            ),
            "LINK",
            [str(rule.layout)],
        )
        manifest = self._step(
            [f"{folder}/image.json"],
            {
                "kernel": rule.kernel.record,
                "files": [*kernel, *firmware, archive],
                "packages": [*self._packages.of_image(rule.kernel.source), *rule.libraries],
            },
            lambda sources, targets: steps.write_manifest(
                sources["packages"],
                sources["kernel"][0],
                sources["files"],
                targets[0],
                rule.manifest(),
            ),
            "RECORD",
        )
        return [*manifest, listing, *kernel, *firmware]

    def _archive(self, rule: ImageRule) -> Node:
        """Declares the first file system, and the list of its content."""
        names = [row.source for row in self._rows if row.kind == "file"]
        folders = [rule.folder if name in rule.parts else _SHARED for name in names]
        parts = [f"{folder}/guest/{name}" for folder, name in zip(folders, names, strict=True)]
        trees = contents.tree_files(self._rows, self._checkout)

        def build(sources: scons.Sources, targets: list[Path]) -> None:
            files = {path.name: path for path in sources["parts"]}
            entries = list(contents.entries(self._rows, files, self._checkout))
            entries += cpio_entries(rule.added, sources["added"])
            steps.build_rootfs(entries, rule.layout, *targets)

        return self._step(
            [f"{rule.folder}/image/initramfs.cpio", f"{rule.folder}/image/contents.json"],
            {
                "list": self._list,
                "parts": parts,
                "added": [file.node for file in rule.added],
                "trees": [self._env.File(str(path)) for path in trees],
            },
            build,
            "CPIO",
            [str(rule.layout), str([(file.path, file.mode) for file in rule.added])],
        )
