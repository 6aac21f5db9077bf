# SPDX-License-Identifier: BSD-3-Clause
"""The steps that SCons runs: each reads its sources and writes its targets."""

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.image.builder import contents, cpio, kernel, link_order, toolchain, userland
from osgap.image.builder.run import output
from osgap.image.provision import sources

_GIVEN = "kernel_source"
"""The name of a source that the command line gives, in the place of a package's."""
_SCRIPT_LINE = "=" * 50
"""The line before and after GNU ld's own script in its verbose output."""


@dataclass(frozen=True)
class Settings:
    """Options of the command line."""

    cache: Path
    jobs: int
    kernel_source: Path | None


def write_record(path: Path, record: object) -> None:
    """Writes a target of SCons as JSON."""
    path.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _read(path: Path) -> dict[str, Any]:
    record = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(record, dict):
        raise OsgapError(f"{path} holds no record")
    return record


def _role(record: Path) -> str:
    """Returns the role of a package's record; that of a kernel's package has dots."""
    return record.name.removesuffix(".json")


def package(path: Path) -> sources.Package:
    """Returns the package of a record."""
    return sources.Package(**_read(path))


def find_sources(settings: Settings, targets: list[Path], refresh: bool) -> None:
    """Looks up and fetches the packages; writes a record for each, named by its role."""
    tree = settings.kernel_source
    roles = {_role(target) for target in targets}
    local = {}
    if tree and "linux" in roles:
        local["linux"] = _local(tree, kernel.source_digest(tree))
    packages = {**sources.resolve(settings.cache, roles - set(local), refresh=refresh), **local}
    for target in targets:
        write_record(target, asdict(packages[_role(target)]))


def _local(tree: Path, digest: str) -> sources.Package:
    return sources.Package(_GIVEN, "local", tree.name, digest)


def record_tree(tree: Path, digest: str, target: Path) -> None:
    """Writes the record of a user's source tree. Raises OsgapError if it is another by now."""
    if kernel.source_digest(tree) != digest:
        raise OsgapError(f"{tree}: was changed since the command began; repeat the command")
    write_record(target, asdict(_local(tree, digest)))


@dataclass(frozen=True)
class KernelInputs:
    """The files that a kernel is made of: the package's record, the options and the patches.

    `local` is a variant's own source tree, in place of a package.
    """

    linux: Path
    fragment: Path
    patches: tuple[Path, ...]
    local: Path | None = None

    def tree(self, settings: Settings) -> kernel.KernelTree:
        """Returns the source tree in the cache that these files make."""
        linux = package(self.linux)
        local = self.local or (settings.kernel_source if linux.name == _GIVEN else None)
        source = local or linux.path(settings.cache)
        return kernel.KernelTree(
            source.resolve(),
            linux.sha256,
            tuple(path.resolve() for path in self.patches),
            self.fragment.resolve(),
            settings.cache,
            settings.jobs,
        )


def build_kernel(settings: Settings, inputs: KernelInputs, target: Path) -> None:
    """Builds the kernel without a file system, and writes its record."""
    tree = inputs.tree(settings)
    with kernel.locked(tree):
        kernel.ensure(tree)
        record = {
            "version": kernel.release(tree),
            "config": kernel.config_digest(tree),
            "compiler": kernel.compiler_version(),
            "source": tree.key,
        }
    write_record(target, record)


def build_module(
    settings: Settings, inputs: KernelInputs, files: list[Path], ko: Path, words: Sequence[str] = ()
) -> None:
    """Builds the disk driver against the kernel; `words` are variables of its Kbuild."""
    tree = inputs.tree(settings)
    with kernel.locked(tree):
        kernel.ensure(tree)
        kernel.build_module(tree, files, ko.resolve(), words)


def build_image(
    settings: Settings,
    inputs: KernelInputs,
    archive: Path,
    targets: list[Path],
    layout: int,
) -> None:
    """Links the kernel with its file system in a layout; `targets` are Image and vmlinux."""
    tree = inputs.tree(settings)
    image, vmlinux = targets
    with kernel.locked(tree):
        kernel.ensure(tree)
        kernel.link_image(tree, archive, image, vmlinux, layout)


def build_busybox(settings: Settings, record: Path, fragment: Path, target: Path) -> None:
    """Builds busybox from its package."""
    work = target.parent.parent / "userland"
    dsc = package(record).checked(settings.cache)
    userland.busybox(dsc, fragment.resolve(), work.resolve(), target.resolve(), settings.jobs)


def build_tcc(settings: Settings, record: Path, target: Path) -> None:
    """Builds tcc from its package."""
    work = target.parent.parent / "userland"
    dsc = package(record).checked(settings.cache)
    userland.tcc(dsc, work.resolve(), target.resolve(), settings.jobs)


def copy_firmware(settings: Settings, record: Path, targets: list[Path]) -> None:
    """Copies OpenSBI's firmware, in both forms, from the package."""
    folder = package(record).checked(settings.cache).parent
    for target in targets:
        shutil.copyfile(folder / target.name, target)


def build_rootfs(
    entries: Sequence[cpio.CpioEntry], layout: int, archive: Path, listing: Path
) -> None:
    """Writes the guest's first file system (with the number of another layout), and its list."""
    number = cpio.text(contents.LAYOUT_FILE, f"{layout}\n")
    entries = cpio.complete([*entries, *([number] if layout != link_order.DEFAULT else [])])
    archive.write_bytes(cpio.archive(cpio.padded(entries)))
    write_record(listing, cpio.contents(entries))


def order_program(link: Sequence[str], objects: Sequence[Path], layout: int, script: Path) -> None:
    """Writes the linker script, in a layout, of a program that the command `link` links."""
    with tempfile.TemporaryDirectory() as home:
        map_file = Path(home) / "map"
        verbose = f"-Wl,--verbose,-Map={map_file}"
        text = output([*link, "-o", f"{home}/program", *map(str, objects), "-lm", verbose])
        linker_map = map_file.read_text(encoding="utf-8")
    _, default, _ = text.split(_SCRIPT_LINE, 2)
    ordered = link_order.script(default, linker_map, layout, link_order.PROGRAM_KINDS)
    script.write_text(ordered, encoding="utf-8")


def write_manifest(
    records: list[Path],
    kernel_record: Path,
    files: list[Path],
    target: Path,
    variant: Mapping[str, object] | None = None,
) -> None:
    """Writes image.json: the image's files, kernel, compiler, packages and `variant`."""
    kernel_facts = _read(kernel_record)
    packages = {
        _role(path): {key: _read(path)[key] for key in ("name", "version", "sha256")}
        for path in sorted(records)
    }
    record = {
        "schema": 1,
        "files": {path.name: durable.sha256(path) for path in files},
        "kernel": {key: kernel_facts[key] for key in ("version", "config")},
        "compiler": kernel_facts["compiler"],
        "packages": packages,
    }
    write_record(target, {**record, "variant": variant} if variant else record)


def write_fragment(base: Path, options: Callable[[str], str], target: Path) -> None:
    """Writes a variant's kernel options, which are `options` of the text of `base`."""
    target.write_text(options(base.read_text(encoding="utf-8")), encoding="utf-8")


def build_musl(settings: Settings, record: Path, folder: Path) -> None:
    """Builds musl from its package into `folder`."""
    work = folder.parent / "userland"
    dsc = package(record).checked(settings.cache)
    toolchain.build_musl(dsc, work.resolve(), folder.resolve(), settings.jobs)
